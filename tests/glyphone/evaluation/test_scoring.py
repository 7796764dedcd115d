"""glyphone score: probabilities of given pairs, and lexicon entries that are odd."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from glyphone import cli
from glyphone.alignments.rows import read_alignment
from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.evaluation import scoring_files
from glyphone.evaluation.scoring import ScoredPair, UnscoredPair, audit_pairs, score_pairs
from glyphone.training.train import Trained, train
from tests.glyphone.batch.support import same_however_often_stopped
from tests.glyphone.support import Ran, glyphone

WORDS = "phi hi pi graph rag ga ra gir pig hag harp rip gap hip".split()


def said(word: str) -> str:
    return word.replace("ph", "f")


GOOD = [Pair(tuple(word), tuple(said(word))) for word in WORDS]
# Every unit of it is in the others.
ODD = Pair(tuple("phig"), tuple("phig"))


@pytest.fixture(scope="module")
def trained() -> Trained:
    return train(GOOD, max_target=1)


@pytest.fixture
def here(tmp_path: Path, trained: Trained, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli, "VERBS", tuple({*cli.VERBS, "score"}))
    trained.save("m.glyphone")
    lines = ["phi\tf i", "phig\tp h i g", "rag\tr a g", "zz\tz", "rag\tr q", "bad", "ga\tg a a a g"]
    Path("pairs").write_text("\n".join(lines) + "\n")
    return tmp_path


def run(*words: str, stdin: str = "") -> Ran:
    return glyphone("score", *words, stdin=stdin.encode())


def test_scores_are_those_of_the_model(trained: Trained) -> None:
    model = trained.model
    for one in score_pairs(model, [*GOOD, ODD], depth=3):
        assert isinstance(one, ScoredPair)
        word, phones = "".join(one.pair.source), " ".join(one.pair.target)
        expected = model.score(word, phones)
        assert one.log_probability == pytest.approx(expected.log_probability)
        assert one.posterior == pytest.approx(expected.posterior)
        assert one.alignment == expected.alignment
        ranked = [best.output for best in model.nbest(word, 3)]
        assert one.rank == (ranked.index(phones) + 1 if phones in ranked else None)
        best = model(word).output
        rival = model.score(word, best).log_probability
        assert one.best == best
        assert one.surprise == pytest.approx(rival - expected.log_probability)
    assert one.surprise > 1


def test_pairs_in_order_whatever_happens_to_them(trained: Trained) -> None:
    bad = [Pair(("z",), ("f",)), Pair(("h",), ("q",)), Pair(("h",), tuple("rigarp"))]
    pairs = [bad[0], *GOOD, bad[1], *GOOD * 90, bad[2]]
    found = list(score_pairs(trained.model, pairs, depth=1, jobs=2))
    assert [one.pair for one in found] == pairs
    assert [one.number for one in found] == list(range(len(pairs)))
    wrong = [one for one in found if isinstance(one, UnscoredPair)]
    assert [one.error.symbol for one in wrong] == ["z", "q"]
    assert "target side" in wrong[1].error.message
    last = found[-1]
    assert isinstance(last, ScoredPair)
    assert (last.log_probability, last.surprise) == (-math.inf, math.inf)
    assert (last.posterior, last.rank, last.alignment.units) == (0, None, ())


def test_audits_sort_by_surprise(trained: Trained) -> None:
    found = audit_pairs(trained.model, [*GOOD, ODD, Pair(("h",), tuple("rigarp"))])
    assert [one.number for one in found[:2]] == [len(GOOD) + 1, len(GOOD)]
    assert found == sorted(found, key=lambda one: -one.surprise)
    assert len(audit_pairs(trained.model, GOOD, top=3)) == 3


def test_rows(here: Path, trained: Trained) -> None:
    ran = run("m.glyphone", "pairs")
    rows = [line.split("\t") for line in ran.out.splitlines()]
    assert (ran.code, len(rows)) == (1, 4)
    assert [row[0] for row in rows] == ["phi", "phig", "rag", "ga"]
    score = trained.model.score("phi", "f i")
    assert rows[0][1:5] == [
        "f i", f"{score.log_probability:.6g}", f"{score.posterior:.6g}", "1"
    ]  # fmt: skip
    assert read_alignment(rows[0][5]) == score.alignment
    assert rows[3] == ["ga", "g a a a g", "-inf", "0", "", ""]
    for number, message in ((4, "'z' U+007A"), (5, "'q' U+0071"), (6, "column 2 is missing")):
        assert f"pairs: line {number}: item" in ran.err
        assert message in ran.err
    assert run("m.glyphone", stdin="phi\tf i\n").out == "\t".join(rows[0]) + "\n"


def test_audit_files(here: Path) -> None:
    ran = run("m.glyphone", "pairs", "--audit", "-o", "out", "--top", "2")
    assert (ran.code, ran.out) == (1, "")
    rows = [line.split("\t") for line in Path("out").read_text().splitlines()]
    assert [(row[0], row[7], row[8]) for row in rows] == [
        ("ga", "g a", "7"),
        ("phig", "f i g", "2"),
    ]
    assert rows[0][6] == "inf" and 1 < float(rows[1][6]) < 100
    failed = Path("out.errors.tsv").read_text().splitlines()
    assert [line.split("\t")[0] for line in failed] == ["line", "4", "5", "6"]
    whole = run("m.glyphone", "pairs", "--audit").out.splitlines()
    assert len(whole) == 4 and whole[:2] == Path("out").read_text().splitlines()


def test_objects(here: Path) -> None:
    ran = run("m.glyphone", "pairs", "--audit", "--format", "jsonl", "--jobs", "1")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert [row["line"] for row in rows[:2]] == [7, 2]
    assert (rows[0]["log_probability"], rows[0]["surprise"], rows[0]["rank"]) == (None,) * 3
    assert rows[1]["best"] == "f i g"
    assert "NaN" not in ran.out and "Infinity" not in ran.out
    plain = json.loads(run("m.glyphone", "--format", "jsonl", stdin="phi\tf i\n").out)
    assert "surprise" not in plain and plain["rank"] == 1


def test_grammars_are_scored_too(here: Path, toy: Path) -> None:
    ran = run(f"{toy}:MANY", stdin="ab\ta c\nab\ta b\nab\tc\n")
    rows = [line.split("\t") for line in ran.out.splitlines()]
    assert (ran.code, [row[4] for row in rows]) == (0, ["2", "1", ""])
    assert [float(row[3]) for row in rows] == [0.25, 0.75, 0]
    assert math.exp(float(rows[0][2])) == pytest.approx(0.25, rel=1e-5)


def test_refusals(here: Path) -> None:
    for words in ("pairs -o pairs", "pairs -o x --errors x"):
        ran = run("m.glyphone", *words.split())
        assert (ran.code, "must be different files" in ran.err) == (2, True)
    ran = run("m.glyphone", "pairs", "--top", "3")
    assert (ran.code, "ask for an audit" in ran.err) == (2, True)
    with pytest.raises(GlyphoneError, match="among 0 answers"):
        next(score_pairs(train(GOOD).model, GOOD, depth=0))


def test_words_are_read_in_the_models_writing() -> None:
    model = train(GOOD, source=Writing(case="lower")).model
    (one,) = score_pairs(model, [Pair(("PHI",), ("f i",))])
    assert isinstance(one, ScoredPair)
    assert one.rank == 1


@pytest.mark.parametrize("form", ["tsv", "jsonl"])
def test_a_run_stopped_anywhere_and_resumed(
    here: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setattr(scoring_files, "BLOCK", 2)
    words = ("score", "m.glyphone", "pairs", "--format", form, "--jobs", "1")
    assert same_however_often_stopped(*words, output=here / "out") == 4


def test_an_audit_is_not_resumed(here: Path) -> None:
    for words in ("--resume", "--format parquet"):
        ran = run("m.glyphone", "pairs", "--audit", "-o", "out", *words.split())
        assert (ran.code, "an audit writes nothing before its end" in ran.err) == (2, True)


def test_rows_of_parquet(here: Path, trained: Trained) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
    pa = pytest.importorskip("pyarrow")
    words, phones = ["phi", "zz", None, "ga"], ["f i", "z", "x", "g a a a g"]
    pq.write_table(pa.table({"phones": phones, "word": words}), "in.parquet")
    given = ("in.parquet", "--source-column", "2", "--target-column", "1")
    ran = run("m.glyphone", *given, "-o", "out.parquet")
    assert (ran.code, ran.out) == (1, "")
    assert "2 of 4 pairs failed; see out.parquet.errors.tsv" in ran.err
    table = pq.read_table("out.parquet")
    assert table.column_names == [
        "phones", "word", "log_probability", "posterior", "rank", "alignment", "error"
    ]  # fmt: skip
    good, unknown, null, impossible = table.to_pylist()
    score = trained.model.score("phi", "f i")
    assert (good["log_probability"], good["rank"]) == (pytest.approx(score.log_probability), 1)
    assert read_alignment(good["alignment"]) == score.alignment
    assert "'z' U+007A" in unknown["error"] and "is null" in null["error"]
    assert (impossible["log_probability"], impossible["rank"]) == (-math.inf, None)
    ran = run("m.glyphone", "in.parquet", "--target-column", "3", "-o", "out.parquet")
    assert (ran.code, "column 3 is missing: 2 found" in ran.err) == (2, True)
