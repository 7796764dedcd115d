"""apply --provenance-column: what an entry of a lexicon is from, told with the answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glyphone.data.records import Pair
from glyphone.fst.interface.lexicon import LexiconFirst
from glyphone.fst.transducers.model import TransducerModel
from glyphone.io.lookup import lexicon_first
from tests.glyphone.support import Ran, glyphone

MINED = "ca\tk\t2\tgeonames 12\nCA\ta\t1\tcldr DE\nba\tb\t1\nba\tk\t1\tbabel\nab\tb\t1\t\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mined.tsv").write_text(MINED, encoding="utf-8")
    Path("words").write_text("ca\nb\nba\nab\n", encoding="utf-8")


def run(toy: Path, *words: str) -> Ran:
    return glyphone(
        "apply", f"{toy}:PLAIN", "words", "--lexicon", "mined.tsv", "--weight-column", "3", *words
    )


def sources(ran: Ran) -> list[str]:
    assert ran.code == 0, ran.err
    return [line.split("\t")[3] for line in ran.out.splitlines()]


def test_the_source_column_says_where_an_entry_is_from(toy: Path) -> None:
    told = ["lexicon: geonames 12", "model", "lexicon", "lexicon"]
    assert sources(run(toy, "--provenance-column", "4")) == told
    assert sources(run(toy)) == ["lexicon", "model", "lexicon", "lexicon"]


def test_several_answers_have_their_provenances_in_order(toy: Path) -> None:
    found = sources(run(toy, "--provenance-column", "4", "--nbest", "2"))
    two = "lexicon: geonames 12; cldr DE"
    assert found == [two, two, "model", "lexicon: ?; babel", "lexicon: ?; babel", "lexicon"]


def test_objects_say_the_same(toy: Path) -> None:
    ran = run(toy, "--provenance-column", "4", "--format", "jsonl")
    found = [json.loads(line)["hypotheses"][0]["source"] for line in ran.out.splitlines()]
    assert found == ["lexicon: geonames 12", "model", "lexicon", "lexicon"]


def test_what_is_odd_in_a_provenance_garbles_nothing(toy: Path) -> None:
    Path("mined.tsv").write_bytes(b"ca\tk\t1\tx\ry\xff\\z\n")
    ran = run(toy, "--provenance-column", "4")
    assert ran.out.splitlines()[0] == "ca\tk\t1\tlexicon: x\\ry\\\\udcff\\\\z"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--lexicon", "mined.tsv", "--provenance-column", "5"],
            "has anything in column 5",
        ),
        (["--provenance-column", "4"], "there is no lexicon to have provenances"),
        (["--lexicon", "-", "--provenance-column", "4"], "cannot be read twice"),
    ],
)
def test_wrong_provenances(toy: Path, words: list[str], message: str) -> None:
    ran = glyphone("apply", f"{toy}:PLAIN", "words", *words, stdin=MINED.encode())
    assert (ran.code, ran.out, message in ran.err) == (2, "", True), ran.err


def test_a_pair_that_is_there_twice_has_the_provenance_of_the_heavier(
    plain: TransducerModel,
) -> None:
    def source(*weights: float) -> str:
        pairs = [Pair(("a",), ("b",), weight) for weight in weights]
        return LexiconFirst.of(plain, pairs, provenances=["x", "y", "z"])("a").source

    assert [source(1, 2, 1), source(1, 1, 1), source(1, 2, 3)] == [
        "lexicon: y", "lexicon: x", "lexicon: z"
    ]  # fmt: skip


def test_the_fingerprint_knows_provenances_where_there_are_any(plain: TransducerModel) -> None:
    def of(*provenances: str) -> LexiconFirst:
        return LexiconFirst.of(plain, [Pair(("a",), ("b",))], provenances=provenances)

    assert of().fingerprint() == of("").fingerprint()
    assert len({of().fingerprint(), of("x").fingerprint(), of("y").fingerprint()}) == 3


def test_inverted_entries_keep_their_provenance(plain: TransducerModel, toy: Path) -> None:
    first, refused = lexicon_first(plain, "mined.tsv", weight_column=3, provenance_column=4)
    assert refused == []
    back = first.invert()
    # k is written ca, by one list, or ba, by another.
    assert [(h.output, h.source) for h in back.nbest("k", 1)] == [("ca", "lexicon: geonames 12")]
    assert back.nbest("k", 2)[1].source == "lexicon: geonames 12; babel"


def test_evaluation_takes_all_of_the_lexicon_together(plain: TransducerModel) -> None:
    from glyphone.evaluation.evaluate import evaluate

    first, _ = lexicon_first(plain, "mined.tsv", provenance_column=4)
    pairs = [Pair(tuple(word), ("k",)) for word in ("ca", "ba", "ab", "b")]
    rows = [(row.name, row.words) for row in evaluate(first, pairs).slices if row.by == "source"]
    assert rows == [("lexicon", 3), ("model", 1)]
