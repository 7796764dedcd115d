"""`glyphone align` where it fails: lines that are listed, and mistakes that are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.alignments.rows import read_alignment
from tests.glyphone.alignments.support import LEXICON, rows, run

BAD = "bad\n\tx\nempty\t\na\tb c d e\nsa\0\tx\nab\tx\nab\tx\n"


def test_failures_stand_beside_the_output_with_line_and_reason(lexicon_folder: Path) -> None:
    Path("bad.tsv").write_text(BAD, encoding="utf-8")
    ran = run("bad.tsv", "-o", "out.tsv")
    assert ran.code == 1 and ran.out == ""
    assert "2 pairs aligned, 1 refused, 4 lines not read" in ran.err
    assert ran.err.endswith("; see out.tsv.errors.tsv\n") and ran.err.count("\n") == 1
    header, *failures = rows(Path("out.tsv.errors.tsv").read_text(encoding="utf-8"))
    assert header[0] == "line"
    assert [(row[0], row[1], row[2], row[6]) for row in failures] == [
        ("1", "bad", "reading", "column 2 is missing: 1 column found"),
        ("2", "\\tx", "reading", "column 1 is empty"),
        ("3", "empty\\t", "reading", "column 2 is empty"),
        ("4", "a", "alignment", "1 source symbols cannot give 4 target symbols: at most 2"),
        ("5", "sa\\x00\\tx", "reading", "is not text (column 1)"),
    ]
    assert failures[3][7].startswith("allow more by --max-target 4 or by --insertions")
    assert (failures[4][3], failures[4][5]) == ("2", "U+0000")
    # Entries that are there twice are aligned twice.
    assert [row[0] for row in rows(Path("out.tsv").read_text())] == ["ab", "ab"]
    assert run("bad.tsv", "-o", "out.tsv", "--max-target", "4").err.count("1 refused") == 0


def test_failures_go_to_stderr_with_path_and_line(lexicon_folder: Path) -> None:
    ran = run("-", "--no-deletions", stdin="aaa\tx\nab\tx\nbad\n")
    assert ran.code == 1 and len(rows(ran.out)) == 1
    first, second, report = ran.err.splitlines()
    assert first.startswith("glyphone: -: line 1: item 'aaa': alignment: 3 source symbols cannot")
    assert first.endswith("(allow --deletions or a larger --max-source, or correct the entry)")
    assert second.startswith("glyphone: -: line 3: item 'bad': reading: column 2 is missing")
    assert "1 pairs aligned, 1 refused, 1 lines not read" in report


def test_failures_in_a_file_of_ones_own(lexicon_folder: Path) -> None:
    ran = run("-", "--errors", "bad.tsv", stdin="ab\tx\nbad\n")
    assert ran.code == 1 and "; see bad.tsv" in ran.err
    assert len(rows(Path("bad.tsv").read_text())) == 2
    assert run("-", "--errors", "bad.tsv", stdin="ab\tx\n").code == 0
    assert len(rows(Path("bad.tsv").read_text())) == 1


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        ("-", "", "holds no entries (write WORD<TAB>PRONUNCIATION"),
        ("-", "\n\n", "holds no entries"),
        ("-", "a\nb\n", "-: line 1: item 'a': column 2 is missing: 1 column found; none of 2"),
        ("nix.tsv", "", "nix.tsv: No such file"),
        ("lex.tsv -o lex.tsv", "", "must be different files"),
        ("lex.tsv -o out --errors out", "", "must be different files"),
        ("- --rules -", "a\tb\n", "must be different files"),
        ("lex.tsv --rules none", "", "none: holds no rules"),
        ("lex.tsv --rules lex.tsv", "", "must be different files"),
        ("lex.tsv --rules halves", "", "halves: line 2: both sides are empty"),
        ("lex.tsv --weights 0.5 0.5 0", "", "there are no rules"),
        ("lex.tsv --weights 0 0.5 0.6", "", "three numbers of at least 0 with the sum 1"),
        ("lex.tsv --max-source 0", "", "0 is not a whole number from 1"),
        ("lex.tsv --insertions x", "", "x is not a whole number from 0 on"),
        ("lex.tsv --one-to-one --max-source 2", "", "needs 1"),
        ("lex.tsv --one-to-one --nbest 2", "", "the best one alone"),
        ("lex.tsv --source-unit word", "", "invalid choice: 'word'"),
        ("lex.tsv --source-column 0", "", "0 is not a whole number"),
    ],
)
def test_mistakes(lexicon_folder: Path, arguments: str, stdin: str, message: str) -> None:
    Path("none").touch()
    Path("halves").write_text("a\tb\n\t\n")
    ran = run(*arguments.split(), stdin=stdin)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert Path("lex.tsv").read_text(encoding="utf-8") == LEXICON
    assert not Path("out").exists()


def test_a_long_word_works_or_is_refused_by_name(
    lexicon_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "ab" * 260
    lexicon = f"{long}\t{' '.join(long)}\nab\ta b\n"
    ran = run("-", stdin=lexicon)
    assert ran.code == 0
    assert read_alignment(rows(ran.out)[0][2]).pair.source == tuple(long)
    monkeypatch.setattr("glyphone.fst.alignment.corpus.MOST_STATES", 500 * 500)
    ran = run("-", "-o", "out", stdin=lexicon)
    assert ran.code == 1
    (failure,) = rows(Path("out.errors.tsv").read_text())[1:]
    assert failure[1] == long and "520 by 520 symbols are too many to align" in failure[6]
