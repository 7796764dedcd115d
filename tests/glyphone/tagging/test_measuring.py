"""`glyphone evaluate` of taggers and recognisers of entities, and measures that are written out."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from glyphone.data.records import Sequence
from glyphone.data.treebanks.chunks import phrases_of, score_phrases
from glyphone.learners.trees.estimator import SymbolicTree
from glyphone.models.learners import file as learner_file
from glyphone.tagging.measuring import ALL, WITHOUT_KINDS, evaluate_labels
from tests.glyphone.support import Ran, glyphone
from tests.glyphone.tagging.samples import SENTENCES


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("train.conll").write_text(SENTENCES * 5, encoding="utf-8")
    Path("patterns").write_text("U1:%x[0,0]\nU2:%x[0,1]\nB\n", encoding="utf-8")
    return tmp_path


def trained(kind: str, *more: str, train: str = "train.conll") -> str:
    ran = glyphone("train", train, "--kind", kind, "-o", f"{kind}.glyphone", *more)
    assert ran.code == 0, ran.err
    return f"{kind}.glyphone"


def tagger(train: str = "train.conll") -> str:
    options = ("--patterns", "patterns", "--rho1", "0.1", "--jobs", "1")
    return trained("crf", *options, train=train)


def measured(model: str, text: str, *more: str) -> tuple[Ran, dict[str, Any]]:
    Path("gold.conll").write_text(text, encoding="utf-8")
    ran = glyphone("evaluate", model, "gold.conll", "--json", *more)
    return ran, json.loads(ran.out) if ran.out else {}


def random_labels(chooser: random.Random, length: int) -> tuple[str, ...]:
    return tuple(chooser.choices(["O", "B-A", "I-A", "B-B", "I-B"], k=length))


@pytest.mark.parametrize("seed", range(20))
def test_phrases_against_scores_that_are_written_out(seed: int) -> None:
    chooser = random.Random(seed)
    gold, found = [], []
    for _ in range(chooser.randrange(1, 12)):
        length = chooser.randrange(1, 7)
        gold.append(random_labels(chooser, length))
        found.append(random_labels(chooser, length))
    sentences = [Sequence(tuple("abcdefg"[: len(one)]), {}, one) for one in gold]
    evaluation = evaluate_labels(sentences, found)
    tallies = {one.name: one for one in evaluation.tallies}
    expected = score_phrases(gold, found)
    expected = {name or ALL: score for name, score in expected.items()}
    if any(label != "O" for labels in (*gold, *found) for label in labels):
        expected[WITHOUT_KINDS] = score_phrases(gold, found, kinds=False)[""]
    assert tallies.keys() == expected.keys()
    for name, score in expected.items():
        tally = tallies[name]
        assert (tally.gold, tally.given, tally.f) == (score.gold, score.given, score.f)
    tokens, whole = evaluation.shares
    pairs = [pair for one, other in zip(gold, found, strict=True) for pair in zip(one, other)]  # noqa: B905
    assert tokens.precision == sum(x == y for x, y in pairs) / len(pairs)
    assert whole.precision == sum(map(tuple.__eq__, gold, found)) / len(gold)
    wrong = [k for k, pair in enumerate(zip(gold, found, strict=True), 1)
             if {*phrases_of(pair[0])} != {*phrases_of(pair[1])}]  # fmt: skip
    assert [one.line for one in evaluation.wrong] == wrong


def test_labels_that_are_of_no_phrases_are_counted_each() -> None:
    sentences = [Sequence(("la", "ve"), {}, ("DET", "VERB"))]
    evaluation = evaluate_labels(sentences, [("DET", "DET")])
    assert [(one.name, one.gold, one.given, one.f) for one in evaluation.tallies] == [
        ("DET", 1, 2, pytest.approx(2 / 3)),
        ("VERB", 1, 0, 0.0),
    ]
    (wrong,) = evaluation.wrong
    assert (wrong.task, wrong.gold, wrong.given) == ("labels", "ve/VERB", "ve/DET")


GOLD = """Ana X B-PER
vive X O
en X O
Quito X B-ORG

bad

Ana X I-PER

"""


def test_entities(folder: Path) -> None:
    model = trained("entities")
    ran, found = measured(model, GOLD, "--wrong", "wrong.tsv", "--failures", "failed.tsv")
    assert ran.code == 1 and found["failed"] == 2 and found["items"] == 1
    assert found["tasks"]["all"]["f"] == found["shares"]["kinds of gold phrases"]["share"] == 0.5
    assert found["tasks"]["whatever kind"]["f"] == 1 and found["shares"]["tokens"]["share"] == 0.75
    failed = Path("failed.tsv").read_text(encoding="utf-8").splitlines()
    assert [row.split("\t")[0] for row in failed] == ["line", "6", "8"]
    assert Path("wrong.tsv").read_text(encoding="utf-8").splitlines()[1:] == [
        "1\tAna vive en Quito\tphrases\tQuito/ORG\tQuito/LOC"
    ]
    old, found = measured(model, GOLD.replace("B-", "I-"), "--scheme", "iob1")
    assert old.code == 1 and found["failed"] == 1 and found["items"] == 2
    ran, _ = measured(model, GOLD, "--nbest", "2")
    assert ran.code == 2 and "EntityRecognizer has one labelling for a sentence" in ran.err


def test_taggers(folder: Path) -> None:
    model = tagger()
    ran, found = measured(model, SENTENCES, "--nbest", "3")
    assert (ran.code, ran.err, found["items"]) == (0, "", 2)
    assert found["tasks"]["all"]["f"] == found["shares"]["sentences"]["share"] == 1
    changed = SENTENCES.replace("Quito PROPN B-LOC", "Quito PROPN B-PER")
    shares = [measured(model, changed, "--nbest", n)[1]["shares"] for n in ("1", "9999")]
    assert shares[0]["sentences"]["share"] == shares[0]["sentences among 1 best"]["share"] == 0.5
    assert shares[1]["sentences among 9999 best"]["share"] == 1
    page = glyphone("evaluate", model, "gold.conll", "--errors", "2").out
    assert "   8  phrases   Quito/PER  Quito/LOC  Ana viaja a Quito" in page


def test_taggers_of_old_labels(folder: Path) -> None:
    """Labels in IOB1 are read as they stand, or both sides as BIO."""
    Path("old.conll").write_text(SENTENCES.replace("B-", "I-") * 5, encoding="utf-8")
    model = tagger(train="old.conll")
    for scheme in ((), ("--scheme", "iob1")):
        _, found = measured(model, SENTENCES.replace("B-", "I-"), *scheme)
        assert found["shares"]["tokens"]["share"] == 1 and found["failed"] == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "has nothing to measure on (write TOKEN LABEL in each line)"),
        ("Ana\nve\n", "a token alone, and no label"),
        ("Ana X I-PER\n", "line 1: item 'Ana X I-PER': 'I-PER' comes first; none of 1 items"),
    ],
)
def test_gold_without_sentences(folder: Path, text: str, told: str) -> None:
    ran, _ = measured(trained("entities"), text)
    assert (ran.code, ran.out) == (2, "") and told in ran.err


def test_learners_that_label_nothing(folder: Path) -> None:
    tree = SymbolicTree(min_leaf=1).fit([["a"], ["b"]], ["x", "y"])
    learner_file.save(tree, "tree.glyphone")
    ran, _ = measured("tree.glyphone", SENTENCES)
    assert ran.code == 2 and "holds a SymbolicTree, which labels no sentences" in ran.err


def test_learners_have_no_explanations(folder: Path) -> None:
    ran = glyphone("explain", trained("entities"), "Ana")
    assert (ran.code, ran.out) == (2, "") and "a learner has no explanations" in ran.err
