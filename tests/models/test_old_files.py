"""Files that earlier versions wrote load in this one, and answer as they did: see README.md."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glyphone.fst.storage import container as storage_container
from glyphone.grammar_tools import archives
from glyphone.models import kinds
from glyphone.models.learners.types import OLD_NAMES
from glyphone.pipelines.registry import NAME
from tests.models import reading

HERE = Path(__file__).parent
FIRST = HERE / "written_at_87eee11"
# These need a compiled grammar.
SPOKEN = ("voicemail", "numbers", "pipeline_of_voicemail")
# Kinds of files that hold no string model.
OTHERS = {
    "learner", "pipeline", "transfer-checkpoint", "voicemail", "voicemail-callers",
    "voicemail-numbers",
}  # fmt: skip


@pytest.mark.parametrize(
    "told", sorted(HERE.glob("*/*.json")), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
# Of scikit-learn there may be another version, whose numbers are the same to nine digits.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.InconsistentVersionWarning")
def test_the_same_answers(told: Path) -> None:
    row = json.loads(told.read_text(encoding="utf-8"))
    spoken = row["asked_by"] in SPOKEN or told.stem in SPOKEN
    if spoken and archives.archive_of("eng.phone_numbers") is None:
        pytest.skip("eng.phone_numbers is not compiled: make grammars")
    found = reading.answers(told.with_name(row["file"]), row["asked_by"], row["asked"])
    assert len(found) == len(row["asked"])
    assert_same(found, row["answers"], "answers")


def assert_same(found: Any, wanted: Any, place: str) -> None:
    """Text and whole numbers are equal, others to nine digits."""
    if isinstance(wanted, float) and isinstance(found, float):
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9, nan_ok=True), place
        return
    assert type(found) is type(wanted), place
    if isinstance(wanted, list):
        assert len(found) == len(wanted), place
        for k, (one, other) in enumerate(zip(found, wanted, strict=True)):
            assert_same(one, other, f"{place}[{k}]")
    elif isinstance(wanted, dict):
        assert found.keys() == wanted.keys(), place
        for key in wanted:
            assert_same(found[key], wanted[key], f"{place}[{key!r}]")
    else:
        assert found == wanted, place


def test_there_is_a_file_of_every_kind() -> None:
    contents = [storage_container.read(path) for path in FIRST.glob("*.glyphone")]
    assert {one.kind for one in contents} == {*kinds.answering_kinds(), *OTHERS}
    judges = {
        judge["kind"] for one in contents for judge in one.manifest.get("judges", ()) if judge
    }
    assert judges == {"crf", "tree", "spelling"}
    assert [path.stem for path in sorted(FIRST.glob("*.far"))] == ["cascade", "tree_compiled"]


def test_every_file_is_asked() -> None:
    for folder in {path.parent for path in HERE.glob("*/*.json")}:
        files = {path.stem for path in folder.iterdir() if path.suffix != ".json"}
        assert files == {path.stem for path in folder.glob("*.json")}


@pytest.mark.parametrize("path", sorted(HERE.glob("*/*.glyphone")), ids=lambda path: path.stem)
def test_no_path_of_a_module_is_in_a_file(path: Path) -> None:
    """A name that begins as our modules do has a version; the first learners had paths."""
    told = [*texts(storage_container.read(path).manifest)]
    strange = [text for text in told if text.startswith("glyphone.") and not NAME.fullmatch(text)]
    assert not strange or (path.parent == FIRST and {*strange} <= {*OLD_NAMES})


def texts(value: Any) -> Iterator[str]:
    """All that is written in a manifest."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from texts([*value, *value.values()])
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)
