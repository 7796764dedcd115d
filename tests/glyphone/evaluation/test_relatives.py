"""Words parted by their relatives in training, beside a plain twin; figures of each part."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.lexicons.families import are_related
from glyphone.evaluation.relatives import errors_by_relatives, relations_to
from tests.glyphone.support import glyphone

# No word of these has relatives, and there are enough that families are small.
OTHERS = [letter + digit for letter in "vwxyz" for digit in "0123456789"]
words = st.lists(st.text("ab", min_size=3, max_size=6), min_size=1, max_size=5, unique=True)


@given(words, words)
def test_relations_are_those_of_a_plain_twin(learnt: list[str], asked: list[str]) -> None:
    ordered = sorted({*learnt, *asked})

    def family(word: str) -> set[str]:
        """The words that neighbours in the alphabet, each related to the next, lead to."""
        begin = end = ordered.index(word)
        while begin > 0 and are_related(ordered[begin - 1], ordered[begin]):
            begin -= 1
        while end + 1 < len(ordered) and are_related(ordered[end], ordered[end + 1]):
            end += 1
        return {*ordered[begin : end + 1]}

    expected = [
        "itself" if word in learnt else "relatives" if family(word) & {*learnt} else "none"
        for word in asked
    ]
    assert relations_to([*learnt, *OTHERS], asked) == expected


def test_errors_of_each_part() -> None:
    wrong = {"talked": True, "talker": False, "river": True, "song": False}
    assert errors_by_relatives(["talk", "song", *OTHERS], wrong) == {
        "itself": (1, 0.0),
        "relatives": (2, 0.5),
        "none": (1, 1.0),
    }
    assert errors_by_relatives(OTHERS, {}) == {}


@pytest.fixture
def lexicon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Words of pairs of relatives, one to learn from and one to test, and words without."""
    monkeypatch.chdir(tmp_path)
    stems = [a + b + c + d for a in "bdfg" for b in "aei" for c in "klm" for d in "aio"]
    lines = {stem: f"{stem}\t{' '.join(stem)}\n" for stem in stems}
    more = {stem: f"{stem.upper()}m\t{' '.join(stem)} m\n" for stem in stems[::3]}
    alone = "".join(f"{word}\t{' '.join(word)}\n" for word in ("maba", "kilo"))
    Path("train.tsv").write_text("".join(lines.values()), encoding="utf-8")
    Path("test.tsv").write_text("".join(more.values()) + alone, encoding="utf-8")
    return tmp_path


def test_evaluate_tells_them_apart(lexicon: Path) -> None:
    ran = glyphone(
        "train", "train.tsv", "-o", "x.glyphone", "--kind", "joint", "--case", "lower",
        "--dev", "test.tsv",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert "word error rate, 36 words: in training relatives" in ran.out
    assert "word error rate, 2 words: in training none" in ran.out
    command = ["evaluate", "x.glyphone", "test.tsv"]
    ran = glyphone(*command, "--relatives", "train.tsv")
    rows = [line.split() for line in ran.out.splitlines() if line.startswith("in training")]
    assert [row[2:4] for row in rows] == [["relatives", "36"], ["none", "2"]]
    assert "in training" not in glyphone(*command).out
    ran = glyphone("evaluate", "x.glyphone", "train.tsv", "--relatives", "train.tsv", "--json")
    slices = [row for row in json.loads(ran.out)["slices"] if row["by"] == "relatives"]
    assert [(row["slice"], row["words"]) for row in slices] == [("itself", 108)]
    assert slices[0]["wer"] == 0.0


def test_wrong_lexicons(lexicon: Path) -> None:
    assert glyphone("train", "train.tsv", "-o", "x.glyphone", "--kind", "joint").code == 0
    command = ["evaluate", "x.glyphone", "test.tsv", "--relatives"]
    assert "no-such.tsv: No such file" in glyphone(*command, "no-such.tsv").err
    ran = glyphone(*command, "train.tsv", "--source-column", "3")
    assert ran.code == 2 and "column 3 is missing" in ran.err
