"""Lattices of the readings of names and of their parts, and the readings that two of them share.

>>> silence = string_kernels.string_lattice(np.array([0]))
>>> nothing = Machine(*matching_kernels.lattice_acceptor(silence))
>>> one, other = (sounds_of_typed("kana", text, nothing) for text in ("やま", "たに"))
>>> one.agreed(one, 1), one.agreed(other, 1)
((1.0, [('やま', 1.0)]), (0.0, []))
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import ModuleType

import numpy as np

from glyphone.data.kernels import jit
from glyphone.data.sources.japanese import repeat_kanji
from glyphone.fst.interface.model import BUDGET
from glyphone.fst.lattices import string_kernels
from glyphone.fst.lattices.arrays import Lattice, Machine
from glyphone.fst.lattices.nbest_kernels import NBest
from glyphone.models.kanji.matching import kernels as matching_kernels
from glyphone.models.kanji.request import Route
from glyphone.models.kanji.unseen import modern_forms


@dataclass(frozen=True, eq=False)
class Sounds:
    """A name, or a part of one, and its readings in code points: P(r) is exp(total - mass of r).

    `keys` makes keys of kana.
    """

    route: Route
    text: str
    lattice: Lattice
    keys: Machine

    @cached_property
    def total(self) -> float:
        return float(kernels_for(self.lattice).total_cost(self.lattice))

    @cached_property
    def machine(self) -> Machine:
        """The acceptor of these readings or, in romaji, of all kana that have this key."""
        if self.route != "romaji":
            return Machine(*kernels_for(self.lattice).lattice_acceptor(self.lattice))
        work = jit.tier(matching_kernels, len(self.text))
        return Machine(*work.machine_of_key(self.keys, self.lattice.labels))

    @cached_property
    def modern(self) -> str:
        """The kanji in forms of today, with no iteration marks."""
        return modern_forms(repeat_kanji(self.text))

    def readings(self, n: int) -> list[tuple[str, float]]:
        """The n most probable readings."""
        return in_words(
            kernels_for(self.lattice).best_reported(self.lattice, n, BUDGET), self.total
        )

    def agreed(self, other: Sounds, n: int) -> tuple[float, list[tuple[str, float]]]:
        """The sum over all readings of both of P(r) P'(r), and the n greatest terms of it."""
        mass, best = kernels_for(self.lattice).compare_lattices(
            self.lattice, other.machine, n, BUDGET
        )
        both = self.total + other.total
        return min(1.0, float(np.exp(both - mass))), in_words(best, both)


def sounds_of_typed(route: Route, text: str, keys: Machine) -> Sounds:
    """A name in kana, or the key of one in romaji, as its one reading."""
    labels = np.array([ord(letter) for letter in text], np.int32)
    lattice = matching_kernels.report_labels(string_kernels.string_lattice(labels))
    return Sounds(route, text, lattice, keys)


def in_words(best: NBest, total: float) -> list[tuple[str, float]]:
    """Readings with their probabilities; an unfinished search has found fewer."""
    text = "".join(map(chr, best.labels.tolist()))
    shares = np.exp(total - best.costs).tolist()
    words = [text[a:b] for a, b in pairwise(best.offsets.tolist())]
    return [(word, min(1.0, share)) for word, share in zip(words, shares, strict=True)]


def kernels_for(lattice: Lattice) -> ModuleType:
    return jit.tier(matching_kernels, len(lattice.labels) // 4)
