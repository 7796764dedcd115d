"""Pipelines as TOML: everything is checked, with its line, before a model is loaded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.catalog import names as catalog_names
from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.grammar_tools import archives
from glyphone.models.learners import file as learner_file
from glyphone.pipelines import pipeline, resources, toml
from glyphone.pipelines.reading import Reading
from tests.glyphone.pipelines.support import phone_learner, written

GOOD = """# Numbers in messages.
[input]
text = 2
document = "1"

[[stages]]
use = "glyphone.find.v1"
model = "toy.far:PLAIN"
longest = 9

[[stages]]
use = "glyphone.classify.v1"
model = "phone.glyphone"
columns = [
    "words",
    "after",
]

[[stages]]
use = "glyphone.rerank.v1"
weights = { classifier = 1, weight = 0.5 }
"""


@pytest.fixture
def here(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "toy.far").write_bytes(toy.read_bytes())
    learner_file.save(phone_learner(), tmp_path / "phone.glyphone")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_good_one(here: Path) -> None:
    made = pipeline.load(written(here / "p.toml", GOOD))
    assert made.names == ["glyphone.find.v1", "glyphone.classify.v1", "glyphone.rerank.v1"]
    assert made.reading == Reading(text="2", document="1")
    find, classify, rerank = made.stages
    assert (find.longest, find.model.name) == (9, "PLAIN")  # type: ignore[attr-defined]
    assert classify.columns == ("words", "after")  # type: ignore[attr-defined]
    assert rerank.weights == {"classifier": 1.0, "weight": 0.5}  # type: ignore[attr-defined]


def test_files_lie_beside_the_pipeline(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(here / "p.toml", "\ufeff" + GOOD.replace("\n", "\r\n"))
    (here / "elsewhere").mkdir()
    monkeypatch.chdir(here / "elsewhere")
    assert len(pipeline.load(path).stages) == 3


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("[input]", "[inputs]", 2, "no part of a pipeline named 'inputs' (did you mean input?)"),
        ("text = 2", "txt = 2", 3, "no setting named 'txt' (did you mean text?)"),
        ("text = 2", "text = 2.5", 3, "text is 2.5 (it must be text in quotes)"),
        ("text = 2", "window = 5", 3, "there are a document and a window (leave one out)"),
        ("glyphone.find.v1", "glyphone.find.v9", 7, "named 'glyphone.find.v9' (did you mean "),
        ("glyphone.find.v1", "acme.find.v1", 7, "no stage named 'acme.find.v1' (did you mean"),
        ('use = "glyphone.find.v1"', "use = 3", 7, 'a stage has no name (write use = "...")'),
        ('use = "glyphone.find.v1"\n', "", 6, 'a stage has no name (write use = "...")'),
        ("longest = 9", "longst = 9", 9, "no setting named 'longst' (did you mean longest?)"),
        (
            "longest = 9",
            "longest = 0",
            9,
            "longest is 0 (it must be a whole number from 1 to 1000)",
        ),
        ("longest = 9", "longest = 1.0", 9, "longest is 1.0 (it must be a whole number)"),
        ("longest = 9", "longest = true", 9, "longest is True (it must be a whole number)"),
        ("longest = 9", 'runs = "short"', 9, "runs is 'short' (it must be 'longest' or 'all')"),
        ("toy.far:PLAIN", "toi.far:PLAIN", 8, "named 'toi.far' (did you mean toy.far"),
        (
            "toy.far:PLAIN",
            "toy.far:PLANE",
            8,
            "toy.far: no rule named 'PLANE' (did you mean PLAIN?)",
        ),
        ('model = "toy.far:PLAIN"\n', "", 6, "model is missing (write model = ...)"),
        ('"toy.far:PLAIN"', "[]", 8, "model is [] (it must be text in quotes)"),
        ("phone.glyphone", "fone.glyphone", 13, "no file of a learner named 'fone.glyphone' (did"),
        ("phone.glyphone", "toy.far", 13, "toy.far: is not a model file: it begins with"),
        ('    "after",\n', "    3,\n", 14, "it must be a list, each text in quotes"),
        ("columns = [", 'label = "phone"\ncolumns = [', 14, "no class named 'phone' (there are: "),
        ("0.5", "nan", 21, "it must be a table, each a finite number"),
        ("{ classifier = 1, weight = 0.5 }", "1", 21, "weights is 1 (it must be a table in { })"),
        ("{ classifier = 1, weight = 0.5 }", "{}", 21, "weights are none (name the features that"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    here: Path, old: str, new: str, line: int, message: str
) -> None:
    path = written(here / "p.toml", GOOD.replace(old, new, 1))
    with pytest.raises(FormatError) as caught:
        pipeline.load(path)
    assert str(caught.value).startswith(f"{path}: line {line}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no stages (begin each with [[stages]])"),
        ("stages = 3", "line 1: has no stages"),
        ("stages = [1]", "line 1: has no stages"),
        ('stages = [{ use = "glyphone.keep.v1" }, 1]', "line 1: has no stages"),
        ("[stages]\nuse = 1", "line 1: has no stages"),
        ('input = 1\n[[stages]]\nuse = "glyphone.keep.v1"', "line 1: input is no table"),
        ("[[stages]]\nuse = ", "line 2: is no TOML: Invalid value (at end of document)"),
        ("[[stages]]\nuse = 1\nuse = 2\n", "line 3: is no TOML: Cannot overwrite a value (at"),
    ],
)
def test_other_files(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path / "p.toml", text)
    with pytest.raises(FormatError) as caught:
        pipeline.load(path)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_no_file(here: Path) -> None:
    written(here / "numbers.toml", GOOD)
    with pytest.raises(UnknownName, match=r"'.*number\.toml' \(did you mean .*numbers\.toml"):
        pipeline.load(here / "number.toml")
    (here / "bytes.toml").write_bytes(b"\xff")
    with pytest.raises(FormatError, match=r"bytes\.toml: line 1: is not UTF-8"):
        pipeline.load(here / "bytes.toml")


def test_nothing_is_loaded_before_all_is_checked(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[Any] = []
    monkeypatch.setattr(resources.catalog_names, "load", loaded.append)
    monkeypatch.setattr(learner_file, "load", loaded.append)
    score = '\n[[stages]]\nuse = "glyphone.score.v1"\nfeature = "again"\nmodel = "{}"\n'
    decode = '\n[[stages]]\nuse = "glyphone.decode-f.v1"\nalpha = 0.0\n'
    for wrong, message in (
        (GOOD.replace("weights = {", "weight = {"), "line 21: no setting named 'weight'"),
        (GOOD + score.format("toi.far:PLAIN"), "line 26: no model, archive or grammar named"),
        (GOOD + score.format("toy.far:PLANE"), "line 26: .*toy.far: no rule named 'PLANE'"),
        (GOOD + decode, r"line 25: alpha is 0.0 \(it must be a number above 0 and at most 1\)"),
    ):
        with pytest.raises(FormatError, match=message):
            pipeline.load(written(here / "p.toml", wrong))
        assert loaded == []


def test_a_default_model_that_is_not_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (archives, catalog_names):
        monkeypatch.setattr(module, "built_file", lambda name, suffix: None)
    train = "glyphone models train hin: .*"
    for name, remedy in ("hin", train), ("spa.letter_to_sound:X", "make grammars"):
        text = f'[[stages]]\nuse = "glyphone.transduce.v1"\nmodel = "{name}"\n'
        with pytest.raises(FormatError, match=rf"line 3: .* is not .* yet \({remedy}\)"):
            pipeline.load(written(tmp_path / "p.toml", text))


SIMPLE = st.sampled_from(
    ["1", "'a = 1'", "[1,\n2,\n# b = 2\n3]", '"""\nc = 1\n\n[x]\n"""', "{ d = 1 }"]
)
STATEMENTS = st.lists(
    st.tuples(st.integers(0, 2), SIMPLE, st.sampled_from(["", "[[t]]", "[[t]]\n# ["]))
)


@given(STATEMENTS)
def test_lines_of_keys(statements: list[tuple[int, str, str]]) -> None:
    """The line of a key is the one where it was written, whatever values look like."""
    lines: list[str] = []
    expected: dict[Any, int] = {}
    table = -1
    for number, (blanks, value, head) in enumerate(statements):
        lines += [""] * blanks
        if head:
            table += 1
            expected.setdefault(("t", table), len(lines) + 1)
            lines += head.split("\n")
        place = (f"k{number}",) if table < 0 else ("t", table, f"k{number}")
        expected[place] = len(lines) + 1
        lines += f"k{number} = {value}".split("\n")
    found = toml.lines_of("\n".join(lines))
    assert {place: found.get(place) for place in expected} == expected


@dataclass(frozen=True)
class Odd:
    value: complex


def test_a_type_of_settings_that_no_file_can_give() -> None:
    with pytest.raises(GlyphoneError, match="no file can give it a value"):
        toml.check_settings(Odd, {"value": 1})
