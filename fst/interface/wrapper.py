"""A model inside another that answers some items in its own way.

>>> from glyphone.fst.transducers.model import Model
>>> from glyphone.fst.rules.cascade import cascade
>>> Around(Model.of(cascade(letters="a", phones="b", rules="a -> b")))("aa").output
'b b'
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from glyphone.data.errors import ItemError
from glyphone.fst.interface.answers import Answers
from glyphone.fst.interface.codec import Side
from glyphone.fst.interface.model import Answering, Scored
from glyphone.fst.lattices.kernels import Lattice


@dataclass(frozen=True, eq=False)
class Around(Answering):
    """Everything is the model's; lattices and scores are so in what is built on this, too."""

    model: Answering
    name: str = field(init=False)
    source: Side = field(init=False, repr=False)
    target: Side = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for own in ("name", "source", "target"):
            object.__setattr__(self, own, getattr(self.model, own))

    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        return self.model.answer(texts, n=n, spans=spans)

    def lattice(self, text: str) -> Lattice:
        return self.model.lattice(text)

    def reader_of(self, text: str) -> tuple[Answering, str]:
        return self.model.reader_of(text)

    def score(self, source: str, target: str) -> Scored:
        return self.model.score(source, target)

    def invert(self) -> Answering:
        return replace(self, model=self.model.invert())

    def exact(self) -> Answering:
        return replace(self, model=self.model.exact())

    def failure(self, text: str, status: int) -> ItemError:
        return self.model.failure(text, status)

    def fingerprint(self) -> str:
        crc = zlib.crc32(repr(self.settings()).encode("utf-8", "surrogatepass"))
        return f"{self.model.fingerprint()}{crc:08x}"

    def settings(self) -> object:
        """What the answers depend on beside the model."""
        return ()
