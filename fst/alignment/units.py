"""The units of a joint model as numbers, sorted by their sources, then by their targets.

>>> units = Units.of([((1,), (2,)), ((1, 3), (1,)), ((3,), ()), ((1,), (1, 2))], n_labels=4)
>>> units.sources, units.longer.tolist()
(((1,), (1,), (3,), (1, 3)), [7])
>>> units.firsts.tolist()  # chunks: empty, labels 1 to 3, (1, 3), and any other
[0, 0, 2, 2, 3, 4, 4]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Labels = tuple[int, ...]
LabelUnit = tuple[Labels, Labels]


@dataclass(frozen=True, eq=False)
class Units:
    """Units in order, as tuples of labels from 1 on."""

    sources: tuple[Labels, ...]
    targets: tuple[Labels, ...]
    n_labels: int

    @classmethod
    def of(cls, units: Iterable[LabelUnit], *, n_labels: int) -> Units:
        return cls.arrange([*set(units)], n_labels=n_labels)[0]

    @classmethod
    def arrange(
        cls, units: Sequence[LabelUnit], *, n_labels: int
    ) -> tuple[Units, NDArray[np.int64]]:
        """Units, equal ones in the given order, and the number that each of the given ones has."""
        keys = prefix_keys((source for source, _ in units), n_labels)
        chunks = chunk_numbers((source for source, _ in units), keys, n_labels)

        def order(place: int) -> tuple[int, int, Labels]:
            source, target = units[place]
            return chunks[source], len(target), target

        places = sorted(range(len(units)), key=order)
        numbers = np.empty(len(units), np.int64)
        numbers[places] = np.arange(len(units))
        ordered = [units[place] for place in places]
        return cls(tuple(x for x, _ in ordered), tuple(y for _, y in ordered), n_labels), numbers

    def __len__(self) -> int:
        return len(self.sources)

    @cached_property
    def numbers(self) -> dict[LabelUnit, int]:
        pairs = zip(self.sources, self.targets, strict=True)
        return {unit: number for number, unit in enumerate(pairs)}

    @cached_property
    def longer(self) -> NDArray[np.int64]:
        """The keys of chunks of several labels."""
        return np.array(prefix_keys(self.sources, self.n_labels), np.int64)

    @cached_property
    def chunks(self) -> NDArray[np.int64]:
        """The chunk that each unit reads."""
        numbers = chunk_numbers(self.sources, self.longer.tolist(), self.n_labels)
        return np.array([numbers[source] for source in self.sources], np.int64)

    @cached_property
    def firsts(self) -> NDArray[np.int64]:
        """The first unit of each chunk, of the chunk that no unit reads, and the end."""
        n_chunks = self.n_labels + len(self.longer) + 1
        return np.searchsorted(self.chunks, np.arange(n_chunks + 1)).astype(np.int64)

    def swap_sides(self, *, n_labels: int) -> Units:
        """The units with source and target exchanged; `n_labels` is that of the new sources."""
        return Units.of(zip(self.targets, self.sources, strict=True), n_labels=n_labels)


def prefix_keys(sources: Iterable[Labels], n_labels: int) -> list[int]:
    """Chunks of several labels and their prefixes, as keys of prefix and last label, sorted.

    The number of a prefix is n_labels plus the place of its own key, which must be known first,
    so that keys come shortest chunks first.
    """
    chunks = {source[:end] for source in sources for end in range(2, len(source) + 1)}
    numbers: dict[Labels, int] = {}
    keys: list[int] = []
    for chunk in sorted(chunks, key=lambda chunk: (len(chunk), chunk)):
        before = chunk[0] if len(chunk) == 2 else numbers[chunk[:-1]]
        numbers[chunk] = n_labels + len(keys)
        keys.append(before * n_labels + chunk[-1])
    assert all(a < b for a, b in pairwise(keys))
    return keys


def chunk_numbers(
    sources: Iterable[Labels], keys: Sequence[int], n_labels: int
) -> dict[Labels, int]:
    """The number of each chunk: 0 for the empty one, a label for itself, then the keys."""
    places = {key: n_labels + place for place, key in enumerate(keys)}
    numbers = {}
    for source in sources:
        number = source[0] if source else 0
        for label in source[1:]:
            number = places[number * n_labels + label]
        numbers[source] = number
    return numbers
