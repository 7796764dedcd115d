"""Parts of the picture of a match: blocks one below the other, words on their ground, notes."""

from __future__ import annotations

from typing import Final, NamedTuple

from glyphone.drawing.labels import visible_text
from glyphone.drawing.layout import Point
from glyphone.drawing.sheets import INSET
from glyphone.drawing.svg import (
    FILL,
    INK,
    LETTER,
    LINE,
    LINES,
    MARGIN,
    draw_text,
    number,
    text_width,
)

NOTE: Final = 11.0  # size of small letters
# Told apart by people who see few colours, too (Okabe and Ito 2008).
FOR, AGAINST = "#0072b2", "#d55e00"


TILE = LINE + INSET  # height of a word on its ground
FILLED = f'fill="{FILL}"'


class Block(NamedTuple):
    """Rows of SVG, how far to the right they go, and where they end."""

    rows: list[str]
    right: float
    bottom: float


def note_width(shown: str) -> float:
    return text_width(visible_text(shown)) * NOTE / LETTER


def draw_note(at: Point, shown: str, style: str = "") -> str:
    """A text in small grey letters."""
    look = f'font-size="{number(NOTE)}" fill="{LINES}"'
    return draw_text(at, visible_text(shown), f"{look} {style}".strip())


def draw_unit(
    shown: str, middle: float, top: float, *, ground: str = FILLED, ink: str = INK
) -> list[str]:
    """A word or trigram on its ground."""
    width = text_width(shown) + 2 * INSET
    corner = f'x="{number(middle - width / 2)}" y="{number(top)}"'
    size = f'width="{number(width)}" height="{number(TILE)}"'
    return [
        f'<rect {corner} {size} rx="6" {ground}/>',
        draw_text((middle, top + 0.95 * LINE), shown, f'fill="{ink}"'),
    ]


def draw_left(at: Point, shown: str, style: str = "") -> str:
    """A text that begins at a point."""
    return draw_text(at, shown, f'text-anchor="start" {style}'.strip())


def end_of(shown: str) -> float:
    """How far a text goes to the right that begins at the margin."""
    return MARGIN + text_width(shown)


def draw_notes(text: str, top: float) -> Block:
    """A line of small grey letters."""
    rows = [draw_note((MARGIN, top + NOTE), text, 'text-anchor="start"')]
    return Block(rows, MARGIN + note_width(text), top + NOTE)
