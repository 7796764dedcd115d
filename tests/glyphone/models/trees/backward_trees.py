"""Tree models that read words from their end, as the tests of them share them."""

from __future__ import annotations

from functools import cache
from typing import Any

from glyphone.models.trees.model import TreeModel
from tests.glyphone.models.trees.twins import model_of, options_of

SETTINGS: dict[str, dict[str, Any]] = {
    "one": {"previous": 2},
    "several": {"trees": 3, "previous": 1, "method": "forest"},
    "unsmoothed": {"smoothing": 0.0, "previous": 1, "left": 0},
    "small": {"confidence": 0.01, "min_leaf": 3.0, "splits": "questions", "previous": 3},
}


@cache
def model(name: str, *, backward: bool = True) -> TreeModel:
    return model_of(options_of(backward=backward, **SETTINGS[name])).exact()
