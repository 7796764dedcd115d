"""Pictures of dependency trees: words in a row, and an arrow from each head to its dependents.

Below a word stands its tag, and below some tags the token that several words are written as. Arrows
cross only if arcs of the tree do.

>>> words = (Word("Ann", head=2, deprel="nsubj"), Word("runs", head=0, deprel="root"))
>>> svg = to_svg(Sentence(words))
>>> svg.count('marker-end="url(#arrow)"'), "nsubj" in svg
(2, True)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from glyphone.data.treebanks.dependencies import NOTHING, Sentence, Word
from glyphone.drawing.labels import visible_text
from glyphone.drawing.sheets import INSET, draw_label, draw_line, draw_sheet, draw_tile, tile_width
from glyphone.drawing.svg import (
    LETTER,
    LINE,
    LINES,
    MARGIN,
    draw_text,
    number,
    point,
    text_width,
)

GAP, LEVEL, BEND, STEP = 14.0, 26.0, 9.0, 6.0
SMALL = 11.0

# The places of two words, the left one first.
ArcEnds = tuple[int, int]


def to_svg(sentence: Sentence, *, title: str = "") -> str:
    """The picture of a sentence with its arcs above it."""
    words = sentence.words
    dependents = dependents_by_ends(words)
    levels = levels_of(dependents)
    middles = middles_of(words, dependents)
    base = MARGIN + LINE + LEVEL * (1 + max(levels.values(), default=0))
    rows: list[str] = []
    # The highest arcs first, so that the ground of their labels hides no other line.
    for ends in sorted(levels, key=lambda ends: (-levels[ends], ends)):
        dependent = dependents[ends]
        (head,) = {*ends} - {dependent}
        x = middles[head] + arc_offset(head, ends, dependents, room_of(words[head]))
        height = base - LEVEL * levels[ends]
        rows += draw_arc(x, middles[dependent], base, height, words[dependent].deprel)
    for place, word in enumerate(words):
        if word.head == 0:
            y = MARGIN + LINE / 2
            rows.append(draw_line(f"M{point((middles[place], y))}V{number(base)}", arrow=True))
            rows += draw_label(word.deprel, middles[place], y)
    for place, word in enumerate(words):
        rows += draw_word(word, place + 1, middles[place], base)
    bottom = base + 2 * LINE + INSET
    for token in sentence.multiword:
        first, last = middles[token.first - 1], middles[token.last - 1]
        rows.append(draw_line(f"M{point((first - 10, bottom))}v4H{number(last + 10)}v-4"))
        at = ((first + last) / 2, bottom + 4 + 0.9 * LINE)
        rows.append(draw_text(at, visible_text(token.columns[0])))
    bottom += 4 + LINE if sentence.multiword else 0
    right = middles[-1] + room_of(words[-1]) / 2
    return draw_sheet(rows, right + MARGIN, bottom + MARGIN, title=title)


def dependents_by_ends(words: Sequence[Word]) -> dict[ArcEnds, int]:
    """The place of the dependent by the two ends of its arc."""
    return {
        (min(place, word.head - 1), max(place, word.head - 1)): place
        for place, word in enumerate(words)
        if word.head
    }


def levels_of(arcs: Iterable[ArcEnds]) -> dict[ArcEnds, int]:
    """The height of each arc: one level above all shorter arcs that it covers or crosses.

    >>> levels_of([(1, 2), (2, 4), (1, 4), (3, 4)])
    {(1, 2): 1, (3, 4): 1, (2, 4): 2, (1, 4): 3}
    """
    levels: dict[ArcEnds, int] = {}
    for left, right in sorted(arcs, key=lambda ends: (ends[1] - ends[0], ends)):
        below = (n for (start, end), n in levels.items() if start < right and left < end)
        levels[left, right] = 1 + max(below, default=0)
    return levels


def room_of(word: Word) -> float:
    """The width of a word, its tag and, for a root, its relation."""
    above = text_width(visible_text(word.deprel)) if word.head == 0 else 0.0
    return max(tile_width(word.form), text_width(visible_text(word.upos)) * SMALL / LETTER, above)


def middles_of(words: Sequence[Word], dependents: Mapping[ArcEnds, int]) -> list[float]:
    """The middles of words, so far from each other that relations fit between them."""
    rooms = [room_of(word) for word in words]
    middles = [MARGIN + rooms[0] / 2]
    for before, room in pairwise(rooms):
        middles.append(middles[-1] + before / 2 + GAP + room / 2)
    for left, right in sorted(dependents, key=lambda ends: (ends[1] - ends[0], ends)):
        relation = visible_text(words[dependents[left, right]].deprel)
        wanted = text_width(relation) + 2 * (BEND + STEP)
        missing = max(0.0, wanted - (middles[right] - middles[left]))
        for place in range(left + 1, len(middles)):
            middles[place] += missing * min(1.0, (place - left) / (right - left))
    return middles


def arc_offset(head: int, ends: ArcEnds, dependents: Mapping[ArcEnds, int], room: float) -> float:
    """The distance from the middle of the head to the begin of an arc; longer arcs begin nearer."""
    side = [
        other
        for other, dependent in dependents.items()
        if head in other and dependent != head and (other[0] == head) == (ends[0] == head)
    ]
    rank = 1 + sum(other[1] - other[0] > ends[1] - ends[0] for other in side)
    step = min(STEP, (room / 2 - 2) / len(side))
    return rank * step if ends[0] == head else -rank * step


def draw_arc(head: float, dependent: float, base: float, height: float, relation: str) -> list[str]:
    """An arc up from a head, across, and down to its dependent, with its relation on the line."""
    side = BEND if dependent > head else -BEND
    path = (
        f"M{point((head, base))}V{number(height + BEND)}q0,{number(-BEND)} {number(side)},"
        f"{number(-BEND)}H{number(dependent - side)}q{number(side)},0 {number(side)},{number(BEND)}"
        f"V{number(base)}"
    )
    return [draw_line(path, arrow=True), *draw_label(relation, (head + dependent) / 2, height)]


def draw_word(word: Word, place: int, middle: float, base: float) -> list[str]:
    """A word and its tag; its other columns show when the pointer rests on it."""
    known = (word.lemma, word.upos, word.xpos, word.feats, word.misc)
    about = " ".join([f"{place} {word.form}", *(cell for cell in known if cell != NOTHING)])
    rows = draw_tile(word.form, middle, base, about=about)
    if word.upos != NOTHING:
        style = f'fill="{LINES}" font-size="{number(SMALL)}"'
        rows.append(draw_text((middle, base + 1.85 * LINE), visible_text(word.upos), style))
    return rows
