"""The words of a name, each with its place in the user's string and its role.

>>> for word in read_words("Dr. J.R. O'Brien van Dijk, Jr."):
...     print(word.text, word.span, word.role, word.canonical)
dr (0, 2) title dr
j (4, 5) initial j
r (6, 7) initial r
o'brien (9, 16) word obrien
van (17, 20) particle van
dijk (21, 25) word dijk
jr (27, 29) title jr

`text` is the word in NFKC and small letters. NFKC, because forms of a letter (full and half width,
ligatures, ㈱) are no other letters; small letters and not yet folded ones, because `text` is shown
to people. `canonical` is the text by which words are compared: without marks (see
`glyphone.data.names.letters`), the one of all abbreviations of a word, the digits of a number, and
of a legal form the one that equivalent forms share:

>>> [word.canonical for word in read_words("ООО Intl. Third Bank")]
['llc', 'international', '3', 'bank']

Several words may be one form. Hyphens, dots, slashes, brackets and commas are between words, and
apostrophes within them, but for those of an elided article: d'Arcy is two words. Letters with dots
are initials, or, in a name with a legal form or where a list has them, one word.

>>> [(word.text, word.role) for word in read_words("A.B.C. joint-stock company")]
[('abc', 'word'), ('joint stock company', 'company form')]
>>> [word.text for word in read_words("d'Arcy, U.S.")]
["d'", 'arcy', 'us']

Names in Chinese and Japanese characters and in Hangul are kept whole, without the forms and titles
at their ends; a reader with `characters` cuts them.

>>> [(word.text, word.role) for word in read_words("株式会社トヨタ")]
[('株式会社', 'company form'), ('トヨタ', 'word')]
>>> [word.text for word in NameReader(characters=True).read("高市早苗")]
['高', '市', '早', '苗']

A comma is kept as the number of the part that a word is in, and may tell that the family name
comes first:

>>> words = read_words("Abbott, Mrs. Yvonne")
>>> is_inverted(words), [word.text for word in spoken_order(words)]
(True, ['mrs', 'yvonne', 'abbott'])
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from operator import attrgetter

from glyphone.data.names.letters import plain_letters
from glyphone.data.names.lists import Entry, NameLists, Place, Role, read_lists, unspaced
from glyphone.data.names.pieces import Piece, count_commas, cut_chunk

_CHUNK = re.compile(r"\S+")
_ROMAN = {
    "i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8",
    "ix": "9", "x": "10", "xi": "11", "xii": "12", "xiii": "13", "xiv": "14", "xv": "15",
    "xvi": "16", "xvii": "17", "xviii": "18", "xix": "19", "xx": "20", "xxi": "21", "xxii": "22",
    "xxiii": "23", "xxiv": "24", "xxv": "25", "xxx": "30",
}  # fmt: skip
# Xi and Vi are names of people, too.
_RARELY_ROMAN = frozenset(("vi", "xi"))
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th|er|ere|eme|a|o)")
_MOST_PIECES = 8  # of a form
_MOST_KEPT = 200_000  # chunks in a cache
_MOST_FAMILY_NAMES = 3
_SPOKEN = {1: 0, 0: 1}  # the order of the parts of an inverted name
_AROUND: tuple[Role, ...] = ("title", "company form")
_ANY: tuple[Place, ...] = ("any",)
_BEGIN: tuple[Place, ...] = ("any", "begin")
_END: tuple[Place, ...] = ("any", "end")
_CAPITALS: tuple[Place, ...] = (*_END, "caps")
_INSIDE: tuple[Place, ...] = ("inside",)
_SMALL: tuple[Place, ...] = ("inside", "small")
_SEGMENT = attrgetter("segment")
_NONE: tuple[Entry, ...] = ()
_ANYWHERE: tuple[Role, ...] = ("title", "company form", "particle", "word")


@dataclass(frozen=True, slots=True)
class NameWord:
    """A word, its span in the user's string, its role, and the text by which it is compared.

    `part` counts the commas before it.
    """

    text: str
    span: tuple[int, int]
    role: Role
    canonical: str
    part: int = 0


@dataclass(slots=True)
class _Unit:
    """Pieces of a name that a list may know together: their span, and what they may be.

    A segment is what stands between commas or before a bracket.
    """

    pieces: Sequence[Piece]
    offsets: Sequence[int]
    part: int
    segment: int
    entries: tuple[Entry, ...]
    entry: Entry | None = None

    @property
    def span(self) -> tuple[int, int]:
        first, last = self.pieces[0], self.pieces[-1]
        return self.offsets[0] + first.start, self.offsets[-1] + last.end

    def units(self) -> list[_Unit]:
        """Itself, or if no list has its pieces where they stand, a unit of each."""
        if self.entry or len(self.pieces) == 1:
            return [self]
        return [
            _Unit([piece], [offset], self.part, self.segment, _NONE)
            for piece, offset in zip(self.pieces, self.offsets, strict=True)
        ]

    def assign(self, roles: Sequence[Role], places: Sequence[Place]) -> bool:
        """Whether a list gives it one of the roles at one of the places; then it has it."""
        for entry in self.entries:
            if entry.role in roles and entry.place in places:
                self.entry = entry
                return True
        return False


class NameReader:
    """Cuts names into words, by our lists or those of the user; it keeps runs that it has seen."""

    def __init__(self, lists: NameLists | None = None, *, characters: bool = False) -> None:
        self.lists = lists or read_lists()
        self.characters = characters
        self._chunks: dict[str, tuple[tuple[Piece, ...], int, bool]] = {}

    def read(self, name: str) -> tuple[NameWord, ...]:
        """The words in the order in which they stand; ItemError where the name is no text."""
        chunks = self._chunks
        words: list[NameWord] = []
        part = 0
        for match in _CHUNK.finditer(name):
            run = match[0]
            pieces, commas, ordinary = chunks.get(run) or self._keep(run)
            if not ordinary:
                return self._words_with_roles(name)
            at = match.start()
            for piece in pieces:
                span = (at + piece.start, at + piece.end)
                words.append(NameWord(piece.text, span, "word", piece.plain, part + piece.commas))
            part += commas
        return tuple(words)

    def _keep(self, run: str) -> tuple[tuple[Piece, ...], int, bool]:
        if len(self._chunks) >= _MOST_KEPT:
            self._chunks.clear()
        pieces = [part for piece in cut_chunk(run) for part in self._attached_apart(piece)]
        if self.characters:
            pieces = [character for piece in pieces for character in _characters_of(piece)]
        known = tuple(replace(piece, ordinary=self._is_ordinary(piece)) for piece in pieces)
        kept = known, count_commas(run), all(piece.ordinary for piece in known)
        self._chunks[run] = kept
        return kept

    def _attached_apart(self, piece: Piece) -> list[Piece]:
        """A piece, and apart the forms and titles at its ends in scripts without spaces."""
        before: list[Piece] = []
        behind: list[Piece] = []
        while known := self._attached(piece):
            length, cut = len(piece.plain), len(known)
            if piece.plain.startswith(known) and self._may_stand(known, "begin"):
                before.append(piece.between(0, cut))
                piece = piece.between(cut, length)
            else:
                behind.append(piece.between(length - cut, length))
                piece = piece.between(0, length - cut)
        return [*before, piece, *reversed(behind)]

    def _attached(self, piece: Piece) -> str:
        """The longest form or title at an end of a piece, behind which something is left."""
        text = piece.plain
        if len(text) != len(piece.text) or len(text) != piece.end - piece.start:
            return ""  # the letters are not one for one those of the user
        if not unspaced(text[0]) and not unspaced(text[-1]):
            return ""
        for known in self.lists.attached:
            if len(text) - len(known) > 1 and (
                (text.startswith(known) and self._may_stand(known, "begin"))
                or (text.endswith(known) and self._may_stand(known, "end"))
            ):
                return known
        return ""

    def _may_stand(self, known: str, place: Place) -> bool:
        return any(entry.place in ("any", place) for entry in self.lists.entries[known])

    def _is_ordinary(self, piece: Piece) -> bool:
        """Whether a piece is a word wherever it stands."""
        plain, lists = piece.plain, self.lists
        return not (
            piece.letters
            or piece.elided
            or (len(plain) == 1 and not unspaced(plain))
            or (len(plain) == 2 and piece.shape == "upper")
            or plain in lists.openings
            or plain in lists.numbers
            or plain in _ROMAN
            or any(map(str.isnumeric, plain))
        )

    def _words_with_roles(self, name: str) -> tuple[NameWord, ...]:
        units = self._units(name)
        _assign_roles(units)
        if any(len(unit.pieces) > 1 and not unit.entry for unit in units):
            units = [single for unit in units for single in unit.units()]
        company = any(unit.entry and unit.entry.role == "company form" for unit in units)
        mixed = name != name.upper()
        words: list[NameWord] = []
        for place in range(len(units)):
            words += self._words_of_unit(units, place, company=company, mixed=mixed)
        if all(word.role in ("title", "company form", "particle") for word in words):
            return tuple(replace(word, role="word") for word in words)
        return tuple(words)

    def _units(self, name: str) -> list[_Unit]:
        """Pieces, as many together as a list knows."""
        pieces: list[Piece] = []
        offsets: list[int] = []
        parts: list[int] = []
        part = 0
        for match in _CHUNK.finditer(name):
            cut, commas, _ = self._chunks.get(match[0]) or self._keep(match[0])
            for piece in cut:
                pieces.append(piece)
                offsets.append(match.start())
                parts.append(part + piece.commas)
            part += commas
        units: list[_Unit] = []
        segment = first = 0
        while first < len(pieces):
            piece, part = pieces[first], parts[first]
            last, entries = first + 1, _NONE
            if not piece.ordinary:
                last, entries = self._longest(pieces, parts, first)
            if units and (piece.opening or part != units[-1].part):
                segment += 1
            units.append(_Unit(pieces[first:last], offsets[first:last], part, segment, entries))
            first = last
        return units

    def _longest(
        self, pieces: Sequence[Piece], parts: Sequence[int], first: int
    ) -> tuple[int, tuple[Entry, ...]]:
        """The end of the longest run of pieces that a list knows together, and as what."""
        lists = self.lists
        end, found = first + 1, lists.entries.get(pieces[first].plain, _NONE)
        key, letters = "", True
        for place in range(first, min(first + _MOST_PIECES, len(pieces))):
            piece = pieces[place]
            key += piece.plain
            letters = letters and (len(piece.plain) == 1 or bool(piece.letters))
            if key not in lists.openings or parts[place] != parts[first]:
                break
            if place > first and (letters or key in lists.several):
                if key in lists.entries:
                    end, found = place + 1, lists.entries[key]
                elif key in lists.words:
                    end, found = place + 1, (Entry("word", lists.words[key], "any"),)
        return end, found

    def _words_of_unit(
        self, units: Sequence[_Unit], place: int, *, company: bool, mixed: bool
    ) -> Iterator[NameWord]:
        unit = units[place]
        first, span, part = unit.pieces[0], unit.span, unit.part
        if unit.entry:
            text = " ".join(piece.text for piece in unit.pieces)
            yield NameWord(text, span, unit.entry.role, unit.entry.canonical, part)
            return
        if first.ordinary:
            yield NameWord(first.text, span, "word", first.plain, part)
            return
        begins = tuple(unit.offsets[0] + letter for letter in first.letters)
        if place == 0 and len(units) > 1 and mixed and not company and _are_initials(first):
            begins = tuple(range(*span))
        if begins and not company and first.plain not in self.lists.known:
            for letter, begin in zip(first.text, begins, strict=False):
                yield NameWord(letter, (begin, begin + 1), "initial", plain_letters(letter), part)
            return
        role, canonical = self._role_of(units, place, company=company)
        yield NameWord(first.text, span, role, canonical, part)

    def _role_of(self, units: Sequence[_Unit], place: int, *, company: bool) -> tuple[Role, str]:
        """The role and the canonical text of a piece that no list has given one."""
        piece = units[place].pieces[0]
        if piece.elided:
            return "particle", piece.plain
        if len(units) > 1:
            value = self.lists.numbers.get(piece.plain) or _digits_of(piece.plain)
            if not value and _is_roman(units, place, company=company):
                value = _ROMAN[piece.plain]
            if value:
                return "number", value
            if len(piece.plain) == 1 and piece.text.lower() != piece.text.upper():
                return "initial", piece.plain
        return "word", self.lists.words.get(piece.plain, piece.plain)


def _assign_roles(units: Sequence[_Unit]) -> None:
    """Give each unit the role that a list has for the place where it stands."""
    for _, group in groupby(units, key=_SEGMENT):
        segment = list(group)
        for unit in segment:
            if not unit.entries or not unit.assign(_AROUND, _BEGIN):
                break
        for unit in reversed(segment):
            if not unit.entry and (not unit.entries or not _assign_end(unit)):
                break
    for place, unit in enumerate(units):
        if unit.entries and not unit.entry and not unit.assign(_ANYWHERE, _ANY):
            inside = 0 < place < len(units) - 1 or unit.pieces[-1].joined
            small = unit.pieces[0].shape == "lower"
            if inside and not _is_initial(unit):
                unit.assign(_ANYWHERE, _SMALL if small else _INSIDE)


def _is_initial(unit: _Unit) -> bool:
    """Whether a unit is a capital with a dot, and so no particle: A. is not à, nor B. ibn."""
    first = unit.pieces[0]
    return len(first.plain) == 1 and first.dotted and first.shape == "upper"


def _assign_end(unit: _Unit) -> bool:
    return unit.assign(_AROUND, _CAPITALS if _in_capitals(unit) else _END)


def _in_capitals(unit: _Unit) -> bool:
    """Whether a form of few letters is written as one: SA, S.A. and sa, but not Sá."""
    first = unit.pieces[0]
    return bool(first.letters or first.shape or len(unit.pieces) > 1)


def _are_initials(piece: Piece) -> bool:
    """Whether a piece may be two initials without dots: JC."""
    vowels = "aeiouy"
    return (
        piece.shape == "upper"
        and piece.plain.isascii()
        and piece.plain.isalpha()
        and len(piece.text) == 2 == piece.end - piece.start
        and not any(letter in vowels for letter in piece.plain)
    )


def _digits_of(plain: str) -> str:
    """A word with digits, those of any script as 0 to 9, ordinals as the number; "" without.

    >>> _digits_of("21st"), _digits_of("٣"), _digits_of("ahl1"), _digits_of("first")
    ('21', '3', 'ahl1', '')
    """
    if not any(map(str.isdigit, plain)):
        return ""
    text = "".join(str(unicodedata.digit(x)) if x.isdigit() else x for x in plain)
    ordinal = _ORDINAL.fullmatch(text)
    return ordinal[1] if ordinal else text


def _is_roman(units: Sequence[_Unit], place: int, *, company: bool) -> bool:
    """Whether a piece in capitals behind a word is a Roman number, and not an initial or a name."""
    piece = units[place].pieces[0]
    if not place or piece.plain not in _ROMAN or piece.shape != "upper" or piece.dotted:
        return False
    if units[place - 1].part != units[place].part:
        return False
    if piece.plain in _RARELY_ROMAN:
        return company
    following = units[place + 1] if place + 1 < len(units) else None
    last = not following or bool(following.entry) or following.part != units[place].part
    return len(piece.plain) > 1 or last


def _characters_of(piece: Piece) -> Iterator[Piece]:
    """The characters of a piece of Chinese, Japanese or Korean one by one; any other as it is."""
    if len(piece.text) == piece.end - piece.start and all(map(unspaced, piece.text)):
        for place in range(len(piece.text)):
            yield piece.between(place, place + 1)
    else:
        yield piece


@cache
def _default_reader() -> NameReader:
    return NameReader()


def read_words(name: str) -> tuple[NameWord, ...]:
    """The words of a name by our lists, in the order in which they stand."""
    return _default_reader().read(name)


def is_inverted(words: Sequence[NameWord]) -> bool:
    """Whether a comma tells that the family name comes first.

    >>> [is_inverted(read_words(name)) for name in ("Smith, John", "Smith, Jr.", "Apple, Inc.")]
    [True, False, False]
    """
    if any(word.role in ("company form", "number") or word.text == "&" for word in words):
        return False
    parts = {word.part for word in words if word.role in ("word", "initial")}
    heads = sum(word.part == 0 for word in words)
    return parts == {0, 1} and heads <= _MOST_FAMILY_NAMES


def spoken_order(words: Sequence[NameWord]) -> tuple[NameWord, ...]:
    """The words with the given names first, if a comma tells that they come last."""
    if not is_inverted(words):
        return tuple(words)
    return tuple(sorted(words, key=lambda word: _SPOKEN.get(word.part, 2)))
