"""Models of Japanese names on disk: they come back as they were, and what is damaged is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import glyphone
from glyphone.data.errors import FormatError
from glyphone.fst.storage.container import Contents
from glyphone.models.kanji.file import from_contents, save, to_contents
from glyphone.models.kanji.model import KanjiModel
from glyphone.models.kanji.training import fit_kanji
from tests.glyphone.models.kanji.names import SURNAMES, japanese, pair

ASKED = ["Yamada Tarō", "やまだ", "山田太郎", "Zhang", "ōkawa"]


def by_romaji() -> KanjiModel:
    pairs = [pair("山田", "yamada"), pair("大川", "Ohkawa"), pair("小野", "Ono")]
    return fit_kanji(pairs).model


MODELS: dict[str, Callable[[], KanjiModel]] = {
    "kana": japanese,
    "romaji": by_romaji,
    "warm": lambda: replace(japanese(), temperature=2.0, name="mine", description={"a": 1}),
    "exact": lambda: japanese().exact(),
}


@pytest.mark.parametrize("kind", MODELS)
def test_models_come_back(kind: str, tmp_path: Path) -> None:
    model = MODELS[kind]()
    path = tmp_path / "names.glyphone"
    save(model, path)
    found = glyphone.load(path)
    assert isinstance(found, KanjiModel)
    assert found.fingerprint() == model.fingerprint()
    assert (found.name, found.temperature) == (model.name, model.temperature)
    assert found.description == model.description
    asked = ["Yamada", "Ōkawa", "山田"] if kind == "romaji" else ASKED
    one, other = (some.answer(asked, n=3, spans=True) for some in (model, found))
    assert one.outputs == other.outputs
    assert one.posteriors == other.posteriors


def test_equal_models_are_equal_bytes(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one", "other")]
    for path in paths:
        save(fit_kanji([pair(kanji, kana) for kanji, kana in SURNAMES.items()]).model, path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def changed(contents: Contents, **manifest: Any) -> Contents:
    return replace(contents, manifest={**contents.manifest, **manifest})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"temperature": 0.0}, "its temperature is 0.0"),
        ({"temperature": True}, "its temperature is True"),
        ({"name": 3}, "it has no name"),
        ({"keys": {}}, "stages"),
        ({"romaji": {}}, "is no joint model"),
    ],
)
def test_a_damaged_manifest_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        from_contents(changed(to_contents(by_romaji()), **change))


@pytest.mark.parametrize("name", [*to_contents(by_romaji()).arrays])
def test_a_file_without_one_of_its_arrays_is_refused(name: str) -> None:
    contents = to_contents(by_romaji())
    arrays = {key: array for key, array in contents.arrays.items() if key != name}
    with pytest.raises(FormatError, match=r"is no (joint model|model of Japanese names)"):
        from_contents(replace(contents, arrays=arrays))


def test_a_cut_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "names.glyphone"
    save(by_romaji(), path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(FormatError):
        glyphone.load(path)
