"""Fields over letters drawn by chance, and what they answer by going through all labels."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.data.writing import Writing
from glyphone.fst.interface.codec import Side
from glyphone.models.crf.arrays import Chain, Table, chain_of, roots_of
from glyphone.models.crf.model import CrfModel

WINDOWS = ((0, -1), (0, 0), (-1, 0), (-1, 1), (0, 1), (1, 1), (-2, -2))
CHOICES = ((0, 1, 2), (1, 3), (0, 2, 4))
CHUNKS: tuple[tuple[int, ...], ...] = ((1,), (), (1, 2), (2,), (2, 1))
WORDS = ((1, 2, 3), (3,), (), (2, 2, 1, 3), (1, 1))

Output = tuple[int, ...]


@dataclass(frozen=True)
class Drawn:
    """Weights by window, the letters in it, and a label or two."""

    of_labels: dict[Any, float]
    of_pairs: dict[Any, float]

    def table(self) -> Table:
        roots = roots_of(WINDOWS)
        starts = {first: k for k, (first, last) in enumerate(roots) if first <= last}
        children: dict[tuple[int, int], int] = {}

        def node_of(window: tuple[int, int], letters: Output) -> int:
            node = starts[window[0]] if letters else 0
            for letter in letters:
                node = children.setdefault((node, letter), len(roots) + len(children))
            return node

        rows = sorted((node_of(*at), y, w) for (*at, y), w in self.of_labels.items())
        pairs = sorted((node_of(*at), x, y, w) for (*at, x, y), w in self.of_pairs.items())
        keys = np.array([*children]).reshape(-1, 2)
        columns = [np.array(column) for column in (*zip(*rows, strict=True),)]
        others = [np.array(column) for column in (*zip(*pairs, strict=True),)]
        return Table(WINDOWS, keys[:, 0], keys[:, 1], *columns, *others)

    def chain(self) -> Chain:
        return chain_of(self.table(), choices=CHOICES, chunks=CHUNKS)

    def model(self, **settings: Any) -> CrfModel:
        sides = [
            Side(Writing(), {s: k for k, s in enumerate(row, 1)}, "x") for row in ("abc", "pq")
        ]
        go_on = (False,) * len(CHUNKS)
        return CrfModel(*sides, CHUNKS, go_on, CHOICES, self.table(), **settings)

    def score(self, word: Output, path: Output) -> float:
        """The weights of all windows at all letters."""
        found = 0.0
        for t, y in enumerate(path):
            for first, last in WINDOWS:
                places = range(t + first, t + last + 1)
                letters = tuple(code_of(word, p) for p in places)
                found += self.of_labels.get(((first, last), letters, y), 0.0)
                if t:
                    found += self.of_pairs.get(((first, last), letters, path[t - 1], y), 0.0)
        return found

    def outputs(self, word: Output, heat: float = 1.0) -> dict[Output, tuple[float, float]]:
        """The score of the best path to each output, and the share of all paths to it."""
        bests: dict[Output, float] = defaultdict(lambda: -math.inf)
        masses: dict[Output, float] = defaultdict(float)
        for path in itertools.product(*(CHOICES[letter - 1] for letter in word)):
            output = tuple(symbol for y in path for symbol in CHUNKS[y])
            bests[output] = max(bests[output], self.score(word, path))
            masses[output] += math.exp(heat * self.score(word, path))
        total = sum(masses.values())
        return {output: (best, masses[output] / total) for output, best in bests.items()}

    def log_z(self, word: Output) -> float:
        paths = itertools.product(*(CHOICES[letter - 1] for letter in word))
        return math.log(sum(math.exp(self.score(word, path)) for path in paths))


def code_of(word: Output, place: int) -> int:
    """A letter, or, behind the three that there are, how far before or behind the word it is."""
    if 0 <= place < len(word):
        return word[place]
    return 3 - place if place < 0 else 3 + 5 + place - len(word) + 1


def drawn(seed: int) -> Drawn:
    """Half of the windows of two letters and some with weights of some labels."""
    random = np.random.default_rng(seed)
    of_labels: dict[Any, float] = {}
    of_pairs: dict[Any, float] = {}
    for first, last in WINDOWS:
        for letters in itertools.product((1, 2, 3, 4, 5, 9), repeat=last - first + 1):
            for y in range(len(CHUNKS)):
                if random.random() < 0.3:
                    of_labels[(first, last), letters, y] = random.normal()
                for x in range(len(CHUNKS)):
                    if random.random() < 0.15:
                        of_pairs[(first, last), letters, x, y] = random.normal()
    return Drawn(of_labels, of_pairs)
