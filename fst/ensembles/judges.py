"""What an ensemble asks of models that are no joint models, and how such models are learnt.

They are models of any kind that say how probable an output is: decision trees, conditional random
fields. This room knows neither; they come to it with an ensemble that was trained, or out of a
file, by their kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from glyphone.data.records import Alignment
from glyphone.fst.interface.codec import Side

Array = Any


class Judge(Protocol):
    """A model that judges outputs; `kind` is that of its file. Those of some kinds propose, too."""

    @property
    def kind(self) -> str: ...

    @property
    def source(self) -> Side: ...

    @property
    def target(self) -> Side: ...

    def judged(
        self, labels: Array, bounds: Array, firsts: Array, offsets: Array, outputs: Array
    ) -> Array:
        """ln P of outputs in its own labels: word i has those firsts[i] to firsts[i + 1].

        Output k is outputs[offsets[k]:offsets[k + 1]]. -inf is no path; so is a label of 0, a
        symbol that is not known.
        """

    def fingerprint(self) -> str:
        """A checksum of everything that the answers depend on."""


@runtime_checkable
class Proposer(Protocol):
    """A judge that proposes outputs."""

    def proposed(
        self, labels: Array, bounds: Array, least: int, most: int, margin: float
    ) -> tuple[Array, Array, Array]:
        """Outputs of words in its own labels, as they are judged: firsts, offsets, outputs.

        So many at most, those within a margin of the best, in nats, and so many at least, if there
        are. A word with a label of 0 has none.
        """


# Learns from pairs as they are aligned, with so many threads; None if they teach it nothing.
Teacher = Callable[[Sequence[Alignment], Side, Side, int], Judge | None]
