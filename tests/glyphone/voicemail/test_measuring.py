"""Measures of callers and numbers against twins that are written out, and failures."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import glyphone.voicemail
from glyphone.voicemail import VoicemailModel
from glyphone.voicemail.measuring import (
    TASKS,
    FoundNumber,
    measure_file,
    tally_callers,
    tally_numbers,
)
from glyphone.voicemail.records.messages import Message, Number, Span
from tests.glyphone.support import glyphone as command

SIZE = 5
SPANS = [(begin, end) for begin in range(SIZE) for end in range(begin + 1, SIZE + 1)]


def random_messages(seed: int) -> tuple[list[Message], list[list[FoundNumber]]]:
    chooser = random.Random(seed)
    messages, found = [], []
    for _ in range(chooser.randrange(1, 6)):
        there = chooser.sample(SPANS, chooser.randrange(4))
        numbers = [
            Number(begin=begin, end=end, digits=chooser.choice(["1", "2", None]))
            for begin, end in there
        ]
        words = tuple("abcde")
        messages.append(Message(id="", words=words, numbers=tuple(numbers)))
        spans = chooser.sample(SPANS, chooser.randrange(4))
        found.append([(*span, chooser.choice("12")) for span in spans])
    return messages, found


@pytest.mark.parametrize("seed", range(60))
def test_numbers_against_each_pair(seed: int) -> None:
    messages, found = random_messages(seed)
    strict = contained = reached = digits = gold = given = 0
    for message, row in zip(messages, found, strict=True):
        there = [one for one in message.numbers if one.digits is not None]
        gold, given = gold + len(there), given + len(row)
        for begin, end, value in row:
            inside = [one for one in there if begin <= one.begin and one.end <= end]
            contained += len(inside) == 1
            same = [one for one in there if (one.begin, one.end) == (begin, end)]
            strict += len(same)
            digits += sum(one.digits == value for one in same)
        reached += sum(any(b <= one.begin and one.end <= e for b, e, _ in row) for one in there)
    tallies = tally_numbers(found, messages)
    assert [one.name for one in tallies] == [*TASKS[3:]]
    sums = [[int(total) for total in one.counts.sum(axis=0)] for one in tallies]
    assert sums == [
        [strict, strict, gold, given],
        [contained, reached, gold, given],
        [digits, digits, gold, given],
    ]


def test_callers_against_each_message() -> None:
    chooser = random.Random(2)
    messages, phrases, names = [], [], []
    expected = [0, 0, 0]
    for _ in range(80):
        phrase = chooser.choice([None, *SPANS])
        inner = [one for one in SPANS if phrase and Message.is_within(one, phrase)]
        name: Span | None = chooser.choice([None, *inner])
        message = Message(id="", words=tuple("abcde"), caller_phrase=phrase, caller_name=name)
        given, named = (chooser.choice([None, phrase, *SPANS]) for _ in range(2))
        messages.append(message)
        phrases.append(given)
        names.append(named)
        needed = name or phrase
        expected[0] += given is not None and given == phrase
        if given and needed:
            expected[1] += {*range(*needed)} <= {*range(*given)}
        expected[2] += named is not None and named == name
    tallies = tally_callers(phrases, names, messages)
    assert [int(one.counts[:, 0].sum()) for one in tallies] == expected
    assert (
        tallies[1].gold == tallies[0].gold == sum(one.caller_phrase is not None for one in messages)
    )
    assert tallies[2].given == sum(one is not None for one in names)


def test_an_item_that_fails_has_all_its_marks_missed(small: Path, tmp_path: Path) -> None:
    class Failing(VoicemailModel):
        def find(self, messages):  # type: ignore[no-untyped-def]
            if any("boom" in one.words for one in messages):
                raise ValueError("boom")
            return super().find(messages)

    whole = glyphone.voicemail.load(small)
    path, side = tmp_path / "gold.jsonl", tmp_path / "failed.tsv"
    said = "this is Pat Caller call 908-555-1212"
    marks = '"caller_phrase": [0, 4], "caller_name": [2, 4]'
    path.write_text(
        f'{{"id": "1", "text": "{said}", {marks}}}\nbad\n'
        f'{{"id": "2", "text": "{said} boom", {marks}}}\n'
    )
    broken = Failing(whole.callers, whole.numbers)
    evaluation, failed = measure_file(broken, str(path), failures=str(side), name="m")
    assert failed == evaluation.failed == 2 and evaluation.items == 2
    name = next(one for one in evaluation.tallies if one.name == "caller name")
    assert (name.precision, name.recall, name.gold) == (1.0, 0.5, 2)
    lines = [row.split("\t")[0] for row in side.read_text(encoding="utf-8").splitlines()]
    assert lines == ["line", "2", "3"]


def test_workers_and_names_change_nothing(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    assert command("voicemail", "generate", "-n", "40", "--seed", "9", "-o", path).code == 0
    one, two = (command("evaluate", small, path, "--jobs", str(jobs)) for jobs in (1, 2))
    assert one.code == 0 and one.out == two.out and "40 messages, 0 failed" in one.out
    assert command("evaluate", small, "-", stdin=path.read_bytes()).out == one.out


def test_gold_without_messages(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"id": "1"}\n')
    ran = command("evaluate", small, path)
    assert ran.code == 2 and "none of 1 items can be used" in ran.err
    path.write_text("")
    assert "has nothing to measure on" in command("evaluate", small, path).err
    ran = command("evaluate", small, path, "--nbest", "3")
    assert ran.code == 2 and "--nbest does not go with models of kind voicemail" in ran.err
