"""The writing of a side of a model: unit, normal form and case, and offsets of symbols.

With N the normal form and C the case policy, text becomes N(C(N(text))), is cut into units, and
every symbol keeps the code point offsets it had in the user's own string:

>>> spanish = Writing(case="lower")
>>> spanish.split("AN\\u0303O")
Split(symbols=('a', 'ñ', 'o'), starts=(0, 1, 3), ends=(1, 3, 4))
>>> spanish.join(spanish.split("AN\\u0303O").symbols)
'año'
>>> suggest_symbol("Ñ", {"a", "ñ", "o"})
"lower case 'ñ' U+00F1 is in the alphabet"

Case is mapped code point by code point, without context: capital sigma becomes σ everywhere, and
the final ς does not appear by itself. Grapheme clusters are those of Unicode Annex 29; tokens are
separated by white space as `str.split` understands it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from glyphone.data.errors import ItemError, UnknownName

Unit = Literal["codepoint", "grapheme", "token"]
NormalForm = Literal["NFC", "NFD", "NFKC", "NFKD", "none"]
Case = Literal["keep", "lower", "upper"]

_OPTIONS = {"unit": Unit, "normal_form": NormalForm, "case": Case}
_REFUSED = re.compile("[\0\ud800-\udfff]")
_TOKEN = re.compile(r"\S+")


@dataclass(frozen=True)
class Split:
    """Symbols, and the code point offsets of each in the string that the user gave."""

    symbols: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]


@dataclass(frozen=True)
class Writing:
    """The unit, normal form and case policy that a model declares for one of its sides."""

    unit: Unit = "codepoint"
    normal_form: NormalForm = "NFC"
    case: Case = "keep"

    def __post_init__(self) -> None:
        for option, values in _OPTIONS.items():
            value = getattr(self, option)
            if value not in get_args(values):
                raise UnknownName(option.replace("_", " "), str(value), get_args(values))

    def convert(self, text: str) -> str:
        """The text in the declared case and normal form, or ItemError if it is no text.

        Lines may be converted many at once, joined by newlines, for nothing acts across one.
        """
        refused = _REFUSED.search(text)
        if refused:
            raise _refusal(text, refused.start())
        return self._convert(text)

    def split(self, text: str) -> Split:
        converted = self.convert(text)
        if self._one_to_one(text, converted):
            starts: Sequence[int] = range(len(text))
            ends: Sequence[int] = range(1, len(text) + 1)
        else:
            starts, ends = self._trace(text, converted)
        if self.unit == "codepoint":
            return Split(tuple(converted), tuple(starts), tuple(ends))
        cuts = list(_tokens(converted) if self.unit == "token" else _clusters(converted))
        return Split(
            tuple(converted[first:last] for first, last in cuts),
            tuple(starts[first] for first, _ in cuts),
            tuple(ends[last - 1] for _, last in cuts),
        )

    def join(self, symbols: Sequence[str]) -> str:
        return (" " if self.unit == "token" else "").join(symbols)

    def as_dict(self) -> dict[str, str]:
        return asdict(self)

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> Writing:
        for option in options:
            if option not in _OPTIONS:
                raise UnknownName("writing option", str(option), _OPTIONS)
        return cls(**options)

    def _normalise(self, text: str) -> str:
        form = self.normal_form
        return text if form == "none" else unicodedata.normalize(form, text)

    def _map_case(self, text: str) -> str:
        if self.case == "lower":
            # Capital sigma is the one letter whose lower case str.lower chooses by context.
            return text.replace("Σ", "σ").lower()
        return text.upper() if self.case == "upper" else text

    def _convert(self, text: str) -> str:
        normal = self._normalise(text)
        cased = self._map_case(normal)
        return normal if cased == normal else self._normalise(cased)

    def _one_to_one(self, text: str, converted: str) -> bool:
        cased = self._map_case(text)
        # No code point maps to nothing, so equal lengths mean that each maps to exactly one.
        return len(cased) == len(text) and cased == converted and self._normalise(text) == text

    def _trace(self, text: str, converted: str) -> tuple[list[int], list[int]]:
        """For each code point of `converted`, the part of `text` that it comes from."""
        starts: list[int] = []
        ends: list[int] = []
        for first, last in self._pieces(text, converted):
            piece = text[first:last]
            result = self._convert(piece)
            if self._one_to_one(piece, result):
                starts.extend(range(first, last))
                ends.extend(range(first + 1, last + 1))
            else:
                starts.extend([first] * len(result))
                ends.extend([last] * len(result))
        return starts, ends

    def _pieces(self, text: str, converted: str) -> list[tuple[int, int]]:
        """The smallest runs of grapheme clusters that convert independently of each other."""
        clusters = list(_clusters(text))
        if "".join(self._convert(text[first:last]) for first, last in clusters) == converted:
            return clusters
        # Compatibility jamo are clusters of their own, but NFKC composes them: ㄱ + ㅏ = 가.
        pieces = clusters[:1]
        for first, last in clusters[1:]:
            begin = pieces[-1][0]
            apart = self._convert(text[begin:first]) + self._convert(text[first:last])
            if self._convert(text[begin:last]) == apart:
                pieces.append((first, last))
            else:
                pieces[-1] = (begin, last)
        return pieces


def _tokens(text: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in _TOKEN.finditer(text))


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    # Here, because most text never needs it and importing it takes a while.
    import regex  # type: ignore[import-untyped, unused-ignore]

    return (match.span() for match in regex.finditer(r"\X", text))


def _refusal(text: str, offset: int) -> ItemError:
    symbol = text[offset]
    if symbol == "\0":
        message, remedy = "is not text", "remove it; a UTF-16 or binary file is full of these"
    else:
        message, remedy = "is a lone surrogate", "the input is not valid UTF-8 here; re-encode"
        if "\udc80" <= symbol <= "\udcff":
            message += f", which stands for the stray byte 0x{ord(symbol) - 0xDC00:02X}"
    return ItemError(message, item=text, symbol=symbol, offset=offset, remedy=remedy)


def describe_symbol(symbol: str) -> str:
    """The symbol for a message, fit for any terminal: quoted, with code points and name.

    >>> print(*map(describe_symbol, ("ñ", "\\u0303", "\\u202e")), sep="\\n")
    'ñ' U+00F1 LATIN SMALL LETTER N WITH TILDE
    '◌̃' U+0303 COMBINING TILDE
    '\\u202e' U+202E RIGHT-TO-LEFT OVERRIDE
    """
    name = unicodedata.name(symbol, "") if len(symbol) == 1 else ""
    return f"{_quote(symbol)} {name}".rstrip()


def _quote(symbol: str) -> str:
    shown = "".join(
        character if character.isprintable() else repr(character)[1:-1] for character in symbol
    )
    circle = "\N{DOTTED CIRCLE}" if unicodedata.category(symbol[:1] or " ")[0] == "M" else ""
    points = "".join(f" U+{ord(character):04X}" for character in symbol) or " (empty)"
    return f"'{circle}{shown}'{points}"


# Escapes, because letters of the two rows look the same. The last pair are characters typed for
# phonetic letters: g : ' ? ! | and the Greek and German neighbours of IPA letters.
_LOOK_ALIKES = [
    table
    for one, other in (
        (
            "ABCEHIJKMOPSTXYacehijkopqswxy",
            "\u0410\u0412\u0421\u0415\u041d\u0406\u0408\u041a\u041c\u041e\u0420\u0405\u0422\u0425"
            "\u04ae\u0430\u0441\u0435\u04bb\u0456\u0458\u043a\u043e\u0440\u051b\u0455\u051d"
            "\u0445\u0443",
        ),
        (
            "ABEHIKMNOPTXYZaijkopuvwxy",
            "\u0391\u0392\u0395\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a7\u03a5\u0396"
            "\u03b1\u03b9\u03f3\u03ba\u03bf\u03c1\u03c5\u03bd\u03c9\u03c7\u03b3",
        ),
        (
            "g:'?!|\u01dd\u04d9\u03b1\u03b3\u03b5\u03c6\u00df\u222b",
            "\u0261\u02d0\u02c8\u0294\u01c3\u01c0\u0259\u0259\u0251\u0263\u025b\u0278\u03b2\u0283",
        ),
    )
    for table in (str.maketrans(one, other), str.maketrans(other, one))
]


def suggest_symbol(symbol: str, alphabet: Container[str]) -> str | None:
    """A hint at the symbol of the alphabet that was probably meant by another one, or None."""
    for how, candidate in _neighbours(symbol):
        if candidate in alphabet:
            # In quotes a look-alike looks like the symbol that was typed; its name differs.
            shown = describe_symbol(candidate) if "look-alike" in how else _quote(candidate)
            return f"{how} {shown} is in the alphabet"
    for how, candidate in _neighbours(symbol):
        if candidate and all(part in alphabet for part in candidate):
            return f"{how} {_quote(candidate)} can be written with the alphabet"
    return None


def _neighbours(symbol: str) -> Iterator[tuple[str, str]]:
    """Strings that may have been meant by a symbol, nearest first, each with the difference."""
    bare = "".join(c for c in unicodedata.normalize("NFD", symbol) if not unicodedata.combining(c))
    once = [symbol.translate(table) for table in _LOOK_ALIKES]
    twice = [translated.translate(table) for translated in once for table in _LOOK_ALIKES]
    changed = [("", symbol), ("compatibility form", unicodedata.normalize("NFKC", symbol))]
    changed += [("look-alike", alike) for alike in dict.fromkeys(once + twice) if alike != symbol]
    changed.append(("without diacritics", bare))
    for how, text in changed:
        for case, cased in ("", text), ("lower case", text.lower()), ("upper case", text.upper()):
            composed = unicodedata.normalize("NFC", cased)
            decomposed = unicodedata.normalize("NFD", cased)
            for form, candidate in ("composed form", composed), ("decomposed form", decomposed):
                if candidate != symbol:
                    yield f"{case} {how}".strip() or form, candidate


LETTERS = Writing()
PHONES = Writing(unit="token")
