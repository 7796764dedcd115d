"""The side of a model that reads whatever it is given, and sorts it out by what it is.

>>> side = Anything("kanji")
>>> side.decode(side.encode("Ōno 大野").labels)
('Ō', 'n', 'o', ' ', '大', '野')
"""

from __future__ import annotations

from collections.abc import Iterable

from glyphone.data.writing import Writing
from glyphone.fst.interface.codec import Encoded, Side


class Anything(Side):
    """A side of code points, each of which is its own label."""

    def __init__(self, stage: str) -> None:
        super().__init__(Writing(), {}, stage)

    def encode(self, text: str) -> Encoded:
        return Encoded([*map(ord, text)], range(len(text)), range(1, len(text) + 1))

    def decode(self, labels: Iterable[int]) -> tuple[str, ...]:
        return tuple(map(chr, labels))
