r"""Files of patterns, in the format of CRF++ and Wapiti: the parts of the context of a token.

A line is a pattern. Its first letter is the mark of its tests: `U` or `u` for labels, `B` or `b`
for pairs of labels, `*` for both. In it,

    %x[-1,0]            is the value in column 0 one token before, %X that in small letters
    %t[0,0,"^\u"]       is whether a regular expression is found in it, true or false
    %m[0,0,"...$"]      is the text that matches, empty without one, %M that in small letters
    %x[@1,0], %x[@-1,0] is the first token, the last

Column 0 is the tokens, others are the columns of the sequence by number or by name. Beyond the ends
stand _x-1 to _x-4 and _x-#, _x+1 to _x+4 and _x+#, as in Wapiti. In regular expressions \a is a
letter, \u a capital, \l a small letter, \p punctuation, and \A, \U, \L, \P are anything else.
Empty lines and comments, after a # at the beginning of a line or behind a space, are ignored.

>>> patterns = parse_patterns("U1:%x[0,0]\n*2:%x[-1,0]%x[0,0]\nB")
>>> columns = SequenceColumns([Sequence(("a", "b"))])
>>> [pattern.tests(columns)[1] for pattern in patterns]
[['u1:a', 'u1:b'], ['*2:ab', '*2:_x-1a'], ['b']]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from collections.abc import Sequence as Many
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Any

import numpy as np
import regex

from glyphone.data.errors import FormatError
from glyphone.data.lines import Source, read_lines
from glyphone.data.records import Sequence
from glyphone.learners.sequences.contexts import column_values

MARKS = "UuBb*"
REMEDY = 'write %x[ROW,COLUMN], or %t[ROW,COLUMN,"EXPRESSION"] and %m with one'
_PART = regex.compile(
    r'%(?P<kind>[xXtTmM])\[\s*(?P<at>@?)(?P<row>-?\d+)\s*,\s*(?P<column>\w+)\s*'
    r'(?:,\s*"(?P<expression>(?:[^"\\]|\\.)*)")?\s*\]'
)  # fmt: skip
_COMMENT = regex.compile(r"(^|\s)#.*")
_CLASSES = {"a": "{L}", "u": "{Lu}", "l": "{Ll}", "p": "{P}"}

Array = Any
# Numbers of values, and the values that have them.
Coded = tuple[Array, list[str]]
# Places beyond an end that have different names.
FARTHEST = 5


class SequenceColumns:
    """Sequences one behind the other, the values of each column as numbers."""

    def __init__(self, sequences: Many[Sequence]) -> None:
        self.sequences = sequences
        lengths = np.array([len(sequence.tokens) for sequence in sequences], np.int64)
        self.bounds = np.concatenate(([0], np.cumsum(lengths)))
        self.firsts = np.repeat(self.bounds[:-1], lengths)
        self.lasts = np.repeat(self.bounds[1:], lengths)
        self.known: dict[str, Coded] = {}

    def column(self, name: str) -> Coded:
        """A column by its number or name."""
        if name not in self.known:
            numbers: dict[str, int] = defaultdict(count().__next__)
            codes = [numbers[value] for one in self.sequences for value in column_of(one, name)]
            self.known[name] = np.array(codes, np.int64), [*numbers]
        return self.known[name]


def column_of(sequence: Sequence, name: str) -> Many[str]:
    """A column of one sequence."""
    if not name.isdecimal():
        return sequence.tokens if name == "token" else column_values(sequence, name)
    names, number = ["", *sequence.columns], int(name)
    if not number:
        return sequence.tokens
    return column_values(sequence, names[number] if number < len(names) else name)


@dataclass(frozen=True)
class PatternPart:
    """A place: a row from the token or from an end, a column, and the part of the value."""

    row: int
    absolute: bool
    column: str
    kind: str = "x"
    expression: str = ""

    def __str__(self) -> str:
        at = "@" * self.absolute
        more = f',"{self.expression}"' if self.expression else ""
        return f"%{self.kind}[{at}{self.row},{self.column}{more}]"

    def values(self, columns: SequenceColumns) -> Coded:
        """The value of the part at each token."""
        codes, values = columns.column(self.column)
        firsts, lasts = columns.firsts, columns.lasts
        if self.absolute:
            places = lasts + self.row if self.row < 0 else firsts + self.row - 1
        else:
            places = np.arange(len(codes)) + self.row
        before, behind = firsts - places, places - lasts + 1
        n = len(values)
        found = codes[np.clip(places, 0, max(len(codes) - 1, 0))]
        found = np.where(before > 0, n + np.minimum(before, FARTHEST) - 1, found)
        found = np.where(behind > 0, n + FARTHEST + np.minimum(behind, FARTHEST) - 1, found)
        named = [*map(str, range(1, FARTHEST)), "#"]
        edges = [f"_x{sign}{name}" for sign in "-+" for name in named]
        if self.kind == "x":
            return found, values + edges
        numbers: dict[str, int] = defaultdict(count().__next__)
        again = np.array([numbers[self.value_of(value)] for value in values + edges])
        return again[found], [*numbers]

    def value_of(self, value: str) -> str:
        """The text of the part in a value: all of it, a match, or whether there is one."""
        text = value
        if self.expression:
            found = _compile_expression(self.expression).search(value)
            text = found[0] if found else ""
            if self.kind in "tT":
                text = "true" if found else "false"
        return text.lower() if self.kind.isupper() else text


@dataclass(frozen=True)
class Pattern:
    """Pieces of text, one more than parts: they stand around the values of the parts."""

    pieces: tuple[str, ...]
    parts: tuple[PatternPart, ...]

    def __str__(self) -> str:
        """The line that it was parsed from, without spaces in parts.

        >>> str(*parse_patterns('U:%t[@-1, 0,"s$"]/%X[0,1]'))
        'u:%t[@-1,0,"s$"]/%X[0,1]'
        """
        pairs = zip(self.parts, self.pieces[1:], strict=True)
        return self.pieces[0] + "".join(f"{part}{piece}" for part, piece in pairs)

    @property
    def part_set(self) -> frozenset[PatternPart]:
        """The parts, without their order."""
        return frozenset(self.parts)

    def tests(self, columns: SequenceColumns) -> Coded:
        """The test that is true at each token."""
        keys = np.zeros(len(columns.firsts), np.int64)
        found = [part.values(columns) for part in self.parts]
        for codes, values in found:
            keys = np.unique(keys * len(values) + codes, return_inverse=True)[1]
        _, places, numbers = np.unique(keys, return_index=True, return_inverse=True)
        texts = [self.pieces[0]] * len(places)
        for (codes, values), piece in zip(found, self.pieces[1:], strict=True):
            chosen = codes[places].tolist()
            texts = [f"{t}{values[k]}{piece}" for t, k in zip(texts, chosen, strict=True)]
        return numbers, texts


def parse_patterns(text: str, *, path: Source | None = None) -> list[Pattern]:
    """The patterns of a text.

    >>> parse_patterns("U1:%x[0,0]\\nQ:%x[1,0]")
    Traceback (most recent call last):
    glyphone.data.errors.FormatError: line 2: item 'Q:%x[1,0]': a pattern begins with ...
    """
    return [*_parse_lines(enumerate(text.splitlines(), 1), path)]


def read_patterns(path: Source) -> str:
    """The text of a file of patterns, which is checked."""
    lines = [*read_lines(path)]
    found = [*_parse_lines(iter(lines), path)]
    if not found:
        raise FormatError("there is no pattern in it", path=path, remedy="write one, U:%x[0,0]")
    return "\n".join(text for _, text in lines)


def _parse_lines(lines: Iterator[tuple[int, str]], path: Source | None) -> Iterator[Pattern]:
    for number, text in lines:
        line = _COMMENT.sub("", text).strip()
        if not line:
            continue
        message = remedy = ""
        if line[0] not in MARKS:
            message = "a pattern begins with U, B or *"
            remedy = "U for labels, B for pairs of labels, * for both"
        elif "%" in _PART.sub("", line):
            message, remedy = "the text after % is no part of a pattern", REMEDY
        if message:
            raise FormatError(message, path=path, line=number, item=line, remedy=remedy)
        line = line[0].lower() + line[1:]
        pieces, parts, end = [], [], 0
        for match in _PART.finditer(line):
            pieces.append(line[end : match.start()])
            parts.append(_parse_part(match, line, number, path))
            end = match.end()
        yield Pattern((*pieces, line[end:]), tuple(parts))


def _parse_part(
    match: regex.Match[str], line: str, number: int, path: Source | None
) -> PatternPart:
    kind, expression = match["kind"], match["expression"]
    if (expression is None) != (kind in "xX") or (match["at"] and not int(match["row"])):
        message = f"{match[0]} is no part of a pattern"
        raise FormatError(message, path=path, line=number, item=line, remedy=REMEDY)
    if expression is not None:
        try:
            _compile_expression(expression)
        except regex.error as error:
            message = f"{expression!r} is no regular expression: {error}"
            raise FormatError(message, path=path, line=number, item=line) from error
    return PatternPart(
        int(match["row"]), bool(match["at"]), match["column"], kind, expression or ""
    )


@lru_cache(maxsize=256)
def _compile_expression(expression: str) -> regex.Pattern[str]:
    return regex.compile(_translate_classes(expression))


def _translate_classes(expression: str) -> str:
    r"""Classes of letters in the words of regular expressions of Unicode.

    >>> _translate_classes(r"^\u\\a\d")
    '^\\p{Lu}\\\\a\\d'
    """

    def one(match: regex.Match[str]) -> str:
        letter: str = match[1]
        name = _CLASSES.get(letter.lower())
        return rf"\{'p' if letter.islower() else 'P'}{name}" if name else str(match[0])

    found: str = regex.sub(r"\\(.)", one, expression)
    return found
