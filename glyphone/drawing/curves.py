"""The picture of measures that rank pairs: F of the n best pairs, against n.

>>> from glyphone.evaluation.pairs import NO, YES, PairCurve
>>> svg = to_svg({"exact": PairCurve.of([0.9, 0.1], [YES, NO])}, title="names")
>>> svg.count("<polyline"), "exact" in svg
(1, True)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.drawing.labels import visible_text
from glyphone.drawing.svg import (
    LETTER,
    LINE,
    LINES,
    MARGIN,
    Canvas,
    draw_heading,
    draw_text,
    number,
    opening_lines,
    point,
    text_width,
    xml,
)
from glyphone.drawing.words import picture_of_svg
from glyphone.evaluation.pairs import PairCurve

WIDTH, HEIGHT = 560.0, 320.0
AXIS = 52.0  # left of the curves and below them
# Told apart by people who see few colours, too (Okabe and Ito 2008).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a7a00")
# As many points as can be seen.
MOST_POINTS = 500


def picture_of_curves(
    curves: Mapping[str, PairCurve],
    kind: str,
    *,
    title: str = "",
    most: int | None = None,
    font_dirs: Sequence[Path] = (),
) -> bytes:
    """The content of a picture file; `kind` is svg or png, `most` the largest n."""
    return picture_of_svg(to_svg(curves, title=title, most=most), kind, font_dirs=font_dirs)


def to_svg(curves: Mapping[str, PairCurve], *, title: str = "", most: int | None = None) -> str:
    """Curves in one frame, by default up to three times as many pairs as are right."""
    if not curves:
        raise GlyphoneError("there is no curve to draw", remedy="give at least one measure")
    most = most or max(1, 3 * max(curve.positives for curve in curves.values()))
    top = MARGIN + (LINE + MARGIN / 2 if title else 0)
    names = [visible_text(name) for name in curves]
    legend = max(map(text_width, names)) + 3 * MARGIN
    width = AXIS + WIDTH + legend + MARGIN
    height = max(top + HEIGHT + AXIS, top + LINE * len(curves) + MARGIN)
    rows = opening_lines(Canvas(0, 0, width, height), title=title)
    if title:
        rows.append(draw_heading((MARGIN, MARGIN + LETTER), title))
    rows += frame_rows(top, most)
    for place, (name, curve) in enumerate(zip(names, curves.values(), strict=True)):
        colour = COLOURS[place % len(COLOURS)]
        dashes = "" if place < len(COLOURS) else ' stroke-dasharray="5 3"'
        look = f'fill="none" stroke="{colour}" stroke-width="1.6"{dashes}'
        path = " ".join(point(at) for at in points_of(curve, top, most))
        rows.append(f"<g><title>{xml(f'{name}: {curve.best()}')}</title>")
        rows.append(f'<polyline points="{path}" {look}/>')
        left, y = AXIS + WIDTH + MARGIN, top + LINE * (place + 0.5)
        rows.append(f'<path d="M{point((left, y))}L{point((left + MARGIN, y))}" {look}/>')
        rows += [draw_text((left + 1.5 * MARGIN, y + 0.35 * LETTER), name), "</g>"]
    return "\n".join([*rows, "</svg>", ""])


def points_of(curve: PairCurve, top: float, most: int) -> list[tuple[float, float]]:
    """Places of the picture on a curve, among them its best point."""
    shown = int(np.searchsorted(curve.counts, most, side="right"))
    if not shown:
        return [(AXIS, top + HEIGHT)]
    values = curve.f()[:shown]
    chosen = np.unique(np.linspace(0, shown - 1, min(shown, MOST_POINTS)).astype(np.int64))
    chosen = np.union1d(chosen, [int(values.argmax())])
    counts = curve.counts[chosen].tolist()
    begin = [(AXIS, top + HEIGHT)]
    return begin + [
        (AXIS + WIDTH * count / most, top + HEIGHT * (1 - f))
        for count, f in zip(counts, values[chosen].tolist(), strict=True)
    ]


def frame_rows(top: float, most: int) -> list[str]:
    """Lines of every fifth of F, of which 100 % is at the top, and the axis of n."""
    rows = []
    for fifth in range(6):
        y = top + HEIGHT * (1 - fifth / 5)
        line = f"M{point((AXIS, y))}L{point((AXIS + WIDTH, y))}"
        rows.append(f'<path d="{line}" stroke="{LINES}" stroke-width="0.4"/>')
        style = 'text-anchor="end"'
        rows.append(draw_text((AXIS - 6, y + 0.35 * LETTER), f"{20 * fifth}", style))
    for quarter in range(5):
        x = AXIS + WIDTH * quarter / 4
        style = 'text-anchor="middle"'
        rows.append(draw_text((x, top + HEIGHT + LINE), f"{most * quarter // 4:,}", style))
    middle = (AXIS + WIDTH / 2, top + HEIGHT + 2 * LINE)
    rows.append(draw_text(middle, "pairs taken for one name", 'text-anchor="middle"'))
    turned = f'transform="rotate(-90)" text-anchor="middle" font-size="{number(LETTER)}"'
    rows.append(draw_text((-(top + HEIGHT / 2), LETTER + 2), "F, %", turned))
    return rows
