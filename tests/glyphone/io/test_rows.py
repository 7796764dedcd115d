"""Rows that cannot be misread, whatever stands in them."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import ItemError
from glyphone.fst.interface.answers import Answers, Origins
from glyphone.io import rows

TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("\t\n\r\\ \u2028\x85"))


def answers(outputs: list[str], *, truncated: bool = False) -> Answers:
    """One item with the outputs given."""
    n = len(outputs)
    return Answers(
        outputs,
        [0.5] * n,
        [1 / max(n, 1)] * n,
        [0, n],
        frozenset([0] if truncated else []),
        {},
        Origins([(output,) for output in outputs], [((0, 1),)] * n),
    )


def unescaped(text: str) -> str:
    result, characters = "", iter(text)
    for character in characters:
        if character == "\\":
            character = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}[next(characters)]
        result += character
    return result


@given(st.lists(TEXT, max_size=3))
def test_every_output_is_one_column_of_one_row(outputs: list[str]) -> None:
    text = rows.as_tsv(["item"], answers(outputs))
    lines = text.split("\n")
    assert lines.pop() == ""
    columns = [line.split("\t") for line in lines]
    assert all(len(row) == 3 and row[0] == "item" for row in columns)
    assert [unescaped(row[1]) for row in columns] == outputs


@given(st.lists(TEXT, min_size=1, max_size=3), TEXT)
def test_json_lines_are_exact(outputs: list[str], item: str) -> None:
    text = rows.as_jsonl([item], answers(outputs))
    assert text.count("\n") == 1
    read = json.loads(text)
    assert read["input"] == item
    assert [hypothesis["output"] for hypothesis in read["hypotheses"]] == outputs
    assert read["hypotheses"][0] == {
        "output": outputs[0],
        "posterior": 1 / len(outputs),
        "cost": 0.5,
        "symbols": [outputs[0]],
        "spans": [[0, 1]],
        "truncated": False,
    }


def test_posteriors_have_six_digits_and_truncation_a_mark() -> None:
    text = rows.as_tsv(["x"], answers(["a", "b", "c"], truncated=True))
    assert text == "".join(f"x\t{output}\t0.333333\ttruncated\n" for output in "abc")


def test_an_item_without_an_answer_has_no_row() -> None:
    nothing = Answers([], [], [], [0, 0], frozenset(), {0: ItemError("no output")})
    assert rows.as_tsv(["x"], nothing) == rows.as_jsonl(["x"], nothing) == ""


@given(TEXT, TEXT, TEXT)
def test_a_failed_item_is_one_row_of_eight_columns(item: str, message: str, remedy: str) -> None:
    error = ItemError(message, item=item, symbol="\t", offset=0, stage="X", remedy=remedy)
    row = rows.error_row(7, item, error)
    assert row.endswith("\n")
    columns = row[:-1].split("\t")
    assert len(columns) == rows.ERROR_HEADER.count("\t") + 1 == 8
    assert columns[0] == "7"
    assert columns[2:6] == ["X", "0", "\\t", "U+0009"]
    assert len(row.splitlines()) == 1


def test_a_failed_item_that_is_not_text_can_be_written() -> None:
    error = ItemError("is a lone surrogate", symbol="\udcff", offset=0)
    assert rows.error_row(1, "\udcff", error).encode().startswith(b"1\t\\udcff\t")
