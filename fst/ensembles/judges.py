"""Judges of ensembles: models of other kinds than joint models, and how they are learnt.

A judge is a model of any kind that gives outputs probabilities: decision trees, conditional random
fields. This room imports none of these: they come with an ensemble that is trained, or out of a
file, by the name of their kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from glyphone.data.records import Alignment
from glyphone.fst.interface.codec import Side

Array = Any


class Judge(Protocol):
    """A model that scores outputs; `kind` is that of its file. Some kinds propose outputs, too."""

    @property
    def kind(self) -> str: ...

    @property
    def source(self) -> Side: ...

    @property
    def target(self) -> Side: ...

    def score_outputs(
        self, labels: Array, bounds: Array, firsts: Array, offsets: Array, outputs: Array
    ) -> Array:
        """ln P of outputs in its own labels: word i has the outputs firsts[i] to firsts[i + 1].

        Output k is outputs[offsets[k]:offsets[k + 1]]. An output without a path has -inf, and so
        has one with a label of 0, which stands for an unknown symbol.
        """

    def fingerprint(self) -> str:
        """A checksum of everything that the answers depend on."""


@runtime_checkable
class Proposer(Protocol):
    """A judge that proposes outputs."""

    def propose(
        self, labels: Array, bounds: Array, least: int, most: int, margin: float
    ) -> tuple[Array, Array, Array]:
        """Outputs of words in its own labels, in the layout of `score_outputs`: firsts, offsets,
        outputs.

        They are up to `most` outputs within a margin of the best, in nats, and `least` outputs, if
        there are so many. A word with a label of 0 has none.
        """


# Makes a judge of aligned pairs, the sides and a number of threads; None if it learns nothing.
Teacher = Callable[[Sequence[Alignment], Side, Side, int], Judge | None]
