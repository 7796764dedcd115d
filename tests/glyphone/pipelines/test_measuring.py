"""`glyphone evaluate` of pipelines, from TOML files and as one file, on documents with gold."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from glyphone.data.records import Candidate
from glyphone.fst.rules.cascade import cascade
from glyphone.fst.transducers import archive
from glyphone.pipelines.measuring import Gold, evaluate_items
from glyphone.pipelines.registry import Item
from tests.glyphone.support import Ran, glyphone

SPANS = [(begin, end) for begin in range(4) for end in range(begin + 1, 5)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rules = cascade(letters="a b", phones="a b c", rules="b -> b | c")
    archive.save("toy.far", {"X": rules})
    Path("answers.toml").write_text(
        '[[stages]]\nuse = "glyphone.transduce.v1"\nmodel = "toy.far:X"\nn = 2\n'
    )
    return tmp_path


def measured(pipeline: str, rows: list[Any], *more: str) -> tuple[Ran, dict[str, Any]]:
    text = "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)
    Path("gold.jsonl").write_text(text, encoding="utf-8")
    ran = glyphone("evaluate", pipeline, "gold.jsonl", "--json", *more)
    return ran, json.loads(ran.out) if ran.out else {}


@pytest.mark.parametrize("seed", range(30))
def test_spans_against_sums_that_are_written_out(seed: int) -> None:
    chooser = random.Random(seed)
    items, gold = [], []
    counts = {"spans": [0, 0, 0], "spans with values": [0, 0, 0]}
    for _ in range(chooser.randrange(1, 6)):
        there, found = (
            {span: chooser.choice("xy") for span in chooser.sample(SPANS, chooser.randrange(4))}
            for _ in range(2)
        )
        items.append(
            Item("abcd", tuple(Candidate(s, "abcd"[slice(*s)], v) for s, v in found.items()))
        )
        gold.append(tuple(Gold(value, span) for span, value in there.items()))
        for row in counts.values():
            row[1] += len(there)
            row[2] += len(found)
        for span, value in found.items():
            counts["spans"][0] += span in there
            counts["spans with values"][0] += there.get(span) == value
    evaluation = evaluate_items(items, gold)
    sums = {one.name: one.counts.sum(axis=0)[[0, 2, 3]].tolist() for one in evaluation.tallies}
    assert sums == counts


def test_values(folder: Path) -> None:
    rows = [
        {"text": "ab", "gold": ["a c"]},
        {"text": "a", "gold": ["a"]},
        {"text": "a€", "gold": ["a"]},
        {"text": "b", "gold": []},
    ]
    ran, found = measured("answers.toml", rows, "--nbest", "2", "--wrong", "wrong.tsv")
    assert ran.code == 1 and "line 3: item 'a€'" in ran.err
    shares = {name: (row["right"], row["of"]) for name, row in found["shares"].items()}
    assert shares == {"first candidate": (1, 4), "among the first 2": (2, 4)}
    # An item that failed has its gold marks missed.
    values = found["tasks"]["values"]
    assert (values["right"], values["gold"], values["given"]) == (2, 3, 5)
    wrong = [row.split("\t") for row in Path("wrong.tsv").read_text("utf-8").splitlines()[1:]]
    assert [row[0] for row in wrong] == ["1", "3", "4"] and wrong[1][3:] == ["a", ""]


def test_one_file_with_all_models_measures_alike(folder: Path) -> None:
    rows = [{"text": "ab", "gold": [{"span": [0, 2], "value": "a b"}]}]
    _, found = measured("answers.toml", rows)
    assert glyphone("run", "answers.toml", "--save", "whole.pipeline").code == 0
    _, other = measured("whole.pipeline", rows)
    assert found["tasks"] == other["tasks"] and found["tasks"]["spans"]["f"] == 1
    ran = glyphone("explain", "whole.pipeline", "ab")
    assert ran.code == 2 and "a pipeline has no explanations (explain one of" in ran.err


def test_candidates_that_run_wrote_are_gold(folder: Path) -> None:
    """With the key renamed, all of them are right."""
    ran = glyphone("run", "answers.toml", "--format", "jsonl", stdin=b"ab\n")
    row = json.loads(ran.out)
    _, found = measured("answers.toml", [{"text": "ab", "gold": row["candidates"]}])
    assert found["tasks"]["spans with values"]["f"] == 1


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"text": "ab"}, "reading: has no list 'gold' (write \"gold\": [{"),
        ({"text": "ab", "gold": [7]}, "7 is no gold mark"),
        ({"text": "ab", "gold": [{}]}, "a gold mark has neither span nor value"),
        ({"text": "ab", "gold": [{"span": [1]}]}, "span"),
        ({"text": "ab", "gold": [{"span": [1, 3]}]}, "the span [1, 3], in a text of 2 symbols"),
        ({"text": "ab", "gold": [{"span": [0, 1], "text": "b"}]}, "[0, 1] is 'a', not 'b'"),
        ({"text": "ab", "gold": ["a"]}, "with and without spans; those of the file are spans"),
        ("{", "line 2"),
    ],
)
def test_gold_that_is_amiss_fails_alone(folder: Path, row: Any, told: str) -> None:
    good = {"text": "a", "gold": [{"span": [0, 1]}]}
    ran, found = measured("answers.toml", [good, row, good])
    assert ran.code == 1 and told in ran.err and "line 2" in ran.err
    # Marks without values say nothing of values.
    assert found["items"] == 2 and [*found["tasks"]] == ["spans"]


def test_what_cannot_be_measured(folder: Path) -> None:
    ran, _ = measured("answers.toml", [{"text": "a"}])
    assert ran.code == 2 and "none of 1 items can be used" in ran.err
    ran, _ = measured("answers.toml", [{"text": "a", "gold": [{"span": [0, 1]}]}], "--nbest", "2")
    assert ran.code == 2 and "candidates with spans have no ranks" in ran.err
    assert glyphone("evaluate", "none.toml", "gold.jsonl").code == 2
