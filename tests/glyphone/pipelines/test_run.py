"""glyphone run: what it reads and writes, which items fail, and how it is told."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest

from glyphone.models.learners import file as learner_file
from glyphone.pipelines import reading
from glyphone.pipelines.reading import Reading, item_of, read_documents
from tests.glyphone.batch.support import same_however_often_stopped, stopped
from tests.glyphone.conftest import compiled
from tests.glyphone.pipelines.support import NUMBERS, phone_learner, written
from tests.glyphone.support import Ran, glyphone

PIPELINE = """
[[stages]]
use = "glyphone.find.v1"
model = "numbers.far"

[[stages]]
use = "glyphone.classify.v1"
model = "phone.glyphone"
label = "number"

[[stages]]
use = "glyphone.decode-f.v1"
"""
LONG = "five five five one two one two"
MESSAGES = f"call {LONG}\njust one thing\nno number\n\n"


@pytest.fixture(scope="session")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled("numbers", NUMBERS, tmp_path_factory)


@pytest.fixture
def here(numbers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "numbers.far").write_bytes(numbers.read_bytes())
    learner_file.save(phone_learner(), "phone.glyphone")
    written(tmp_path / "p.toml", PIPELINE)
    written(tmp_path / "in.txt", MESSAGES)
    return tmp_path


def objects(ran: Ran) -> list[dict[str, object]]:
    return [json.loads(line) for line in ran.out.splitlines()]


def test_a_grammar_a_learner_and_a_decoder(here: Path) -> None:
    for words in (["in.txt"], [], ["-"]):
        ran = glyphone("run", "p.toml", *words, "--jobs", "1", stdin=MESSAGES.encode())
        assert (ran.code, ran.err) == (0, "")
        (row,) = ran.out.splitlines()
        assert row.split("\t")[:5] == ["1", "5", "35", LONG, "5551212"]
        assert 0.5 < float(row.split("\t")[5]) < 1


def test_json_in_and_out(here: Path) -> None:
    lines = [{"text": text, "id": k} for k, text in enumerate(MESSAGES.splitlines())]
    given = written(here / "in.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    ran = glyphone("run", "p.toml", given, "--format", "jsonl", "--jobs", "1")
    rows = objects(ran)
    assert [row["id"] for row in rows] == [0, 1, 2, 3]
    assert [len(row["candidates"]) for row in rows] == [1, 0, 0, 0]  # type: ignore[arg-type]
    assert [one["value"] for one in rows[1]["rejected"]] == ["1"]  # type: ignore[attr-defined]
    # What is written can be read again.
    keep = written(here / "keep.toml", '[[stages]]\nuse = "glyphone.keep.v1"\n')
    again = glyphone("run", keep, "--read", "jsonl", "--format", "jsonl", stdin=ran.out.encode())
    assert (again.code, again.out) == (0, ran.out)


def test_failed_items_go_aside(here: Path) -> None:
    lines = ['{"text": "call one"}', "{", "[]", '{"said": 1}', '{"text": "\\ud800"}', '{"text": 5}']
    lines += ['{"text": "a", "candidates": [{"span": [0, 9], "text": "", "value": ""}]}']
    lines += ['{"text": "a", "candidates": 5}', '{"text": "a", "candidates": [{"span": [0]}]}']
    written(here / "in.jsonl", "\n".join(lines) + "\n")
    with (here / "in.jsonl").open("ab") as file:
        file.write(b'{"text": "\xff"}\n')
    ran = glyphone("run", "p.toml", "in.jsonl", "-o", "out.jsonl")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "9 of 10 items failed; see out.jsonl.errors.tsv\n"
    assert len((here / "out.jsonl").read_text().splitlines()) == 1
    head, *rows = (here / "out.jsonl.errors.tsv").read_text().splitlines()
    assert head.startswith("line\titem\tstage\t")
    told = [(row.split("\t")[0], row.split("\t")[2], row.split("\t")[6]) for row in rows]
    assert [line for line, _, _ in told] == [*map(str, range(2, 11))]
    assert {stage for _, stage, _ in told} == {"reading"}
    for (_, _, message), expected in zip(
        told,
        [
            "is no JSON: Expecting property name",
            "is no JSON object",
            "has no 'text'",
            "has half a surrogate pair",
            "text is 5",
            "a candidate has the span [0, 9]",
            "candidates are no list of objects",
            "text is missing",
            "is not UTF-8",
        ],
        strict=True,
    ):
        assert message.startswith(expected)
    ran = glyphone("run", "p.toml", "in.jsonl")
    assert ran.err.startswith("2\t{\treading\t") and ran.err.endswith("9 of 10 items failed\n")


def test_an_item_that_a_stage_refuses(here: Path, toy: Path) -> None:
    (here / "toy.far").write_bytes(toy.read_bytes())
    text = '[[stages]]\nuse = "glyphone.transduce.v1"\nmodel = "toy.far:PLAIN"\n'
    ran = glyphone("run", written(here / "t.toml", text), stdin=b"cha\nzz\nca\n")
    assert ran.code == 1
    assert ran.out == "1\t0\t3\tcha\ttʃ a\t1\n3\t0\t2\tca\tk a\t1\n"
    assert ran.err.startswith("2\tzz\tPLAIN\t0\tz\tU+007A\t")


def test_profile(here: Path) -> None:
    ran = glyphone("run", "p.toml", "in.txt", "--profile", "--jobs", "1")
    head, find, classify, decode = ran.err.splitlines()
    assert head.split()[:3] == ["stage", "items", "failed"]
    assert find.split()[:6] == ["glyphone.find.v1", "4", "0", "0", "2", "0"]
    assert classify.split()[:6] == ["glyphone.classify.v1", "4", "0", "2", "2", "0"]
    assert decode.split()[:6] == ["glyphone.decode-f.v1", "4", "0", "2", "1", "1"]


def test_a_saved_pipeline(here: Path) -> None:
    ran = glyphone("run", "p.toml", "--save", "p.pipeline")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    expected = glyphone("run", "p.toml", "in.txt").out
    for name in ("numbers.far", "phone.glyphone", "p.toml"):
        (here / name).unlink()
    assert glyphone("run", "p.pipeline", "in.txt").out == expected != ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("run", "the following arguments are required: PIPELINE"),
        ("run q.toml in.txt", "no file named 'q.toml' (did you mean p.toml or"),
        ("run p.toml wrods", "wrods: No such file or directory"),
        ("run p.toml in.txt -o in.txt", "must be different files"),
        ("run p.toml in.txt -o p.toml", "must be different files"),
        ("run p.toml --save p.toml", "must be different files (name other files with --save"),
        ("run p.toml in.txt --save in.txt", "must be different files"),
        ("run p.toml in.txt --save x -o x", "must be different files"),
        ("run p.toml --save no/x", "no/x: lies in no folder that exists (name another file with"),
        ("run p.toml --save -", "a model cannot be written to a stream (name a file with --save)"),
        ("run p.toml in.txt --format xml", "invalid choice: 'xml'"),
        ("run p.toml in.txt --jobs 0", "0 is not a whole number"),
        ("run phone.glyphone in.txt", "holds a model of the kind 'learner', expected pipeline"),
        ("run named.toml in.txt", "'said' is no column of TSV (columns have numbers, from 1;"),
    ],
)
def test_usage(here: Path, words: str, message: str) -> None:
    written(here / "named.toml", f'[input]\ntext = "said"\n{PIPELINE}')
    ran = glyphone(*words.split())
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert (here / "in.txt").read_text() == MESSAGES


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_documents_of_several_lines(here: Path, jobs: str) -> None:
    """Candidates of one document are decided about together, wherever blocks end."""
    head = "[input]\ntext = 2\ndocument = 1\n"
    written(here / "d.toml", head + PIPELINE)
    lines = [
        f"{k // 700}\t{'one two three four' if k % 7 else 'call ' + LONG}\n" for k in range(2800)
    ]
    written(here / "in.tsv", "".join(lines))
    several = glyphone("run", "d.toml", "in.tsv", "--jobs", jobs, "--format", "jsonl")
    assert several.code == 0
    parts = [written(here / f"{k}.tsv", "".join(lines[700 * k : 700 * k + 700])) for k in range(4)]
    alone = [
        glyphone("run", "d.toml", part, "--jobs", "1", "--format", "jsonl").out for part in parts
    ]
    assert several.out == "".join(alone)


def test_blocks_end_with_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chooser = random.Random(0)
    monkeypatch.setattr(reading, "BLOCK", 4)
    for _ in range(100):
        names = sorted(chooser.choices(["", "a", "b", "c", "d"], k=chooser.randrange(30)))
        path = written(tmp_path / "in", "".join(f"{k}\t{name}\n" for k, name in enumerate(names)))
        blocks = [chunk.items for chunk in read_documents(path, Reading(document="2"), "tsv")]
        assert [item.document for block in blocks for item in block] == names
        for one, other in pairwise(blocks):
            last, first = one[-1].document, other[0].document
            assert last != first or not last
        for block in blocks:
            alone = [item.document for item in block]
            assert len(block) <= 4 or alone[-1] == alone[3]


def test_windows_and_lines_that_cannot_be_read(tmp_path: Path) -> None:
    path = written(tmp_path / "in", "".join(f"{k}\n" for k in range(7)))
    (block,) = read_documents(path, Reading(window=3), "tsv")
    assert [item.document for item in block.items] == ["0", "0", "0", "1", "1", "1", "2"]
    path = written(tmp_path / "in.jsonl", '{"text": "", "d": 1}\n{\n{"text": "", "d": 1}\n')
    (block,) = read_documents(path, Reading(document="d"), "jsonl")
    assert [item.document for item in block.items] == ["1", "1", "1"]


def test_columns_that_are_missing() -> None:
    item = item_of("a\tb", 7, Reading(text="3"), "tsv")
    assert str(item.error) == (
        "reading: column 3 is missing: 2 found (separate columns by TAB, or take another)"
    )
    assert item.line == 7


def test_a_document_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_TOGETHER", 5)
    path = written(tmp_path / "in", "a\t1\n" * 6)
    with pytest.raises(Exception, match=r"in: line 6: the document '1' has more than 5 lines"):
        list(read_documents(path, Reading(document="2"), "tsv"))


@pytest.mark.parametrize("document", ["", "[input]\ntext = 2\ndocument = 1\n"])
@pytest.mark.parametrize("form", ["tsv", "jsonl", "tsv.gz"])
def test_a_run_stopped_anywhere_and_resumed(
    here: Path, monkeypatch: pytest.MonkeyPatch, document: str, form: str
) -> None:
    monkeypatch.setattr(reading, "BLOCK", 4)
    written(here / "d.toml", document + PIPELINE)
    lines = [f"{k // 3}\tcall {LONG}" if k % 5 else f"\xff{k}" for k in range(18)]
    (here / "in.tsv").write_bytes("\n".join(lines).encode("latin-1"))
    output = here / f"out.{form}"
    chunks = same_however_often_stopped("run", "d.toml", "in.tsv", "--jobs", "1", output=output)
    assert chunks == (4 if document else 5)


def test_another_pipeline_does_not_go_on_with_a_run(here: Path) -> None:
    words = ("run", "p.toml", "in.txt", "-o", "out")
    for change in ("\nthreshold = 0.9\n", ""):
        assert stopped(*words, entry=1)
        written(here / "p.toml", PIPELINE.replace('"glyphone.decode-f.v1"', '"glyphone.keep.v1"'))
        ran = glyphone(*words, "--resume")
        assert (ran.code, "contents of the model was" in ran.err) == (2, True)
        written(here / "p.toml", PIPELINE)
        assert glyphone(*words, "--resume").code == 0
        assert change or (here / "out").read_text().count("\n") == 1


def test_rows_of_parquet(here: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
    pa = pytest.importorskip("pyarrow")
    texts = [f"call {LONG}", None, "no number"]
    pq.write_table(pa.table({"id": [7, 8, 9], "said": texts}), "in.parquet")
    written(here / "said.toml", f'[input]\ntext = "said"\n{PIPELINE}')
    ran = glyphone("run", "said.toml", "in.parquet", "-o", "out.parquet")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "1 of 3 items failed; see out.parquet.errors.tsv\n"
    first, second, third = pq.read_table("out.parquet").to_pylist()
    assert (first["id"], first["said"], first["error"]) == (7, texts[0], None)
    (candidate,) = first["candidates"]
    assert candidate | {"score": 1} == {
        "begin": 5, "end": 35, "text": LONG, "value": "5551212", "score": 1
    }  # fmt: skip
    assert second["candidates"] is None and "is null" in second["error"]
    assert third["candidates"] == []
    written(here / "d.toml", f'[input]\ndocument = "id"\n{PIPELINE}')
    for pipeline, told in (
        ("d.toml", "a document of its own"),
        ("p.toml", "no column named 'text'"),
    ):
        ran = glyphone("run", pipeline, "in.parquet", "-o", "o.parquet")
        assert (ran.code, told in ran.err) == (2, True)
    assert same_however_often_stopped(
        "run", "said.toml", "in.parquet", output=here / "x.parquet"
    ) == 1  # fmt: skip
