"""Tree models on disk: what comes back answers the same, and damage never reaches a kernel."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.errors import FormatError, ItemError
from glyphone.fst.storage.container import Contents
from glyphone.models import kinds
from glyphone.models.trees.file import from_contents, load, save, to_contents
from glyphone.models.trees.model import TreeModel
from tests.glyphone.models.trees.twins import LEXICON, WORDS, model_of, options_of

BOOSTED = model_of(options_of(trees=2, previous=1))
ALONE = replace(model_of(options_of()), temperature=1.5, description={"metrics": {"wer": 0.25}})
CONTENTS = to_contents(BOOSTED)


def answers(model: TreeModel) -> list[Any]:
    found = model.answer([*WORDS, *LEXICON, "q"], n=3, spans=True)
    rows = [found.hypotheses(item) for item in range(len(found.firsts) - 1)]
    return [rows, {item: str(error) for item, error in found.failures.items()}]


@pytest.mark.parametrize("model", [BOOSTED, ALONE, BOOSTED.exact()])
def test_what_comes_back_is_the_same(model: TreeModel, tmp_path: Path) -> None:
    save(model, tmp_path / "a.glyphone")
    loaded = kinds.load(tmp_path / "a.glyphone")
    assert isinstance(loaded, TreeModel)
    assert loaded.fingerprint() == model.fingerprint()
    for name in ("left", "right", "previous", "name", "temperature", "beam", "description"):
        assert getattr(loaded, name) == getattr(model, name)
    for one, other in zip(loaded.trees, model.trees, strict=True):
        for field, mine, theirs in zip(one._fields, one, other, strict=True):
            assert np.array_equal(mine, theirs), field
            if isinstance(mine, np.ndarray):
                assert mine.dtype == theirs.dtype
    assert answers(loaded) == answers(model)
    save(loaded, tmp_path / "b.glyphone")
    assert (tmp_path / "a.glyphone").read_bytes() == (tmp_path / "b.glyphone").read_bytes()


def test_a_member_of_another_file() -> None:
    part = to_contents(ALONE, "members/3/")
    assert from_contents(part, "members/3/").fingerprint() == ALONE.fingerprint()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_file_that_is_cut_or_changed_is_refused(data: st.DataObject) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.glyphone")
        save(ALONE, path)
        body = bytearray(path.read_bytes())
        place = data.draw(st.integers(0, len(body) - 1))
        if data.draw(st.booleans()):
            body = body[:place]
        else:
            body[place] ^= data.draw(st.integers(1, 255))
        path.write_bytes(body)
        with pytest.raises(FormatError):
            load(path)


def changed(name: str, edit: Callable[[Any], Any]) -> Contents:
    """The contents of a sound file with one array edited."""
    arrays = {**CONTENTS.arrays, name: edit(CONTENTS.arrays[name].copy())}
    return Contents(CONTENTS.kind, CONTENTS.manifest, arrays)


def put(place: int, value: int) -> Callable[[Any], Any]:
    def edit(array: Any) -> Any:
        array[place] = value
        return array

    return edit


WRONG: list[tuple[str, Callable[[Any], Any], str]] = [
    ("trees/0/attributes", put(0, 1), "not for its letter"),
    ("trees/0/attributes", put(0, 0), "not for its letter"),
    ("trees/0/attributes", put(1, 200), "asks about nothing"),
    ("trees/0/attributes", lambda a: a[:-1], "no tree|has no units|no tables"),
    ("trees/0/attributes", lambda a: a[:0], "asks about nothing"),
    ("trees/0/attributes", lambda a: a.astype(np.int64), "type int64"),
    ("trees/0/forms", lambda a: a[:-1], "no tables"),
    ("trees/0/forms", put(0, 255), "no tables"),
    ("trees/0/lengths", put(0, 0), "no length|bytes of bits|not as wide"),
    ("trees/0/lengths", lambda a: a[:-1], "no tables|bytes of bits"),
    ("trees/0/tables", lambda a: a * 0, "no tree"),
    ("trees/0/tables", lambda a: a | 255, "no tree"),
    ("trees/0/tables", lambda a: a[:-1], "bytes of bits"),
    ("trees/0/tables", lambda a: np.tile(a, 20), "bytes of bits"),
    ("trees/0/sizes", put(0, 0), "no units"),
    ("trees/0/sizes", put(0, 200), "divided"),
    ("trees/0/places", put(0, 250), "another letter"),
    ("trees/0/counts", lambda a: a.astype(np.float64) * np.nan, "not above 0"),
    ("trees/0/counts", lambda a: a.astype(np.int64), "type int64"),
    ("trees/0/counts", lambda a: a * 0, "not above 0"),
    ("units/sources", put(0, 3), "letters of its alphabet|sorted"),
    ("units/targets", put(0, 99), "not in the alphabet"),
]


@pytest.mark.parametrize(("name", "edit", "why"), WRONG)
def test_arrays_that_make_no_tree(name: str, edit: Callable[[Any], Any], why: str) -> None:
    with pytest.raises(FormatError, match=rf"is no tree model.*({why})"):
        from_contents(changed(name, edit))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("left", -1), ("left", True), ("right", 1000), ("previous", 9), ("trees", 0),
        ("smoothing", -1.0), ("smoothing", math.nan), ("temperature", 0), ("beam", -1.0),
        ("name", 3), ("description", []), ("left", 2), ("previous", 0),
    ],
)  # fmt: skip
def test_settings_that_make_no_sense(name: str, value: object) -> None:
    manifest = {**CONTENTS.manifest, name: value}
    with pytest.raises(FormatError, match="is no tree model"):
        from_contents(Contents(CONTENTS.kind, manifest, CONTENTS.arrays))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_is_accepted_answers(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(CONTENTS.arrays)))
    array = CONTENTS.arrays[name].copy()
    place = data.draw(st.integers(0, len(array) - 1))
    array[place] = data.draw(st.integers(0, 255))
    arrays = {**CONTENTS.arrays, name: array}
    try:
        model = from_contents(Contents(CONTENTS.kind, CONTENTS.manifest, arrays))
    except FormatError:
        return
    for word in WORDS:
        try:
            assert 0 <= model(word).posterior <= 1
        except ItemError:
            assert name.startswith("units")
