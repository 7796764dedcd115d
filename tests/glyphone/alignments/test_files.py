"""`glyphone align`: what it reads and writes, and what its options do."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from glyphone.alignments import align as alignment_align
from glyphone.alignments.align import Aligned, align
from glyphone.alignments.rows import alignment_text, read_alignments
from glyphone.data.lexicons.tsv import read_lexicon
from glyphone.data.records import Pair
from tests.glyphone.alignments.support import LEXICON, rows, run


def test_rows_and_a_report(lexicon_folder: Path) -> None:
    ran = run("lex.tsv")
    assert ran.code == 0
    found = rows(ran.out)
    assert [row[:3] for row in (found[0], found[2])] == [
        ["phone", "f oʊ n", "p|h:f o:oʊ n|e:n"],
        ["phi", "f aɪ", "p|h:f i:aɪ"],
    ]
    assert all(float(row[3]) < 0 < float(row[4]) <= 1 for row in found)
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("glyphone: lex.tsv: 7 pairs aligned, 0 refused, ")
    model, entries = align(list(read_lexicon("lex.tsv")))
    mean = sum(e.log_probability for e in entries if isinstance(e, Aligned)) / 7
    end = f"{len(model.keys)} units, {len(model.log_likelihoods)} rounds, "
    assert ran.err.endswith(f"{end}log likelihood per pair {mean:.4f}\n")


def test_what_is_written_can_be_read(lexicon_folder: Path) -> None:
    assert run("lex.tsv", "-o", "out.tsv.gz", "--nbest", "3").code == 0
    _, entries = align(list(read_lexicon("lex.tsv")), n=3)
    expected = [(e.pair, found) for e in entries if isinstance(e, Aligned) for found in e.ranked]
    read = list(read_alignments("out.tsv.gz"))
    assert [(pair, found.alignment) for _, pair, found in read] == [
        (pair, found.alignment) for pair, found in expected
    ]
    for (_, _, found), (_, wanted) in zip(read, expected, strict=True):
        assert found.log_probability == pytest.approx(wanted.log_probability, rel=1e-5)
        assert found.posterior == pytest.approx(wanted.posterior, rel=1e-5)
    # And the first two columns are a lexicon again.
    again = list(read_lexicon("out.tsv.gz"))
    assert again == [pair for pair, _ in expected]


def test_stdin_gz_columns_units_and_weights(lexicon_folder: Path) -> None:
    with gzip.open("in.gz", "wt", encoding="utf-8") as file:
        file.write("2\tx y\tab\n1\tx\ta\n1\ty\tb\n")
    columns = "--source-column 3 --target-column 2 --weight-column 1 --target-unit codepoint"
    ran = run("in.gz", *columns.split(), "--max-target", "3")
    assert ran.code == 0
    assert [(row[0], row[1], row[5]) for row in rows(ran.out)] == [
        ("ab", "x y", "2.0"),
        ("a", "x", "1.0"),
        ("b", "y", "1.0"),
    ]
    assert rows(ran.out)[0][2] in (r"a:x|\s b:y", r"a:x b:\s|y")
    Path("w.tsv").write_text(ran.out, encoding="utf-8")
    assert [pair.weight for _, pair, _ in read_alignments("w.tsv")] == [2.0, 1.0, 1.0]
    ran = run("-", "--source-unit", "token", stdin="a_ b\tx y\n")
    assert rows(ran.out)[0][:2] == ["a_ b", "x y"]


def test_json_lines(lexicon_folder: Path) -> None:
    ran = run("-", "--format", "jsonl", "--nbest", "2", stdin=LEXICON + "\n")
    objects = [json.loads(line) for line in ran.out.splitlines()]
    first = objects[0]
    assert [row["line"] for row in objects] == list(range(1, 8))
    assert (first["source"], first["target"]) == ("phone", "f oʊ n")
    assert first["alignments"][0]["units"] == [
        [["p", "h"], ["f"]],
        [["o"], ["oʊ"]],
        [["n", "e"], ["n"]],
    ]
    assert first["alignments"][0]["posterior"] > 0.5 and len(first["alignments"]) == 2
    assert "weight" not in first


def test_one_pair_is_enough(lexicon_folder: Path) -> None:
    ran = run("-", stdin="ab\tx\n")
    assert (ran.code, len(rows(ran.out))) == (0, 1)


def test_options_reach_the_aligner(lexicon_folder: Path) -> None:
    """Each against the same call from Python."""
    lexicon = list(read_lexicon("lex.tsv"))
    cases = {
        "--max-target 1 --max-source 3": {"max_target": 1, "max_source": 3},
        "--many-to-many --no-deletions": {"many_to_many": True, "deletions": False},
        "--insertions 2 --rounds 0 --initial uniform": {
            "insertions": 2,
            "rounds": 0,
            "initial": "uniform",
        },
        "--method viterbi --initial random --seed 3": {
            "method": "viterbi",
            "initial": "random",
            "seed": 3,
        },
        "--starts 2 --weights 0 0.7 0.3": {"starts": 2, "weights": (0.0, 0.7, 0.3)},
        "--one-to-one --rounds 3": {"one_to_one": True, "rounds": 3},
    }
    seen = set()
    for arguments, chosen in cases.items():
        ran = run("lex.tsv", *arguments.split(), "--jobs", "1")
        one_to_one = bool(chosen.pop("one_to_one", False))
        options = alignment_align.aligner_options(one_to_one=one_to_one, **chosen)
        _, entries = align(lexicon, options, one_to_one=one_to_one)
        found = [e.ranked[0] for e in entries if isinstance(e, Aligned)]
        assert [row[2:5] for row in rows(ran.out)] == [
            [alignment_text(f.alignment), f"{f.log_probability:.6g}", f"{f.posterior:.6g}"]
            for f in found
        ]
        seen.add(ran.out)
    assert len(seen) == len(cases)


def test_rules_may_delete_and_change_the_outcome(lexicon_folder: Path) -> None:
    Path("rules.tsv").write_text("h\t\nph\tf\n\nx\tk s\n", encoding="utf-8")
    plain = run("lex.tsv", "--one-to-one")
    ruled = run("lex.tsv", "--one-to-one", "--rules", "rules.tsv")
    assert (plain.code, ruled.code) == (0, 0)
    rules = [Pair(("h",), ()), Pair(("p", "h"), ("f",)), Pair(("x",), ("k", "s"))]
    _, entries = align(list(read_lexicon("lex.tsv")), rule_pairs=rules, one_to_one=True)
    found = [alignment_text(e.ranked[0].alignment) for e in entries if isinstance(e, Aligned)]
    assert [row[2] for row in rows(ruled.out)] == found
    assert plain.out != ruled.out
    Path("bad.tsv").write_text("a\n", encoding="utf-8")
    assert "bad.tsv: line 1: column 2 is missing" in run("lex.tsv", "--rules", "bad.tsv").err


def test_the_same_whatever_the_number_of_jobs(lexicon_folder: Path) -> None:
    Path("big.tsv").write_text(LEXICON * 200, encoding="utf-8")
    one, four = (run("big.tsv", "--nbest", "2", "--jobs", jobs) for jobs in ("1", "4"))
    assert (one.out, one.err) == (four.out, four.err)
    assert len(rows(one.out)) > 1400


def test_a_word_that_begins_with_a_byte_order_mark(lexicon_folder: Path) -> None:
    assert run("-", "-o", "out.tsv", stdin="\ufeff\ufeffa\tx\n").code == 0
    assert [pair.source for pair in read_lexicon("out.tsv")] == [("\ufeff", "a")]
