"""Joint models on disk: what comes back answers the same, and damage never reaches a kernel."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import FormatError, GlyphoneError, ItemError
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.fst.alignment.training import AlignmentOptions
from glyphone.fst.alignment.units import Units
from glyphone.fst.joint.file import from_contents, load, save, to_contents
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.training import JointOptions, fit_joint
from glyphone.fst.storage import container as storage_container
from glyphone.fst.storage.container import Contents
from glyphone.fst.storage.packing import smallest_unsigned
from glyphone.models import kinds

LEXICON = {
    "phi": "f i", "hi": "h i", "pi": "p i", "graph": "g r a f", "rag": "r a g", "ax": "a k s",
    "taxi": "t a k s i", "hat": "h a t", "path": "p a θ", "that": "ð a t", "ñu": "ɲ u",
}  # fmt: skip
WORDS = ["phi", "taxi", "graphi", "thax", "", "ñuñ", "q", "rrr"]


@pytest.fixture(scope="module")
def model() -> JointModel:
    pairs = [Pair(tuple(word), tuple(phones.split())) for word, phones in LEXICON.items()]
    alignment = AlignmentOptions(max_source=2, max_target=2)
    options = JointOptions(order=4, alignment=alignment)
    found = fit_joint(pairs, options, source=Writing(case="lower"), name="tiny").model
    return replace(found, temperature=1.5, description={"order": 4, "metrics": {"wer": 0.25}})


def answers(model: JointModel) -> list[Any]:
    found = model.answer(WORDS, n=3)
    rows = [
        [(h.output, h.cost, h.posterior, h.spans) for h in found.hypotheses(item)]
        for item in range(len(WORDS))
    ]
    return [rows, {item: str(error) for item, error in found.failures.items()}]


def test_what_comes_back_is_the_same(model: JointModel, tmp_path: Path) -> None:
    unproven = replace(model, beam=math.inf, insertions=2)
    for number, saved in enumerate([model, model.invert(), unproven]):
        path = tmp_path / f"{number}.glyphone"
        save(saved, path)
        loaded = load(path)
        assert loaded.fingerprint() == saved.fingerprint()
        for one, other in zip(loaded.ngrams.ngrams, saved.ngrams.ngrams, strict=True):
            assert (one.dtype, one.tobytes()) == (other.dtype, other.tobytes())
            assert one.flags.writeable  # or kernels would be compiled once more for it
        assert np.array_equal(loaded.ngrams.levels, saved.ngrams.levels)
        for name in ("name", "insertions", "temperature", "beam", "description"):
            assert getattr(loaded, name) == getattr(saved, name)
        assert (loaded.source, loaded.target) == (saved.source, saved.target)
        assert answers(loaded) == answers(saved)
        assert loaded.invert().fingerprint() == saved.invert().fingerprint()


def test_equal_models_give_equal_bytes(model: JointModel, tmp_path: Path) -> None:
    save(model, tmp_path / "a")
    save(load(tmp_path / "a"), tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    save(replace(model, temperature=1.25), tmp_path / "c")
    assert (tmp_path / "a").read_bytes() != (tmp_path / "c").read_bytes()


def test_members_of_one_file(model: JointModel, tmp_path: Path) -> None:
    both = [model, model.invert()]
    parts = [to_contents(member, f"members/{k}/") for k, member in enumerate(both)]
    arrays = {name: array for part in parts for name, array in part.arrays.items()}
    contents = Contents("pair", {"members": [part.manifest for part in parts]}, arrays)
    storage_container.write(tmp_path / "pair", contents)
    found = storage_container.read(tmp_path / "pair")
    for k, member in enumerate(both):
        part = replace(found, manifest=found.manifest["members"][k])
        assert from_contents(part, f"members/{k}/").fingerprint() == member.fingerprint()
    with pytest.raises(FormatError, match=r"kind 'pair', expected .*ensemble"):
        kinds.load(tmp_path / "pair")


def test_numbers_take_no_more_room_than_they_must(model: JointModel) -> None:
    arrays = to_contents(model).arrays
    assert {arrays[f"ngrams/{name}"].dtype.itemsize for name in ("tokens", "counts")} == {1}
    for greatest, size in ((0, 1), (255, 1), (256, 2), (65535, 2), (65536, 4)):
        found = smallest_unsigned(np.array([greatest]))
        assert found.dtype.itemsize == size and found[0] == greatest


def test_new_histories_need_no_number(model: JointModel) -> None:
    ngrams = model.ngrams
    numbers = np.arange(ngrams.n_words)[::-1]
    tokens = np.append(numbers, ngrams.end).astype(np.int32)[ngrams.tokens]
    order = np.lexsort((tokens, ngrams.sources()))
    mixed = replace(
        ngrams,
        tokens=tokens[order],
        log_probs=ngrams.log_probs[order],
        targets=ngrams.targets[order],
    )
    stored = {
        name: len(to_contents(replace(model, ngrams=found)).arrays["ngrams/targets"])
        for name, found in (("ordered", ngrams), ("mixed", mixed))
    }
    assert stored == {"ordered": ngrams.n_ngrams - (ngrams.n_states - 2), "mixed": ngrams.n_ngrams}


def test_models_that_cannot_be_saved(model: JointModel, tmp_path: Path) -> None:
    gap = replace(model.source, symbols={"a": 1, "b": 3})
    with pytest.raises(GlyphoneError, match="labels of a joint model are not 1, 2, 3"):
        save(replace(model, source=gap), tmp_path / "x")
    long = Units.of([((1,) * 256, (1,))], n_labels=model.units.n_labels)
    with pytest.raises(GlyphoneError, match="tiny: a unit is longer than 255 symbols"):
        save(replace(model, units=long), tmp_path / "x")
    assert not (tmp_path / "x").exists()


Change = Callable[[dict[str, Any], dict[str, Any]], Any]


def array(name: str, change: Callable[[Any], Any]) -> Change:
    return lambda manifest, arrays: arrays.update({name: change(arrays[name].copy())})


def entry(name: str, place: int, value: float) -> Change:
    def changed(column: Any) -> Any:
        wide = column.astype("u4" if column.dtype.kind == "u" else column.dtype)
        wide[place] = value
        return wide

    return array(name, changed)


def setting(name: str, value: Any) -> Change:
    return lambda manifest, arrays: manifest.update({name: value})


def side(name: str, **changes: Any) -> Change:
    return lambda manifest, arrays: manifest[name].update(changes)


DAMAGE: list[tuple[Change, str]] = [
    (entry("ngrams/tokens", 40, 10**6), "arcs of a state are not sorted|not in the vocabulary"),
    (entry("ngrams/targets", 3, 10**6), "an arc leads nowhere"),
    (entry("ngrams/targets", 3, 2**32 - 1), "an arc leads nowhere"),
    (entry("ngrams/backoff_states", 3, 10**6), "does not back off to a shorter one"),
    (entry("ngrams/counts", 0, 10**6), "do not divide its arcs|not have every word"),
    (entry("ngrams/levels", 1, 10**6), "lengths of its histories"),
    (entry("ngrams/log_probs", 3, np.nan), "a probability is not a number"),
    (entry("ngrams/log_probs", 3, 5.0), "a probability is too great"),
    (entry("ngrams/backoffs", 3, np.inf), "a probability is too great"),
    (array("ngrams/counts", lambda a: a.astype("i8")), "type int64"),
    (array("ngrams/tokens", lambda a: a[:-8]), "makes has shape"),
    (array("ngrams/makes", lambda a: ~a), "no joint model: ValueError: .* assign"),
    (array("ngrams/makes", lambda a: a.astype("u2")), "makes has shape .* type uint16"),
    (array("ngrams/targets", lambda a: a[:-1]), "no joint model: ValueError: .* assign"),
    (array("ngrams/log_probs", lambda a: a.reshape(1, -1)), "log_probs has shape"),
    (array("ngrams/backoffs", lambda a: a.view("i4")), "type int32"),
    (array("ngrams/backoff_states", lambda a: a[1:]), "no joint model: ValueError"),
    (array("ngrams/counts", lambda a: a[:0]), "no joint model|do not divide"),
    (array("units/sources", lambda a: a + 100), "a symbol that is read is not in the alphabet"),
    (entry("units/targets", 0, 0), "a symbol that is written is not in the alphabet"),
    (array("units/sources", lambda a: a[:-1]), "sources does not divide its labels"),
    (array("units/sources", lambda a: a[::-1].copy()), "units are not sorted"),
    (array("units/sources_lengths", lambda a: a.astype("u4")), "type uint32"),
    (lambda manifest, arrays: arrays.pop("units/targets"), "KeyError: 'units/targets'"),
    (lambda manifest, arrays: manifest.pop("beam"), "KeyError: 'beam'"),
    (setting("insertions", 10**9), "its insertions is 1000000000"),
    (setting("insertions", 1.0), "its insertions is 1.0"),
    (setting("temperature", 0), "its temperature is 0"),
    (setting("beam", "wide"), "its beam is 'wide'"),
    (setting("beam", -1), "its beam is -1"),
    (setting("start", 10**6), "does not start in a state|cannot assign"),
    (setting("start", "0"), "the start is not a number"),
    (setting("name", 7), "it has no name"),
    (setting("description", []), "or no description"),
    (setting("source", []), "no joint model: TypeError"),
    (side("source", symbols=["a"]), "a symbol that is read is not in the alphabet"),
    (side("source", symbols=["a", "a"]), "stands there twice"),
    (side("target", symbols=["a", 1]), "symbols are not strings"),
    (side("target", stage=1), "a stage is not a string"),
    (side("target", writing={"unit": "byte"}), "no unit named 'byte'"),
    (side("target", writing={"size": 1}), "no writing option named 'size'"),
]


@pytest.mark.parametrize("place", range(len(DAMAGE)))
def test_a_file_that_kernels_would_stumble_over(
    model: JointModel, tmp_path: Path, place: int
) -> None:
    change, message = DAMAGE[place]
    whole = to_contents(model)
    manifest, arrays = json.loads(json.dumps(whole.manifest)), dict(whole.arrays)
    change(manifest, arrays)
    path = tmp_path / "bad.glyphone"
    storage_container.write(path, Contents("joint", manifest, arrays))
    with pytest.raises(FormatError, match=message) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: is no ")


@given(st.data())
def test_damage_that_is_not_seen_does_no_harm(model: JointModel, data: st.DataObject) -> None:
    """Whatever numbers a forger puts in: the file is refused, or the model answers something."""
    whole = to_contents(model)
    arrays: dict[str, Any] = {name: found.copy() for name, found in whole.arrays.items()}
    for _ in range(data.draw(st.integers(1, 3))):
        column = arrays[data.draw(st.sampled_from(sorted(arrays)))]
        place = data.draw(st.integers(0, len(column) - 1))
        if column.dtype.kind == "f":
            column[place] = data.draw(st.sampled_from([-np.inf, -1e30, -1.0, 0.0, 0.05, 40.0]))
        else:
            column[place] = data.draw(st.integers(0, min(255, int(column.max()) + 1)))
    try:
        found = from_contents(Contents("joint", plain(whole.manifest), arrays))
    except FormatError:
        return
    with np.errstate(all="ignore"):
        for word in ("phi", "grax"):
            try:
                found.nbest(word, 2)
                found.score(word, "f i")
            except ItemError:
                pass


def plain(manifest: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(manifest))
    return found


def test_the_first_answer_loads_nothing_slow(model: JointModel, tmp_path: Path) -> None:
    save(model, tmp_path / "x.glyphone")
    code = (
        f"import glyphone, sys; model = glyphone.load({str(tmp_path / 'x.glyphone')!r})\n"
        "assert model('phi').output == 'f i'\n"
        "assert not {'numba', 'scipy', 'pynini', 'sklearn', 'tqdm'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
