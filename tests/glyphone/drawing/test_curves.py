"""Pictures of curves: what is drawn, and where."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.drawing import lines
from glyphone.drawing.curves import picture_of_curves, points_of, to_svg
from glyphone.drawing.lines import Axis, Line, even_axis
from glyphone.evaluation.pairs import NO, YES, PairCurve


def test_every_measure_has_a_line_and_its_name() -> None:
    curves = {name: PairCurve.of([0.9, 0.1], [YES, NO]) for name in ("one & two", "<b>", "ナ")}
    svg = picture_of_curves(curves, "svg", title="names").decode()
    root = ElementTree.fromstring(svg)
    names = {"".join(node.itertext()) for node in root.iter() if node.tag.endswith("text")}
    assert {"one & two", "<b>", "ナ", "names"} <= names
    assert sum(node.tag.endswith("polyline") for node in root.iter()) == 3


def test_a_curve_goes_through_its_points() -> None:
    curve = PairCurve.of([0.9, 0.8, 0.1], [YES, NO, YES])
    # F is 2/3, 1/2 and 4/5 of the 1, 2 and 3 best.
    expected = [(0, 0.0), (1, 2 / 3), (2, 0.5), (3, 0.8)]
    assert [x for at in points_of(curve, 3) for x in at] == pytest.approx(
        [x for at in expected for x in at]
    )


def test_lines_are_where_their_values_are() -> None:
    x, y = Axis("n", 0, 4, ("0", "4")), Axis("F", 0, 1, ("0", "1"))
    svg = lines.to_svg({"one": Line([(0, 0), (2, 1), (4, 0.5)])}, x, y)
    assert 'points="52,336 332,16 612,176"' in svg


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        (0, 1, ("0", "0.2", "0.4", "0.6", "0.8", "1")),
        (0, 100, ("0", "20", "40", "60", "80", "100")),
        (0, 0, ("0", "2e-10")),
        (0, 120, ("0", "20", "40", "60", "80", "100", "120")),
        (0, 3500, ("0", "1,000", "2,000", "3,000", "4,000")),
    ],
)
def test_marks_are_round(low: float, high: float, marks: tuple[str, ...]) -> None:
    assert even_axis("n", low, high).marks == marks


def test_points_are_few_and_the_best_is_among_them() -> None:
    curve = PairCurve.of(range(5000, 0, -1), [YES] * 777 + [NO] * 4223)
    places = points_of(curve, 5000)
    assert len(places) <= 502
    assert max(y for _, y in places) == 1.0


def test_a_curve_that_begins_behind_the_picture() -> None:
    assert points_of(PairCurve.of([0.5] * 9, [YES] + [NO] * 8), 3) == [(0.0, 0.0)]


def test_nothing_to_draw() -> None:
    with pytest.raises(GlyphoneError, match="no curve"):
        to_svg({})
