"""Units of joint models as tokens of text, as Phonetisaurus and its kin write them: `p|h}f`.

Both sides are joined by `pair`, the symbols of a side by `tie`, and a side without symbols is
`empty`. No symbol is reserved: where one looks like a separator, other separators can be chosen.
`space` stands for blanks in symbols, which tokens of an ARPA file cannot have.

>>> notation = Notation()
>>> notation.write((("p", "h"), ("f",))), notation.write((("h",), ()))
('p|h}f', 'h}_')
>>> notation.read("x}k|s")
(('x',), ('k', 's'))
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Symbols

Unit = tuple[Symbols, Symbols]


@dataclass(frozen=True, kw_only=True)
class Notation:
    """The separators; by default those of Phonetisaurus."""

    pair: str = "}"
    tie: str = "|"
    empty: str = "_"
    space: str = ""

    def __post_init__(self) -> None:
        named = {"pair": self.pair, "tie": self.tie, "empty": self.empty, "space": self.space}
        for name, value in named.items():
            if any(map(str.isspace, value)) or not (value or name == "space"):
                raise GlyphoneError(f"the {name} separator is {value!r}, expected no white space")
        given = [value for value in named.values() if value]
        for one, other in permutations(given, 2):
            if one in other:
                raise GlyphoneError(f"the separator {one!r} is in the separator {other!r}")

    def write(self, unit: Unit) -> str:
        """A unit as one token."""
        return self.pair.join(map(self.write_chunk, unit))

    def write_chunk(self, chunk: Symbols) -> str:
        """One side of a unit."""
        for symbol in chunk:
            wrong = next((s for s in (self.pair, self.tie, self.space) if s and s in symbol), None)
            if wrong is not None or symbol == self.empty:
                raise GlyphoneError(
                    f"cannot be told from the separator {wrong or self.empty!r}",
                    symbol=symbol,
                    remedy="choose separators that no symbol contains",
                )
            if " " in symbol and not self.space:
                raise GlyphoneError(
                    "has a blank, which parts tokens",
                    symbol=symbol,
                    remedy="name something else to stand for blanks: space='▁'",
                )
        written = self.tie.join(chunk) or self.empty
        return written.replace(" ", self.space) if self.space else written

    def read(self, token: str) -> Unit:
        """The unit of a token."""
        sides = token.split(self.pair)
        if len(sides) != 2:
            raise GlyphoneError(
                f"is not two sides with {self.pair!r} between them",
                item=token,
                remedy="name the separators that the file was written with",
            )
        return self.read_chunk(sides[0]), self.read_chunk(sides[1])

    def read_chunk(self, text: str) -> Symbols:
        """The symbols of one side; empty ones are left out."""
        symbols = (symbol for symbol in text.split(self.tie) if symbol not in ("", self.empty))
        return tuple(s.replace(self.space, " ") if self.space else s for s in symbols)
