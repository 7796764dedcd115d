"""The picture of training: the objective after each iteration, and the error on other sentences.

>>> history = [{"iteration": 1, "objective": 90.0, "error": None}]
>>> history += [{"iteration": 2, "objective": 40.0, "error": None}]
>>> svg = to_svg(history, title="chunks")
>>> svg.count("<polyline"), "iterations" in svg
(1, True)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from glyphone.data.errors import GlyphoneError
from glyphone.drawing import lines
from glyphone.drawing.lines import Line, even_axis
from glyphone.drawing.words import picture_of_svg

# Parts of a hundred of the first objective: both lines have one axis.
WHOLE = 100.0


def draw_training(
    learner: Any, kind: str, *, title: str = "", font_dirs: Sequence[Path] = ()
) -> bytes:
    """The content of a picture file of the training of a learner; `kind` is svg or png."""
    history = getattr(learner, "history_", ())
    return picture_of_svg(to_svg(history, title=title), kind, font_dirs=font_dirs)


def to_svg(history: Sequence[Mapping[str, Any]], *, title: str = "") -> str:
    """The objective in parts of its first value, and the share of wrong labels, if it is known."""
    if len(history) < 2:
        remedy = "draw a tagger that has been trained for two or more"
        raise GlyphoneError("there are no iterations of training to draw", remedy=remedy)
    first = history[0]["objective"]
    drawn = {
        "objective": Line(
            [(row["iteration"], WHOLE * row["objective"] / first) for row in history],
            f"objective: {first:,.1f} to {history[-1]['objective']:,.1f}",
        )
    }
    watched = [row for row in history if row["error"] is not None]
    if watched:
        least = min(row["error"] for row in watched)
        drawn["wrong labels, dev"] = Line(
            [(row["iteration"], WHOLE * row["error"]) for row in watched],
            f"wrong labels, dev: {WHOLE * least:.2f} % at best",
        )
    highest = max(value for line in drawn.values() for _, value in line.points)
    x = even_axis("iterations", 0, history[-1]["iteration"])
    y = even_axis("% of the first objective; % of labels", 0, highest)
    return lines.to_svg(drawn, x, y, title=title)
