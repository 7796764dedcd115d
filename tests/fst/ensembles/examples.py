"""A lexicon that can be learnt, and options to learn it with, for tests of ensembles."""

from __future__ import annotations

import random

from glyphone.data.records import Pair
from glyphone.fst.ensembles.members import EnsembleOptions
from glyphone.fst.joint.training import JointOptions

OPTIONS = EnsembleOptions(joint=JointOptions(order=4))


def lexicon(n: int = 60, seed: int = 0) -> list[Pair]:
    """Words whose c is k or s by the letter after it, and whose final e is silent."""
    chooser, pairs = random.Random(seed), {}
    while len(pairs) < n:
        word = "".join(
            chooser.choice("ctp") + chooser.choice("aeio") for _ in range(chooser.randint(1, 4))
        )
        sounds = [
            ("s" if word[k + 1] in "ei" else "k") if x == "c" else x for k, x in enumerate(word)
        ]
        pairs[word] = Pair(
            tuple(word), tuple(sounds[:-1] if word[-1] == "e" and len(word) > 2 else sounds)
        )
    return list(pairs.values())
