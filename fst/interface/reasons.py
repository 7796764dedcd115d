"""The reasons of an answer: the units of a learned model, or the rules of a cascade that fired.

>>> str(UnitUse("ph", "f", 0.7)), str(UnitUse("", "", 0.1, end=True))
('ph : f', 'end')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from glyphone.data.records import Symbols

if TYPE_CHECKING:
    from glyphone.fst.rules.interpreter import Fired


@dataclass(frozen=True)
class UnitUse:
    """A unit of a learned model and its cost, -ln P given the units before; the last is the end.

    `because` lists the tests of a tree on the letters around.
    """

    letters: str
    phones: str
    cost: float
    end: bool = False
    because: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "end" if self.end else f"{self.letters or '∅'} : {self.phones or '∅'}"


@dataclass(frozen=True)
class Reasons:
    """The units of an answer, or a string and the rules that `fired`, on the way from it.

    The rules of an inverted model run from its answer back to the text. Without units and rules,
    there is only the alignment of an answer with its text to show.
    """

    units: tuple[UnitUse, ...] = ()
    start: Symbols = ()
    fired: tuple[Fired, ...] | None = None
    inverted: bool = False
