"""Two names as rows of words, with lines between partners.

A line is as thick as the share of the weight of all words that its words have in common. Words
without a partner are dashed; titles, company forms, particles and words that are one of these in
the other name have no ground, for they are compared apart.

>>> from glyphone.learners.matching.evidence import find_evidence, known_words
>>> names = "Dr. Bill Paz", "Paz, William X."
>>> rows = rows_of_evidence(names, find_evidence(*map(known_words, names)))
>>> [(word.text, word.look, word.notes) for word in rows.words[0]]
[('dr', 'apart', ('title',)), ('bill', 'linked', ()), ('paz', 'linked', ())]
>>> [(line.places, line.worth, line.labels) for line in rows.lines]
[((1, 0), 0.38, ('nickname', '38 %')), ((2, 2), 0.4, ('equal', '40 %'))]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from glyphone.drawing.labels import visible_text
from glyphone.drawing.layout import Point
from glyphone.drawing.sheets import draw_label, tile_width
from glyphone.drawing.svg import (
    INK,
    LINE,
    LINES,
    MARGIN,
    number,
    point,
    xml,
)
from glyphone.learners.matching.evidence import CORE, Evidence, KnownWord, core_places, weight
from glyphone.matching.pictures.block import (
    AGAINST,
    FILLED,
    TILE,
    Block,
    draw_left,
    draw_note,
    draw_unit,
    end_of,
    note_width,
)
from glyphone.matching.rows import reason_text
from glyphone.models.kanji.matching.matcher import Match

Look = Literal["linked", "left over", "apart"]
LOOKS: Final[dict[Look, tuple[str, str]]] = {
    "linked": (FILLED, INK),
    "left over": (f'fill="none" stroke="{AGAINST}" stroke-dasharray="4 3"', INK),
    "apart": ('fill="none"', LINES),
}
BETWEEN, REACH = 12.0, 110.0
THINNEST, THICKEST = 1.3, 9.0


@dataclass(frozen=True)
class DrawnWord:
    """A word, its look, and notes that stand beside it."""

    text: str
    look: Look
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class DrawnLine:
    """The places of two partners, how thick their line is, and the labels on it."""

    places: tuple[int, int]
    worth: float
    labels: tuple[str, ...]


@dataclass(frozen=True)
class WordRows:
    """Two names as they are written, their words, and the lines between these."""

    names: tuple[str, str]
    words: tuple[Sequence[DrawnWord], Sequence[DrawnWord]]
    lines: Sequence[DrawnLine]


def rows_of_evidence(names: tuple[str, str], evidence: Evidence) -> WordRows:
    """Two names as a matcher links their words."""
    places = core_places(evidence.first), core_places(evidence.second)
    lines = [(places[0][link.places[0]], places[1][link.places[1]]) for link in evidence.links]
    total = sum(map(weight, evidence.cores)) or 1.0
    worths = [link.likeness * weight((link.first, link.second)) / total for link in evidence.links]
    first, second = (
        drawn_words(words, evidence, side, {line[side] for line in lines})
        for side, words in enumerate((evidence.first, evidence.second))
    )
    drawn = [
        DrawnLine(line, worth, (reason_text(link), f"{100 * worth:.0f} %"))
        for line, worth, link in zip(lines, worths, evidence.links, strict=True)
    ]
    return WordRows(names, (first, second), drawn)


def drawn_words(
    words: Sequence[KnownWord], evidence: Evidence, side: int, linked: set[int]
) -> list[DrawnWord]:
    """The words of a side with their looks, roles, and spellings in Latin letters."""
    core, alone = core_places(words), {word.text for word in evidence.alone[side]}
    found = []
    for place, (word, compared) in enumerate(zip(words, evidence.texts[side], strict=True)):
        look: Look = "linked" if place in linked else "apart"
        if look == "apart" and place in core and word.text in alone:
            look = "left over"
        notes = [] if word.role in CORE else [word.role]
        notes += [look] if look == "left over" else []
        notes += [compared] if compared != word.text else []
        found.append(DrawnWord(word.text, look, tuple(notes)))
    return found


def rows_of_readings(match: Match) -> WordRows:
    """The parts of two Japanese names; a line is as thick as it is probable that they are read
    alike."""
    looks: list[Look] = ["linked" if part.score else "left over" for part in match.parts]
    words = (
        [DrawnWord(text, look) for text, look in zip(texts, looks, strict=True)]
        for texts in ([part.first for part in match.parts], [part.second for part in match.parts])
    )
    lines = [
        DrawnLine((place, place), part.score, (f"{part.score:.2g}",))
        for place, part in enumerate(match.parts)
        if part.score
    ]
    first, second = words
    return WordRows((match.first, match.second), (first, second), lines)


def draw_words(rows: WordRows, top: float) -> Block:
    """Both names, one below the other."""
    first, second = (middles_of(word_widths(rows, side)) for side in (0, 1))
    n_notes = [max((len(word.notes) for word in words), default=0) for words in rows.words]
    names = [*map(visible_text, rows.names)]
    upper = top + LINE + 8 + LINE * n_notes[0]
    lower = upper + TILE + (REACH if rows.lines else MARGIN)
    most = max((line.worth for line in rows.lines), default=0.0) or 1.0
    drawn = [draw_left((MARGIN, top + LINE), names[0], 'font-weight="bold"')]
    for line in rows.lines:
        ends = (first[0][line.places[0]], upper + TILE), (second[0][line.places[1]], lower)
        drawn += draw_partners(line, *ends, THICKEST * line.worth / most)
    for words, middles, y, below in (
        (rows.words[0], first[0], upper, False),
        (rows.words[1], second[0], lower, True),
    ):
        for word, middle in zip(words, middles, strict=True):
            drawn += draw_word(word, middle, y, below=below)
    bottom = lower + TILE + LINE * n_notes[1] + LINE + 4
    drawn.append(draw_left((MARGIN, bottom), names[1], 'font-weight="bold"'))
    right = max(first[1], second[1], *(1.1 * end_of(name) for name in names))
    return Block(drawn, right, bottom)


def word_widths(rows: WordRows, side: int) -> list[float]:
    """The widths of the words of a name with their notes and the labels of their lines."""
    labels = {line.places[side]: line.labels for line in rows.lines}
    return [
        max(
            tile_width(word.text),
            *(note_width(note) for note in word.notes),
            *(tile_width(label) for label in labels.get(place, ())),
            0.0,
        )
        for place, word in enumerate(rows.words[side])
    ]


def middles_of(widths: Sequence[float]) -> tuple[list[float], float]:
    """The middles of columns from the left margin on, and the right end of the last."""
    found, x = [], MARGIN
    for width in widths:
        found.append(x + width / 2)
        x += width + BETWEEN
    return found, x - BETWEEN


def draw_partners(line: DrawnLine, begin: Point, end: Point, thickness: float) -> list[str]:
    """A line from one partner to the other, and its labels above the second."""
    low = end[0], end[1] - LINE * len(line.labels)
    turn = (begin[1] + low[1]) / 2
    bends = f"{point((begin[0], turn))} {point((end[0], turn))}"
    path = f"M{point(begin)}C{bends} {point(low)}"
    rows = [
        f'<path d="{path}L{point(end)}" fill="none" stroke="{LINES}" stroke-opacity="0.55" '
        f'stroke-width="{number(max(THINNEST, thickness))}"/>'
    ]
    for place, label in enumerate(reversed(line.labels)):
        rows += draw_label(label, end[0], end[1] - LINE * (place + 0.75))
    return rows


def draw_word(word: DrawnWord, middle: float, top: float, *, below: bool) -> list[str]:
    """A word with its notes below or above it."""
    ground, ink = LOOKS[word.look]
    rows = [f"<g><title>{xml(visible_text(', '.join((word.text, *word.notes))))}</title>"]
    rows += draw_unit(visible_text(word.text), middle, top, ground=ground, ink=ink)
    for place, note in enumerate(word.notes):
        y = top + TILE + LINE * (place + 0.8) if below else top - LINE * (place + 0.4)
        rows.append(draw_note((middle, y), note))
    return [*rows, "</g>"]
