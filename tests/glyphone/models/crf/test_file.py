"""Fields over letters on disk: they come back as they were, and damage never reaches a kernel."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glyphone.data.errors import FormatError
from glyphone.data.writing import Writing
from glyphone.fst.storage.container import Contents
from glyphone.models import kinds
from glyphone.models.crf.file import from_contents, save, to_contents
from glyphone.models.crf.model import CrfModel
from glyphone.models.crf.training import fit_crf
from glyphone.models.crf.windows import rounded
from tests.glyphone.models.crf.test_model import OPTIONS, PAIRS, WIDE
from tests.glyphone.models.crf.twins import drawn


def by_chance() -> CrfModel:
    model = drawn(4).model(name="mine", temperature=1.5, description={"a": 1})
    table = model.table
    weights = rounded(table.weights.tolist()), rounded(table.pair_weights.tolist())
    return replace(model, table=replace(table, weights=weights[0], pair_weights=weights[1]))


MODELS: dict[str, Callable[[], CrfModel]] = {
    "chance": by_chance,
    "exact": lambda: by_chance().exact(),
    "learnt": lambda: fit_crf(PAIRS, OPTIONS, target=Writing()).model,
    "wide": lambda: fit_crf(PAIRS, replace(OPTIONS, alignment=WIDE)).model,
}


@pytest.mark.parametrize("kind", MODELS)
def test_models_come_back(kind: str, tmp_path: Path) -> None:
    model = MODELS[kind]()
    save(model, tmp_path / "a.glyphone")
    loaded = kinds.load(tmp_path / "a.glyphone")
    assert isinstance(loaded, CrfModel)
    assert loaded.fingerprint() == model.fingerprint()
    texts = ["cab", "ca", "", "noche"]
    for text in texts:
        if set(text) <= set(model.source.symbols):
            assert loaded.nbest(text, 5) == model.nbest(text, 5)
    save(loaded, tmp_path / "b.glyphone")
    assert (tmp_path / "a.glyphone").read_bytes() == (tmp_path / "b.glyphone").read_bytes()


def test_a_member_of_another_file() -> None:
    part = to_contents(by_chance(), "members/3/")
    assert from_contents(part, "members/3/").fingerprint() == by_chance().fingerprint()


def changed(name: str, change: Callable[[Any], Any]) -> Contents:
    contents = to_contents(by_chance())
    if name in contents.manifest:
        manifest = {**contents.manifest, name: change(contents.manifest[name])}
        return replace(contents, manifest=manifest)
    return replace(contents, arrays={**contents.arrays, name: change(contents.arrays[name])})


def put(place: int, value: float) -> Callable[[Any], Any]:
    def change(column: Any) -> Any:
        found = column.copy()
        found[place] = value
        return found

    return change


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("windows", lambda told: [[0, 99]]),
        ("windows", lambda told: [[2, 0]]),
        ("windows", lambda told: []),
        ("windows", lambda told: [*told, told[0]]),
        ("windows", lambda told: [["0", 1]]),
        ("temperature", lambda told: math.nan),
        ("beam", lambda told: -1),
        ("name", lambda told: 3),
        ("go_on", put(0, 2)),
        ("go_on", lambda column: column[1:]),
        ("chunks", put(0, 200)),
        ("choices", put(0, 200)),
        ("choices", put(0, 2)),
        ("choices_lengths", put(0, 0)),
        ("choices_lengths", lambda column: column[1:]),
        ("tries/parents", put(0, 200)),
        ("tries/codes", put(0, 200)),
        ("tries/codes", lambda column: np.zeros_like(column)),
        ("tries/codes", lambda column: column[1:]),
        ("labels/steps", put(0, 255)),
        ("labels/labels", put(0, 200)),
        ("labels/labels", lambda column: column[1:]),
        ("labels/weights", put(0, math.nan)),
        ("labels/weights", put(0, 1e6)),
        ("labels/weights", lambda column: column.astype(np.float64)),
        ("pairs/befores", put(0, 200)),
        ("pairs/afters", lambda column: column[1:]),
        ("pairs/steps", lambda column: column.astype(np.float32)),
    ],
)
def test_damage_is_refused(name: str, change: Callable[[Any], Any]) -> None:
    with pytest.raises(FormatError, match="is no conditional random field"):
        from_contents(changed(name, change))
