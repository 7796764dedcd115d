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
from glyphone.drawing import lines
from glyphone.drawing.lines import Axis, Line
from glyphone.drawing.words import picture_of_svg
from glyphone.evaluation.pairs import PairCurve

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
    quarters = tuple(f"{most * quarter // 4:,}" for quarter in range(5))
    fifths = tuple(f"{20 * fifth}" for fifth in range(6))
    drawn = {
        name: Line(points_of(curve, most), f"{name}: {curve.best()}")
        for name, curve in curves.items()
    }
    x = Axis("pairs taken for one name", 0, most, quarters)
    return lines.to_svg(drawn, x, Axis("F, %", 0, 1, fifths), title=title)


def points_of(curve: PairCurve, most: int) -> list[tuple[float, float]]:
    """Numbers of pairs and F, among them the best F."""
    shown = int(np.searchsorted(curve.counts, most, side="right"))
    if not shown:
        return [(0.0, 0.0)]
    values = curve.f()[:shown]
    chosen = np.unique(np.linspace(0, shown - 1, min(shown, MOST_POINTS)).astype(np.int64))
    chosen = np.union1d(chosen, [int(values.argmax())])
    counts = curve.counts[chosen].tolist()
    return [(0.0, 0.0), *zip(counts, values[chosen].tolist(), strict=True)]
