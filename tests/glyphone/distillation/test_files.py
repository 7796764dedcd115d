"""`glyphone distill`: words and gold from files, what is written, and what is refused."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from glyphone.catalog import names as catalog_names
from glyphone.distillation.words import numbered_words
from glyphone.fst.transducers.model import TransducerModel
from tests.glyphone.distillation.support import WORDS, is_held_out, outputs, run
from tests.glyphone.support import glyphone


def test_words_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "words.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("one\n\ntwo\tt uː\r\n")
    assert numbered_words(path) == [(1, "one"), (3, "two")]
    assert numbered_words("cmudict:dev")[0][0] == 1


def test_the_command(teacher_folder: Path, teacher: TransducerModel) -> None:
    ran = run("--left", "0", "--right", "0", "--invent", "0", "--patterns", "1")
    assert (ran.code, ran.err.count("\n")) == (0, 2)
    assert "words differ; see m.glyphone.differences.tsv" in ran.err
    assert "held out" in ran.out and "words/s, one core" in ran.out
    listed = ran.out[ran.out.index("times  held out") :]
    assert len(listed.splitlines()) == 2
    assert Path("m.glyphone.errors.tsv").read_text().count("\n") == 1
    rows = [
        line.split("\t")
        for line in Path("m.glyphone.differences.tsv").read_text(encoding="utf-8").splitlines()
    ]
    student = catalog_names.load("m.glyphone")
    pairs = list(zip(WORDS, outputs(teacher, WORDS), outputs(student, WORDS), strict=True))
    assert [tuple(row[:3]) for row in rows] == [row for row in pairs if row[1] != row[2]]
    assert {row[3] for row in rows} == {"held out", "learnt"}
    assert next(row[4] for row in rows if row[0] == "ce") == "ce in #_#: s / k e"


def test_differences_are_a_lexicon_of_exceptions(
    teacher_folder: Path, teacher: TransducerModel
) -> None:
    words = [word for word in WORDS if teacher(word).output]
    Path("words").write_text("\n".join(words))
    assert run("--left", "0", "--right", "0").code == 0
    lexicon = ("--lexicon", "m.glyphone.differences.tsv")
    plain = glyphone("apply", "m.glyphone", "words")
    ran = glyphone("apply", "m.glyphone", "words", *lexicon)
    answers = [line.split("\t")[1] for line in ran.out.splitlines()]
    assert answers == outputs(teacher, words)
    assert answers != [line.split("\t")[1] for line in plain.out.splitlines()]


def test_failures_are_listed_with_their_lines(teacher_folder: Path) -> None:
    Path("words").write_text("\n".join([*WORDS[:50], "", "мир", *WORDS[50:], "x y", "ca"]) + "\n")
    ran = run("--errors", "bad", "--differences", "odd")
    assert ran.code == 1
    assert "2 words were not learnt; see bad" in ran.err
    rows = [line.split("\t") for line in Path("bad").read_text(encoding="utf-8").splitlines()[1:]]
    assert [(row[0], row[1], row[4]) for row in rows] == [
        ("52", "мир", "м"), (str(len(WORDS) + 3), "x y", "x"),
    ]  # fmt: skip
    assert re.search(r"without an answer +2\n", ran.out)
    assert "repeated" in ran.out
    assert Path("odd").exists() and not Path("m.glyphone.errors.tsv").exists()


def test_json_from_stdin_with_gold(teacher_folder: Path) -> None:
    Path("gold").write_text("cechoce\ts e ʃ o s\ncococo\tx\nbad\n", encoding="utf-8")
    ran = run(
        "--words", "-", "--gold", "gold", "--json", "--held-out", "0.3", "--seed", "5",
        stdin="\n".join(WORDS),
    )  # fmt: skip
    assert ran.code == 1
    assert "gold: line 3: item 'bad': column 2 is missing" in ran.err
    found = json.loads(ran.out)
    assert found["words"]["given"] == len(WORDS)
    assert found["words"]["held_out"] == sum(is_held_out(word, 0.3, 5) for word in WORDS)
    assert found["agreement"]["held_out"]["words"] == found["words"]["held_out"]
    assert found["gold"]["words"] == 2
    assert found["gold"]["teacher"]["wer"] == found["gold"]["student"]["wer"] == 0.5
    assert found["student"]["bytes"] == Path("m.glyphone").stat().st_size
    assert found["teacher"]["name"] == "TEACHER"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "words: holds no words (write one word a line)"),
        ("\n\n", "words: holds no words"),
        ("мир\n中\n", "words: item 'мир': TEACHER: at 0: 'м' U+043C (CYRILLIC"),
        ("ca\n", "of 1 words none is"),
    ],
)
def test_files_of_words_that_will_not_do(teacher_folder: Path, content: str, message: str) -> None:
    Path("words").write_text(content, encoding="utf-8")
    ran = run()
    assert ran.code == 2
    assert message in ran.err
    assert not Path("m.glyphone").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--words", "absent"], "absent: No such file or directory"),
        (["--words", "m.glyphone"], "m.glyphone: teacher, words, gold words, model, differences"),
        (["--words", "t.far"], "t.far: teacher, words, gold words, model, differences"),
        (["--errors", "x", "--differences", "x"], "x: teacher, words, gold words, model"),
        (["--words", "-", "--gold", "-"], "-: teacher, words, gold words, model"),
        (["--held-out", "1"], "1 is not a number above 0 and below 1"),
        (["t.far:TEACHR"], "no rule named 'TEACHR' (did you mean TEACHER?)"),
        (["--gold", "empty"], "empty: holds no entries"),
        (["--kind", "joint", "--left", "2"], "no option of a joint model named 'left'"),
        (["--left", "200"], "left is 200 (take 0 to 100)"),
    ],
)
def test_commands_that_will_not_do(teacher_folder: Path, words: list[str], message: str) -> None:
    Path("empty").touch()
    ran = run(*words)
    assert ran.code == 2
    assert message in ran.err
    assert not Path("m.glyphone").exists()
