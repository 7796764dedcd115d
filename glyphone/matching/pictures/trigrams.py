"""Words that are alike as rows of trigrams: which are linked, and what each link is worth.

Trigrams are compared by their contexts, which are learnt from the words that the matcher knows, and
linked in their order (Meta-Levenshtein); the worths sum to the measure of the two words. That
measure is not in the probability, which counts edits.

>>> links = [UnitLink((0, 0), 0.5), UnitLink((2, 1), 0.25)]
>>> columns_of(AlignedUnits(["a", "b", "c"], ["a", "c", "d"], links))
[('a', 'a', 0.5), ('b', '', 0.0), ('c', 'c', 0.25), ('', 'd', 0.0)]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from glyphone.drawing.labels import symbol_text
from glyphone.drawing.sheets import tile_width
from glyphone.drawing.svg import LETTER, LINE, LINES, MARGIN, number, point
from glyphone.learners.matching.evidence import ComparedWords, Evidence, Link, compared_spellings
from glyphone.learners.matching.links import AlignedUnits, UnitLink, align_units
from glyphone.learners.matching.matcher import NameMatcher
from glyphone.learners.matching.measure import NameMeasure
from glyphone.learners.matching.named import trigrams_in_context
from glyphone.matching.pictures.block import TILE, Block, draw_left, draw_note, draw_unit, end_of

Column = tuple[str, str, float]
REACH, BETWEEN = 26.0, 4.0
WIDEST = 1000.0
THINNEST, THICKEST = 1.0, 8.0


class AlikeWords(NamedTuple):
    """Two words, how they are compared in one script, and their trigrams, if they differ there."""

    words: tuple[str, str]
    compared: ComparedWords
    trigrams: AlignedUnits | None

    @property
    def columns(self) -> list[Column]:
        return columns_of(self.trigrams) if self.trigrams else []

    @property
    def caption(self) -> str:
        pairs = dict.fromkeys((self.words, self.compared.texts))
        texts = [" ~ ".join(map(symbol_text, pair)) for pair in pairs]
        edits = f"{self.compared.edits} edit{'s' if self.compared.edits != 1 else ''}"
        worth = f"; trigrams in order are worth {self.trigrams.score:.2f}" if self.trigrams else ""
        return f"{', compared as '.join(texts)}: {edits}{worth}"


def alike_words(matcher: NameMatcher, evidence: Evidence) -> list[AlikeWords]:
    """The words that are alike letter by letter, and neither equal nor partners by a list."""
    compared = [
        ((link.first.text, link.second.text), one)
        for link in evidence.links
        if link.reason in ("alike", "spelling")
        for one in compared_in_one_script(link, evidence)
    ]
    measure = NameMeasure()
    if any(one.edits for _, one in compared):
        measure = trigrams_in_context().fit([*matcher.counts_])
    return [
        AlikeWords(words, one, align_units(measure, *one.texts) if one.edits else None)
        for words, one in compared
    ]


def compared_in_one_script(link: Link, evidence: Evidence) -> list[ComparedWords]:
    """The comparisons that a link comes from: two, if each word is spelt in the other's script."""
    found = []
    if evidence.scripts_differ:
        found = compared_spellings(link.first, link.second, evidence.scripts)
    texts = link.first.text, link.second.text
    return found or [ComparedWords(link.likeness, link.edits, link.reason, texts)]


def columns_of(aligned: AlignedUnits) -> list[Column]:
    """Units of both words in order, linked ones in one column, and others side by side."""
    found: list[Column] = []
    i = j = 0
    ends = len(aligned.first), len(aligned.second)
    for (one, other), worth in [*aligned.links, UnitLink(ends, 0.0)]:
        alone = zip_longest(aligned.first[i:one], aligned.second[j:other], fillvalue="")
        found += [(first, second, 0.0) for first, second in alone]
        if worth:
            found.append((aligned.first[one], aligned.second[other], worth))
        i, j = one + 1, other + 1
    return found


def draw_trigrams(words: AlikeWords, top: float) -> Block:
    """The trigrams of two words in as many lines as they need, below a caption."""
    rows = [draw_left((MARGIN, top + LINE), words.caption)]
    y, right = top + LINE, end_of(words.caption)
    most = max((worth for _, _, worth in words.columns), default=0.0)
    for line in lines_of(words.columns):
        x, y = MARGIN, y + 8
        for column in line:
            width = column_width(column)
            rows += draw_column(column, x + width / 2, y, most)
            x += width + BETWEEN
        y, right = y + 2 * TILE + REACH + LINE, max(right, x)
    return Block(rows, right, y)


def lines_of(columns: Sequence[Column]) -> Iterator[list[Column]]:
    """Columns cut where a line would get too wide."""
    line: list[Column] = []
    width = 0.0
    for column in columns:
        if line and width + column_width(column) > WIDEST:
            yield line
            line, width = [], 0.0
        line.append(column)
        width += column_width(column) + BETWEEN
    if line:
        yield line


def column_width(column: Column) -> float:
    return max(tile_width(unit) for unit in column[:2] if unit)


def draw_column(column: Column, middle: float, top: float, most: float) -> list[str]:
    """Two units with a line between them, as thick as it is worth, or one without a partner."""
    first, second, worth = column
    rows = []
    low = top + TILE + REACH
    if worth:
        path = f"M{point((middle, top + TILE))}L{point((middle, low))}"
        thick = THINNEST + (THICKEST - THINNEST) * worth / most
        rows.append(f'<path d="{path}" stroke="{LINES}" stroke-width="{number(thick)}"/>')
        rows.append(draw_note((middle, low + TILE + LETTER), f"{worth:.2f}".removeprefix("0")))
    rows += draw_unit(symbol_text(first), middle, top) if first else []
    rows += draw_unit(symbol_text(second), middle, low) if second else []
    return rows
