"""Plain twins of latent-dynamic fields: every hidden path written out, weights looked up one by
one. `Case` is a small problem drawn by chance."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.data.records import Sequence
from glyphone.learners.latent.arrays import Data, Shape
from glyphone.learners.latent.grams import learn_tests
from glyphone.learners.latent.model import LatentModel
from glyphone.learners.sequences.observations import observe_tests

Array = Any
TEMPLATES = "*0:%x[0,0]\nu-1:%x[-1,0]\nb+1:%x[1,0]\nB"
# A label and its state at each position.
HiddenPath = tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class Case:
    """Sentences, their data, and a model of them whose weights are drawn."""

    sentences: list[Sequence]
    data: Data
    model: LatentModel

    @classmethod
    def drawn(
        cls,
        seed: int,
        shape: Shape,
        *,
        lengths: tuple[int, ...] = (4, 0, 1, 3, 2),
        scale: float = 1.0,
    ) -> Case:
        draw = np.random.default_rng(seed)
        sentences = [Sequence(tuple(draw.choice([*"abc"], length).tolist())) for length in lengths]
        codes = draw.integers(0, shape.n_labels, sum(lengths)).astype(np.int32)
        seen = observe_tests(sentences, TEMPLATES)
        tests, grams, data = learn_tests(seen, codes, shape)
        size = int(grams.firsts[-1]) + int(
            (grams.starts[-1] - grams.starts[-2]) * shape.states ** int(grams.sizes[-1])
        )
        names = tuple(f"L{k}" for k in range(shape.n_labels))
        model = LatentModel(names, shape, tests, grams, draw.normal(0, scale, size))
        return cls(sentences, data, model)

    def score(self, s: int, path: HiddenPath) -> float:
        """The sum of the weights of a hidden path, each looked up by its test and its states."""
        model, total = self.model, 0.0
        tokens = ["_x-1", *self.sentences[s].tokens, "_x+1"]
        for t in range(len(path)):
            now = [f"*0:{tokens[t + 1]}", f"u-1:{tokens[t]}", f"b+1:{tokens[t + 2]}", "b"]
            for n, known in enumerate(model.tests, 1):
                if t < n - 1:
                    continue
                gram = path[t - n + 1 : t + 1]
                for test in now:
                    if test in known and test[0] in ("u*" if n == 1 else "b*"):
                        total += self.weight(known[test], gram)
        return total

    def weight(self, test: int, gram: HiddenPath) -> float:
        """The weight of a test and of labels with their states; 0 if there is none."""
        grams, shape = self.model.grams, self.model.shape
        code = inner = 0
        for label, state in gram:
            code = code * shape.n_labels + label
            inner = inner * shape.states + state
        codes = grams.codes[grams.starts[test] : grams.starts[test + 1]].tolist()
        if code not in codes:
            return 0.0
        size = shape.states ** len(gram)
        return float(self.model.weights[grams.firsts[test] + codes.index(code) * size + inner])

    def paths(self, s: int) -> dict[HiddenPath, float]:
        """The probability of every hidden path."""
        shape = self.model.shape
        every = [*itertools.product(range(shape.n_labels), range(shape.states))]
        length = len(self.sentences[s].tokens)
        scores = {path: self.score(s, path) for path in itertools.product(every, repeat=length)}
        highest = max(scores.values())
        total = sum(math.exp(score - highest) for score in scores.values())
        return {path: math.exp(score - highest) / total for path, score in scores.items()}

    def labellings(self, s: int) -> dict[tuple[int, ...], float]:
        """The probability of every sequence of labels."""
        found: dict[tuple[int, ...], float] = defaultdict(float)
        for path, share in self.paths(s).items():
            found[tuple(label for label, _ in path)] += share
        return dict(found)
