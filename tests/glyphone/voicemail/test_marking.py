"""Templates of marks: filled in by a model, read back, and told where they are amiss."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import FormatError, ItemError
from glyphone.voicemail.marking import (
    COLUMNS,
    format_marks,
    parse_marks,
    quote_cell,
    read_gold,
    unquote_cell,
)
from glyphone.voicemail.records.messages import Message, Number
from tests.glyphone.support import glyphone

TEXT = 'hi this is Pat "Caller" this is it five five five or five five five'
HEADER = "\t".join(COLUMNS) + "\n"


def line(*cells: str) -> str:
    return "\t".join(map(quote_cell, cells)) + "\n"


def read_back(message: Message) -> Message:
    cells = [unquote_cell(quote_cell(cell)) for cell in format_marks(message)]
    return parse_marks(dict(zip(COLUMNS, cells, strict=True)))


WORDS = st.lists(st.sampled_from(["a", "b", '"', "#1", "=", "5", "x"]), min_size=1, max_size=8)


@given(data=st.data(), words=WORDS)
def test_marks_come_back_as_they_were(data: st.DataObject, words: list[str]) -> None:
    """Words that stand there twice, or look like what divides marks, too."""

    def span(begin: int, end: int) -> tuple[int, int]:
        first = data.draw(st.integers(begin, end - 1))
        return first, data.draw(st.integers(first + 1, end))

    phrase = data.draw(st.none()) if data.draw(st.booleans()) else span(0, len(words))
    name = span(*phrase) if phrase and data.draw(st.booleans()) else None
    numbers = []
    for _ in range(data.draw(st.integers(0, 2))):
        begin, end = span(0, len(words))
        digits = data.draw(st.sampled_from(["5550123", "9085551212", "42", None]))
        extension = data.draw(st.sampled_from(["", "12"])) if digits else ""
        numbers.append(Number(begin=begin, end=end, digits=digits, extension=extension))
    message = Message(
        id="7",
        words=tuple(words),
        caller_phrase=phrase,
        caller_name=name,
        numbers=tuple(numbers),
    )
    assert read_back(message) == message


@pytest.mark.parametrize(
    ("marks", "told"),
    [
        (("this is Patt", "", ""), "column 'caller phrase': 'this is' stands there, but 'Patt' do"),
        (("That", "", ""), "column 'caller phrase': 'That' is not in the text (copy words from"),
        (("this is", "", ""), "'this is' stands there 2 times (write #1 to #2 behind it)"),
        (("this is #3", "", ""), "stands there 2 times, so there is no #3"),
        (("", "Pat", ""), "column 'caller name': there is a name without a phrase"),
        (("hi", "Pat", ""), "column 'caller name': 'Pat' is not in the caller phrase"),
        (("", "", "five five five #1"), "column 'numbers': 'five five five #1' has no digits"),
        (("", "", "five five five #1 = five"), "has no digits behind = (write WORDS = 908-"),
        (("", "", "= 555"), "column 'numbers': '= 555' has no words"),
        (("", "", "five five five = 555"), "column 'numbers': 'five five five' stands there 2"),
    ],
)
def test_marks_that_are_not_in_the_text(
    tmp_path: Path, marks: tuple[str, str, str], told: str
) -> None:
    path = tmp_path / "marks.tsv"
    path.write_text(HEADER + line("x", "m1", TEXT, *marks) + line("x", "m2", TEXT, "", "", ""))
    gold = read_gold(str(path))
    assert [number for number, _ in gold.messages] == [3]
    ((number, item, error),) = gold.failures
    assert (number, item) == (2, "m1") and told in str(error)


def test_what_people_write(tmp_path: Path) -> None:
    """Columns in another order, cells that are left out, digits with any marks between."""
    path = tmp_path / "marks.tsv.gz"
    text = "text\tchecked\tid\tnumbers\tnote\tcaller phrase\tcaller name\n"
    text += "it's Pat call 5 5 5\tyes\t\t 5 5 5=(5) 5-5 x 12 |\tnice\t it's  Pat \tPat\n"
    text += "um\tx\n\nbye\t\n"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + text.encode().replace(b"\n", b"\r\n")))
    gold = read_gold(str(path))
    assert gold.unchecked == 1 and not gold.failures
    (two, first), (three, second) = gold.messages
    assert (two, three) == (2, 3) and first.id == "2" and second.words == ("um",)
    assert (first.caller_phrase, first.caller_name) == ((0, 2), (1, 2))
    assert first.numbers == (Number(begin=3, end=6, digits="555", extension="12"),)


def test_files_that_are_no_marks(tmp_path: Path) -> None:
    path = tmp_path / "marks.tsv"
    path.write_text("checked\ttext\nx\thi\n")
    with pytest.raises(FormatError, match="line 1: its first line has no 'id', 'caller phrase'"):
        read_gold(str(path))
    path.write_bytes(HEADER.encode() + b'x\t1\t\xff\nx\t2\t"hi\n{\n')
    first, second = read_gold(str(path)).failures
    assert "is not UTF-8" in str(first[2]) and "does not end with one" in str(second[2])
    path.write_text('{"id": "a", "text": "hi"}\n{"id": 1}\n')
    gold = read_gold(str(path))
    assert len(gold.messages) == 1 and gold.failures[0][0] == 2
    with pytest.raises(ItemError, match="begins with a quote"):
        unquote_cell('"')


MESSAGES = (
    b'{"id": "a", "text": "hi this is Pat Caller call 908-555-1212"}\n{\n'
    b'{"text": "um \\"five\\""}\n'
)


def test_a_template_is_empty_or_filled_in(small: Path, tmp_path: Path) -> None:
    empty = glyphone("voicemail", "template", "-", stdin=MESSAGES)
    assert empty.code == 1 and "line 2: item '{'" in empty.err
    assert empty.out.splitlines() == [
        HEADER.rstrip("\n"),
        "\ta\thi this is Pat Caller call 908-555-1212\t\t\t",
        '\t3\t"um ""five"""\t\t\t',
    ]
    path, marks = tmp_path / "in.jsonl", tmp_path / "marks.tsv"
    path.write_bytes(MESSAGES)
    ran = glyphone("voicemail", "template", path, "-o", marks, "--model", small)
    assert ran.code == 1
    assert marks.read_text(encoding="utf-8").splitlines()[1] == (
        "\ta\thi this is Pat Caller call 908-555-1212\tthis is Pat Caller\tPat Caller\t"
        "908-555-1212 = 908-555-1212"
    )
    side = tmp_path / "failed.tsv"
    ran = glyphone("voicemail", "template", path, "-o", marks, "--errors", side)
    assert ran.code == 1 and side.read_text(encoding="utf-8").splitlines()[1].startswith("2\t{\t")
    again = glyphone("voicemail", "template", path, "-o", path)
    assert again.code == 2 and path.read_bytes() == MESSAGES
    plain = glyphone("voicemail", "template", "--text", stdin=b"hi Pat\n")
    assert plain.out.splitlines()[1] == "\t1\thi Pat\t\t\t"


def test_two_files_without_a_template(small: Path) -> None:
    ran = glyphone("voicemail", "one.jsonl", "two.jsonl", "--model", small)
    assert ran.code == 2 and "there are two files" in ran.err


def test_from_a_template_to_figures(small: Path, tmp_path: Path) -> None:
    """Marks that are a model's own are all right; one that was changed is wrong."""
    path, marks, side = tmp_path / "in.jsonl", tmp_path / "marks.tsv", tmp_path / "wrong.tsv"
    assert glyphone("voicemail", "generate", "-n", "30", "--seed", "3", "-o", path).code == 0
    assert glyphone("voicemail", "template", path, "-o", marks, "--model", small).code == 0
    ran = glyphone("evaluate", small, marks)
    assert ran.code == 2 and "write x in the column 'checked'" in ran.err
    header, *rows = marks.read_text(encoding="utf-8").splitlines()
    marks.write_text("\n".join([header, *(f"x{row}" for row in rows)]) + "\n", encoding="utf-8")
    ran = glyphone("evaluate", small, marks, "--json")
    tasks = json.loads(ran.out)["tasks"]
    assert ran.code == 0 and {one["f"] for one in tasks.values()} == {1.0}
    assert len(tasks) == 6 and tasks["caller name"]["intervals"]["f"] == [1.0, 1.0]
    cells = next(row.split("\t") for row in rows if row.split("\t")[4])
    changed = [*cells[:3], "", "", cells[5]]
    text = "\n".join([header, "\t".join(["x", *changed[1:]]), *(f"x{row}" for row in rows[20:])])
    marks.write_text(f"{text}\n\t\t\tnot checked\n", encoding="utf-8")
    ran = glyphone("evaluate", small, marks, "--wrong", side, "--errors", "1")
    assert ran.code == 0 and "1 messages are not checked" in ran.err
    told = [row.split("\t") for row in side.read_text(encoding="utf-8").splitlines()]
    assert [row[0] for row in told] == ["line", "2", "2"]
    assert [row[2:4] for row in told[1:]] == [["caller phrase", ""], ["caller name", ""]]
    assert "line  wrong in" in ran.out


def test_marks_are_learnt_from(tmp_path: Path) -> None:
    path, marks, bad = (tmp_path / name for name in ("in.jsonl", "marks.tsv", "bad.tsv"))
    assert glyphone("voicemail", "generate", "-n", "60", "--seed", "1", "-o", path).code == 0
    gold = [message for _, message in read_gold(str(path)).messages]
    rows = [line("x", *format_marks(message)[1:]) for message in gold]
    marks.write_text(HEADER + "".join(rows) + line("", "not checked"), encoding="utf-8")
    assert [message for _, message in read_gold(str(marks)).messages] == [
        replace(
            message,
            marks=(),
            origin={},
            numbers=tuple(
                replace(one, kind="spoken", manner="plain", again=False) for one in message.numbers
            ),
        )
        for message in gold
    ]
    train = ("--kind", "voicemail", "--callers", "cuts", "-o", tmp_path / "m.glyphone")
    ran = glyphone("train", marks, *train)
    assert ran.code == 0 and "messages                    60" in ran.out
    assert "1 messages are not checked" in ran.err
    bad.write_text(HEADER + line("x", "a", "hi", "bye", "", ""), encoding="utf-8")
    ran = glyphone("train", bad, *train)
    assert ran.code == 2 and "bad.tsv: line 2: item 'a': column 'caller phrase': 'bye'" in ran.err
