"""Work on sequences in parts and threads, with results that do not depend on how many threads.

>>> pool = RoomPool(lambda: [0], jobs=2)
>>> pool.map(lambda room, item: len(room) + item, [1, 2, 3])
[2, 3, 4]
>>> sequence_parts(np.array([0, 3, 5, 9]), 1)
[(0, 3)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

import numpy as np

Array = Any
Room = TypeVar("Room")
Item = TypeVar("Item")
Found = TypeVar("Found")
# Parts that sequences are divided into, for any number of threads, so that sums are equal.
PARTS, FEWEST, MOST_SUMS = 8, 4096, 2**26


class RoomPool(Generic[Room]):
    """Arrays to compute in, one set for each of `jobs` threads."""

    def __init__(self, make: Callable[[], Room], jobs: int) -> None:
        self.jobs = jobs
        self.rooms: SimpleQueue[Room] = SimpleQueue()
        for _ in range(jobs):
            self.rooms.put(make())

    def map(self, task: Callable[[Room, Item], Found], items: Iterable[Item]) -> list[Found]:
        """The results of a task for items, in their order; threads do the work."""

        def run(item: Item) -> Found:
            room = self.rooms.get()
            try:
                return task(room, item)
            finally:
                self.rooms.put(room)

        if self.jobs == 1:
            return [*map(run, items)]
        with ThreadPoolExecutor(self.jobs) as pool:
            return [*pool.map(run, items)]


class PartSums(Generic[Room]):
    """Slopes of an objective that is a sum over sequences, summed part by part.

    >>> sums = PartSums(np.array([0, 1, 2]), 1, lambda: None, jobs=1)
    >>> def task(room, begin, end, slopes):
    ...     slopes[0] += end - begin
    ...     return 5.0
    >>> slopes = np.zeros(1)
    >>> sums.sum_parts(task, slopes), slopes.tolist()
    (5.0, [2.0])
    """

    def __init__(
        self, bounds: Array, n_weights: int, make: Callable[[], Room], *, jobs: int
    ) -> None:
        self.parts = sequence_parts(bounds, n_weights)
        self.slopes = np.zeros((len(self.parts), n_weights))
        self.rooms = RoomPool(make, jobs)

    def sum_parts(self, task: Callable[[Room, int, int, Array], float], target: Array) -> float:
        """Writes the sum of the slopes of all parts to `target`; the sum of what the task returns.

        The task adds the slopes of some sequences, the first and the one behind the last of which
        it is given, to an array.
        """
        self.slopes[:] = 0.0

        def one(room: Room, part: int) -> float:
            return task(room, *self.parts[part], self.slopes[part])

        found = self.rooms.map(one, range(len(self.parts)))
        np.sum(self.slopes, axis=0, out=target)
        return float(sum(found))


def parts_for(n_weights: int) -> int:
    """The number of parts of the sequences, each with slopes of so many weights."""
    return max(1, min(PARTS, MOST_SUMS // max(n_weights, 1)))


def sequence_parts(bounds: Array, n_weights: int) -> list[tuple[int, int]]:
    """Sequences in parts of about as many positions, as many as sums have room for."""
    n = int(bounds[-1])
    n_parts = min(parts_for(n_weights), n // FEWEST + 1)
    cuts = np.searchsorted(bounds, np.arange(1, n_parts) * n // n_parts)
    return [*pairwise([0, *cuts.tolist(), len(bounds) - 1])]
