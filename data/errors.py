"""The one family of errors: a message with its place, its symbol and its remedy.

>>> print(ItemError("is not in the alphabet", symbol="ß", offset=3, stage="CASTILIAN"))
CASTILIAN: at 3: 'ß' U+00DF is not in the alphabet
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def show_symbol(symbol: str) -> str:
    """The symbol in quotes, escaped where a terminal would garble it, with its code points.

    >>> show_symbol("ñ"), show_symbol("\\x00")
    ("'ñ' U+00F1", "'\\\\x00' U+0000")
    """
    return f"{symbol!r} " + " ".join(f"U+{ord(character):04X}" for character in symbol)


class GlyphoneError(Exception):
    """The base of all errors of glyphone; every known field is in the message."""

    def __init__(
        self,
        message: str,
        *,
        item: str | None = None,
        stage: str | None = None,
        symbol: str | None = None,
        offset: int | None = None,
        path: object = None,
        line: int | None = None,
        remedy: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.item = item
        self.stage = stage
        self.symbol = symbol
        self.offset = offset
        self.path = None if path is None else str(path)
        self.line = line
        self.remedy = remedy

    def __str__(self) -> str:
        place = [] if self.path is None else [self.path]
        if self.line is not None:
            place.append(f"line {self.line}")
        if self.item is not None:
            item = self.item if len(self.item) <= 60 else self.item[:60] + "…"
            place.append(f"item {item!r}")
        if self.stage is not None:
            place.append(self.stage)
        if self.offset is not None:
            place.append(f"at {self.offset}")
        symbol = "" if self.symbol is None else show_symbol(self.symbol) + " "
        remedy = "" if self.remedy is None else f" ({self.remedy})"
        return ": ".join([*place, symbol + self.message]) + remedy


class ItemError(GlyphoneError):
    """One item cannot be processed; the others go on."""


class NoOutput(ItemError):
    """A transducer accepts the symbols of an item but has no path for it."""


class CycleError(ItemError):
    """An epsilon cycle gives an item infinitely many outputs."""


class FormatError(GlyphoneError):
    """A file, or a place in it, is not in the expected format."""


class RuleError(GlyphoneError):
    """A grammar cannot be read or compiled; `text` is the rule, where it is one."""

    text: str = ""


class NotInstalled(GlyphoneError):
    """An optional package is needed and absent; the remedy is the way to install it."""


class UnknownName(GlyphoneError):
    """A name that is not known, with the nearest known ones.

    >>> print(UnknownName("rule", "CASTILLIAN", ["CASTILIAN", "LATIN_AMERICAN"]))
    no rule named 'CASTILLIAN' (did you mean CASTILIAN?)
    """

    def __init__(self, kind: str, name: str, known: Iterable[str], *, path: object = None) -> None:
        names = sorted(known)
        folded = {known_name.casefold(): known_name for known_name in names}
        near = difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.6)
        if near:
            remedy = f"did you mean {' or '.join(folded[match] for match in near)}?"
        elif names:
            shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
            remedy = f"there are: {shown}"
        else:
            remedy = "there are none"
        super().__init__(f"no {kind} named {name!r}", path=path, remedy=remedy)
        self.name = name
