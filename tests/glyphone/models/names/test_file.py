"""Models of names on disk: they come back as they were, and what is damaged is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import FormatError, ItemError
from glyphone.fst.automata import openfst
from glyphone.fst.automata.transducer import SymbolTable
from glyphone.fst.joint import file as joint_file
from glyphone.fst.storage import container as storage_container
from glyphone.fst.storage.container import Contents
from glyphone.models import kinds
from glyphone.models.names import file as name_file
from glyphone.models.names.file import from_contents, load, save, to_contents
from glyphone.models.names.languages import find_language
from glyphone.models.names.model import NameModel
from glyphone.models.names.training import fit_names
from tests.glyphone.models.names.support import pairs_of, tarali, velm

NAMES = ["Mira", "TAREK salo", "Señor-Mãra", "D'Elo", "Luna 2", "", "M. Anto"]


def hindi() -> NameModel:
    return fit_names(pairs_of({"rana": "राना", "nara": "नारा"}), find_language("hin")).model


MODELS: dict[str, Callable[[], NameModel]] = {
    "alphabet": velm,
    "tables": tarali,
    "grammar": hindi,
    "warm": lambda: replace(tarali(), temperature=1.7, name="mine", description={"date": "now"}),
    "exact": lambda: velm().exact(),
}


def answers(model: NameModel) -> list[Any]:
    found = model.answer(NAMES, n=3, spans=True)
    rows = [found.hypotheses(item) for item in range(len(NAMES))]
    return [rows, {item: str(error) for item, error in found.failures.items()}]


@pytest.mark.parametrize("name", MODELS)
def test_what_comes_back_is_the_same(tmp_path: Path, name: str) -> None:
    model = MODELS[name]()
    save(model, tmp_path / "a.glyphone")
    for loaded in (load(tmp_path / "a.glyphone"), kinds.load(tmp_path / "a.glyphone")):
        assert isinstance(loaded, NameModel)
        assert loaded.fingerprint() == model.fingerprint()
        assert answers(loaded) == answers(model)
        for field in ("name", "temperature", "description"):
            assert getattr(loaded, field) == getattr(model, field)
        for field in name_file.SETTINGS:
            assert getattr(loaded.language, field) == getattr(model.language, field)
    save(load(tmp_path / "a.glyphone"), tmp_path / "b.glyphone")
    assert (tmp_path / "a.glyphone").read_bytes() == (tmp_path / "b.glyphone").read_bytes()
    save(replace(model, temperature=0.5), tmp_path / "c.glyphone")
    assert (tmp_path / "a.glyphone").read_bytes() != (tmp_path / "c.glyphone").read_bytes()


def test_files_that_are_cut_or_changed(tmp_path: Path) -> None:
    path = tmp_path / "x.glyphone"
    save(tarali(), path)
    data = path.read_bytes()
    changed = data.replace(b'"Tarali"', b'"Tarala"')
    assert len(changed) == len(data) and changed != data
    for bad in (changed, data[:-10], data[: len(data) // 2], data + b"x"):
        path.write_bytes(bad)
        with pytest.raises(FormatError, match=r"x\.glyphone: is cut off or "):
            load(path)


def test_files_of_other_kinds(tmp_path: Path) -> None:
    joint_file.save(velm().joint, tmp_path / "joint.glyphone")
    with pytest.raises(FormatError, match="of the kind 'joint', expected names"):
        load(tmp_path / "joint.glyphone")
    save(velm(), tmp_path / "names.glyphone")
    with pytest.raises(FormatError, match="of the kind 'names', expected joint"):
        joint_file.load(tmp_path / "names.glyphone")


Row = dict[str, Any]
Change = Callable[[Row, Row, Row], Any]


def setting(value: Any, *path: str) -> Change:
    def changed(manifest: Row, arrays: Row, blobs: Row) -> None:
        for key in path[:-1]:
            manifest = manifest[key]
        manifest[path[-1]] = value

    return changed


def without(*path: str) -> Change:
    def changed(manifest: Row, arrays: Row, blobs: Row) -> None:
        for key in path[:-1]:
            manifest = manifest[key]
        del manifest[path[-1]]

    return changed


def script(change: Callable[[bytes], bytes]) -> Change:
    return lambda manifest, arrays, blobs: blobs.update(
        {"script/0.fst": change(blobs["script/0.fst"])}
    )


def machine(**changes: Any) -> Change:
    """The last machine of the script with other labels or symbols."""

    def changed(manifest: Row, arrays: Row, blobs: Row) -> None:
        last = f"script/{manifest['script']['stages'] - 1}.fst"
        found = openfst.from_bytes(blobs[last])
        made = {name: change(getattr(found, name)) for name, change in changes.items()}
        blobs[last] = openfst.to_bytes(replace(found, **made))

    return changed


def with_label(table: SymbolTable | None, label: int) -> SymbolTable:
    assert table is not None
    return replace(table, labels=(*table.labels[:-1], label))


DAMAGE: list[tuple[Change, str]] = [
    (without("language"), "KeyError: 'language'"),
    (without("language", "cased"), "KeyError: 'cased'"),
    (without("joint"), "KeyError: 'joint'"),
    (without("temperature"), "KeyError: 'temperature'"),
    (setting([], "language"), "TypeError"),
    (setting(1, "language", "code"), "the code of its language is 1"),
    (setting(None, "language", "space"), "the space of its language is None"),
    (setting(1, "language", "cased"), "the cased of its language is 1"),
    (setting("yes", "language", "cased"), "the cased of its language is 'yes'"),
    (setting(7, "name"), "it has no name, or no description"),
    (setting([], "description"), "it has no name, or no description"),
    (setting("1", "temperature"), "its temperature is '1'"),
    (setting(0, "temperature"), "its temperature is 0"),
    (setting(1e9, "temperature"), "its temperature is 1000000000.0"),
    (setting(True, "temperature"), "its temperature is True"),
    (setting([], "joint"), "is no joint model: TypeError"),
    (setting("wide", "joint", "beam"), "is no joint model: its beam is 'wide'"),
    (setting({"unit": "byte"}, "joint", "target", "writing"), "no unit named 'byte'"),
    (setting(None, "script"), "TypeError"),
    (setting({}, "script"), "KeyError: 'name'|KeyError: 'stages'"),
    (setting(1, "script", "name"), "its script has no name"),
    (setting(0, "script", "stages"), "its script has 0 stages"),
    (setting(True, "script", "stages"), "its script has True stages"),
    (setting(21, "script", "stages"), "its script has 21 stages"),
    (setting(20, "script", "stages"), "KeyError: 'script/"),
    (setting({"unit": "word"}, "script", "target"), "no unit named 'word'"),
    (setting({"size": 1}, "script", "source"), "no writing option named 'size'"),
    (lambda manifest, arrays, blobs: blobs.pop("script/0.fst"), "KeyError: 'script/0.fst'"),
    (lambda manifest, arrays, blobs: arrays.pop("joint/units/targets"), "joint/units/targets"),
    (script(lambda data: data[:-3]), r"bad\.glyphone: script/0\.fst: "),
    (script(lambda data: b"no machine"), r"bad\.glyphone: script/0\.fst: "),
    (script(lambda data: data + b"x"), "has 1 bytes after the end of the FST"),
    (machine(osymbols=lambda table: None), "its script has no symbols"),
    (machine(olabels=lambda labels: labels + 1000), "its script has the label 1000, which is no"),
    (machine(ilabels=lambda labels: labels + 2**30), "its script has the label 1073741"),
    (machine(isymbols=lambda table: with_label(table, -(2**40))), "symbols without a label"),
    (machine(isymbols=lambda table: with_label(table, 2**40)), "symbols without a label"),
]


@pytest.mark.parametrize("place", range(len(DAMAGE)))
def test_a_file_that_makes_no_sense(tmp_path: Path, place: int) -> None:
    change, message = DAMAGE[place]
    manifest, arrays, blobs = copied(to_contents(tarali()))
    change(manifest, arrays, blobs)
    path = tmp_path / "bad.glyphone"
    storage_container.write(path, Contents("names", manifest, arrays, blobs))
    with pytest.raises(FormatError, match=message) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: ")


def copied(contents: Contents) -> tuple[Row, Row, Row]:
    manifest = json.loads(json.dumps(contents.manifest))
    return manifest, dict(contents.arrays), dict(contents.blobs)


@given(st.data())
def test_damage_that_is_not_seen_does_no_harm(data: st.DataObject) -> None:
    """Whatever numbers a forger puts in: the file is refused, or the model answers something."""
    manifest, arrays, blobs = copied(to_contents(tarali()))
    name = data.draw(st.sampled_from(sorted(blobs)))
    body = bytearray(blobs[name])
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(body) - 1))
        body[place] = data.draw(st.sampled_from([0, 1, 2, 5, 127, 255]))
    blobs[name] = bytes(body)
    try:
        found = from_contents(Contents("names", manifest, arrays, blobs))
    except FormatError:
        return
    with np.errstate(all="ignore"):
        for word in ("Mira salo", "tarek"):
            try:
                found.nbest(word, 2)
                found.score(word, "მ\u0307რ")
            except ItemError:
                pass
