"""glyphone voicemail generate."""

from __future__ import annotations

import json
from pathlib import Path

from glyphone.voicemail.records.messages import read_messages
from tests.glyphone.support import glyphone


def test_gold_goes_to_stdout() -> None:
    ran = glyphone("voicemail", "generate", "-n", "5", "--seed", "2", "--part", "test")
    assert (ran.code, ran.err) == (0, "")
    found = [json.loads(line) for line in ran.out.splitlines()]
    assert [row["id"] for row in found] == [f"test-2-00000{k}" for k in range(5)]


def test_forms_and_files(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl.gz"
    words = ["voicemail", "generate", "-n", "30", "--noise", "0.2", "--confusions", "letters"]
    ran = glyphone(*words, "--times", "--statistics", "-o", path)
    assert ran.code == 0 and ran.out == "" and "word error rate" in ran.err
    messages = list(read_messages(path))
    assert len(messages) == 30 and all(len(m.times) == len(m.words) for m in messages)
    text = glyphone("voicemail", "generate", "-n", "3", "--form", "text").out.splitlines()
    tagged = glyphone("voicemail", "generate", "-n", "3", "--form", "tagged").out.splitlines()
    assert len(text) == 3 and any("<caller>" in line for line in tagged)


def test_wrong_options() -> None:
    for words in (["--noise", "2"], ["--noise", "x"], ["--part", "dev"], ["-n", "-1"]):
        ran = glyphone("voicemail", "generate", *words)
        assert ran.code == 2 and ran.out == ""
