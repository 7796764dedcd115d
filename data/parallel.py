"""An ordered map over threads, for kernels, which release the lock of Python.

>>> [result for _, result in map_in_order(sum, iter([[1, 2], [3]]), jobs=2)]
[3, 3]
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Work = TypeVar("Work")


Result = TypeVar("Result")


def available_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def jobs_of(workers: int) -> int:
    """Threads for so many workers, of which -1 are all cores, as scikit-learn has it."""
    return available_cores() if workers < 0 else workers


def map_in_order(
    function: Callable[[Work], Result], works: Iterator[Work], *, jobs: int | None = None
) -> Iterator[tuple[Work, Result]]:
    """Each piece of work with its result, in order, with at most a few pieces under way.

    A single job looks at no work before the last is done. It has a thread of its own all the same:
    a signal is raised on the main thread only, and must not be in the middle of a kernel's return.
    """
    jobs = jobs or available_cores()
    ahead = 0 if jobs == 1 else jobs + 1
    waiting: deque[tuple[Work, Future[Result]]] = deque()
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for work in works:
                waiting.append((work, pool.submit(function, work)))
                if len(waiting) > ahead:
                    done, future = waiting.popleft()
                    yield done, future.result()
            for done, future in waiting:
                yield done, future.result()
        finally:
            pool.shutdown(cancel_futures=True)
