"""Answers for blocks of items, and blocks worked on in order by several threads.

>>> [result for _, result in in_order(sum, iter([[1, 2], [3]]), jobs=2)]
[3, 3]
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from glyphone.data.errors import ItemError
from glyphone.data.records import Hypothesis, Symbols

Work = TypeVar("Work")
Result = TypeVar("Result")
Span = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Origins:
    """The symbols of each output, and where in the user's strings they come from."""

    symbols: Sequence[Symbols]
    spans: Sequence[tuple[Span, ...]]


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers to a block of items: item i has hypotheses firsts[i] to firsts[i + 1]."""

    outputs: Sequence[str]
    costs: Sequence[float]
    posteriors: Sequence[float]
    firsts: Sequence[int]
    truncated: frozenset[int]
    failures: dict[int, ItemError]
    origins: Origins | None = None

    def hypotheses(self, item: int) -> list[Hypothesis]:
        return [
            Hypothesis(
                self.outputs[k],
                self.costs[k],
                self.posteriors[k],
                self.origins.spans[k] if self.origins else (),
                self.origins.symbols[k] if self.origins else (),
                item in self.truncated,
            )
            for k in range(self.firsts[item], self.firsts[item + 1])
        ]


def available_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(
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
