"""Evidence for one name and against it: bars of the log odds that features add.

Features that tell of one thing go together, for alone they mislead: a word that is left over counts
by its letters, too, and by its weight. A bar names its features where the pointer rests on it.

>>> found = bars_of({"swaps": (1.0, -0.5), "words left of one": (2.0, -2.0)}, -1.5)
>>> [(bar.text, bar.value) for bar in found]
[('partners in another order', -0.5), ('words left over', -2.0), ('before all of these', -1.5)]
>>> found[0].about
'swaps 1: -0.50'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from glyphone.drawing.labels import visible_text
from glyphone.drawing.svg import LINE, LINES, MARGIN, number, point, text_width, xml
from glyphone.matching.pictures.block import AGAINST, FOR, Block, draw_left, draw_note, end_of

HALF, HEIGHT = 150.0, 10.0
GROUPS: Final = {
    "number of words": ("words of the shorter", "words of the longer"),
    "words with partners": (
        *("words linked", "words equal", "letters of equal words"),
        *("weight of linked words", "weight of equal words"),
    ),
    "words left over": (
        *("words left of one", "words left of the other"),
        *("letters left of one", "letters left of the other"),
        *("weight left of one", "weight left of the other"),
    ),
    "likeness of partners": (
        *("least likeness", "mean likeness", "beginning of the least", "length of the least"),
        *("most edits", "all edits", "edits a letter", "sounds of the least", "mean of sounds"),
    ),
    "partners in another order": ("swaps",),
    "likeness of the names as wholes": (
        *("edits of the whole", "likeness of the whole", "likeness of sorted words"),
        *("ratio", "token set", "token sort", "Jaro-Winkler", "best part"),
    ),
    "numbers": ("both have numbers", "numbers differ"),
    "company forms": ("company forms", "company forms differ"),
    "initials and nicknames": ("initials", "nicknames"),
    "two scripts": ("scripts differ",),
}
OTHER, CONSTANT = "other features", "before all of these"


class Bar(NamedTuple):
    """A bar, its text, and the text of the pointer."""

    text: str
    value: float
    about: str = ""


def bars_of(features: Mapping[str, tuple[float, float]], constant: float) -> list[Bar]:
    """Bars of features, given by values and contributions, the greatest for one name first; then
    the log odds without any."""
    group_of = {name: group for group, names in GROUPS.items() for name in names}
    groups: dict[str, list[str]] = {}
    for name, (_, added) in features.items():
        if added:
            groups.setdefault(group_of.get(name, OTHER), []).append(name)
    found = [
        Bar(
            group,
            sum(features[name][1] for name in names),
            "; ".join(feature_text(name, *features[name]) for name in names),
        )
        for group, names in groups.items()
    ]
    return [*sorted(found, key=lambda bar: -bar.value), Bar(CONSTANT, constant)]


def feature_text(name: str, value: float, added: float) -> str:
    return f"{name} {value:.3g}: {added:+.2f}"


def draw_bars(bars: Sequence[Bar], title: str, top: float) -> Block:
    """Bars to the right for one name, to the left against it, on a line each."""
    against = HALF if any(bar.value < 0 for bar in bars) else 0
    axis = 3 * MARGIN + max(text_width(visible_text(bar.text)) for bar in bars) + against
    longest = max(abs(bar.value) for bar in bars) or 1.0
    rows = [draw_left((MARGIN, top + LINE), title)]
    begin = y = top + LINE + 10
    for bar in bars:
        rows += draw_bar(bar, axis, y, HALF / longest)
        y += LINE + 2
    line = f"M{point((axis, begin))}L{point((axis, y))}"
    rows.append(f'<path d="{line}" stroke="{LINES}" stroke-width="1"/>')
    return Block(rows, max(axis + HALF + 3 * MARGIN, end_of(title)), y)


def draw_bar(bar: Bar, axis: float, top: float, scale: float) -> list[str]:
    length = abs(bar.value) * scale
    left, colour, anchor, end = (
        (axis - length, AGAINST, "end", axis - length - 4)
        if bar.value < 0
        else (axis, FOR, "start", axis + length + 4)
    )
    corner = f'x="{number(left)}" y="{number(top + (LINE - HEIGHT) / 2)}"'
    size = f'width="{number(length)}" height="{number(HEIGHT)}"'
    y = top + 0.75 * LINE
    return [
        f"<g><title>{xml(visible_text(bar.about or bar.text))}</title>",
        draw_left((MARGIN, y), visible_text(bar.text)),
        f'<rect {corner} {size} fill="{colour}"/>',
        draw_note((end, y), f"{bar.value:.2f}", f'text-anchor="{anchor}"'),
        "</g>",
    ]
