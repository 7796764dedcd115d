"""An ordered map over processes, for work that is more Python than kernels.

Threads take turns at Python; processes do not. Workers are forks of this process, so a loaded model
is in all of them without pickle; work and results go through pipes. Where this process cannot be
forked, or has other threads, whose locks a fork would keep for ever, and for a single job, threads
do the work (`glyphone.data.parallel.map_in_order`).

>>> [result for _, result in map_in_processes(sum, iter([[1, 2], [3]]), jobs=2)]
[3, 3]
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from glyphone.data import progress
from glyphone.data.errors import GlyphoneError
from glyphone.data.parallel import available_cores, map_in_order

Work = TypeVar("Work")
Result = TypeVar("Result")

WATCHED = 1.0  # seconds
# The function of a worker, set when it starts.
_function: list[Callable[[Any], Any]] = []


def map_in_processes(
    function: Callable[[Work], Result], works: Iterator[Work], *, jobs: int | None = None
) -> Iterator[tuple[Work, Result]]:
    """Each piece of work with its result, in order, with at most a few pieces under way."""
    jobs = jobs or available_cores()
    progress.end_watches()
    if jobs == 1 or not can_fork():
        yield from map_in_order(function, works, jobs=jobs)
        return
    waiting: deque[tuple[Work, Future[Result]]] = deque()
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(jobs, context, start_worker, (function, os.getpid())) as pool:
        try:
            for work in works:
                waiting.append((work, pool.submit(run_function, work)))
                if len(waiting) > jobs + 1:
                    done, future = waiting.popleft()
                    yield done, result_of(future)
            for done, future in waiting:
                yield done, result_of(future)
        except BrokenProcessPool:
            remedy = "look whether memory was short, or take --jobs 1"
            raise GlyphoneError("a worker was ended from outside", remedy=remedy) from None
        finally:
            pool.shutdown(cancel_futures=True)


def result_of(future: Future[Result]) -> Result:
    """The result of work, while progress is drawn: no thread does so beside forks."""
    while not wait([future], progress.TICK).done:
        progress.redraw()
    return future.result()


def can_fork() -> bool:
    return "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1


def start_worker(function: Callable[[Any], Any], parent: int) -> None:
    """Set up a worker with its function; interrupts are left to the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The parent is passed: os.getppid() would be another process here if the first was killed.
    threading.Thread(target=end_with_parent, args=(parent,), daemon=True).start()
    _function[:] = [function]


def end_with_parent(parent: int) -> None:
    """End a worker when its parent process is killed; it would wait for work for ever."""
    while os.getppid() == parent:
        time.sleep(WATCHED)
    os._exit(1)


def run_function(work: Any) -> Any:
    return _function[0](work)
