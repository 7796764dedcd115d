"""Words without answers that an ensemble answers with one voice, and training with them."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.fst.ensembles.members import EnsembleOptions
from glyphone.fst.ensembles.model import EnsembleModel
from glyphone.fst.ensembles.reranking.model import Reranker
from glyphone.fst.ensembles.self_training import agreed_pairs, read_words
from glyphone.fst.ensembles.training import fit_ensemble, retrain_members
from glyphone.fst.joint.training import JointOptions
from tests.fst.ensembles.examples import lexicon

OPTIONS = EnsembleOptions(joint=JointOptions(order=3), members=2, folds=0)
WORDS = ["".join(letters) for letters in product("ct", "aei", "cp", "oe")]


def doubtful() -> list[Pair]:
    """Words whose vowels are read in two ways, by chance."""
    chooser = random.Random(1)
    return [
        Pair(
            pair.source, tuple(chooser.choice(["a", "i"]) if x in "ao" else x for x in pair.target)
        )
        for pair in lexicon()
    ]


@pytest.fixture(scope="module")
def model() -> EnsembleModel:
    return fit_ensemble(doubtful(), OPTIONS, target=Writing()).model


def alike(model: EnsembleModel, word: str) -> bool:
    """Whether each model alone, its share one and those of the others nought, answers the same."""
    n = len(model.reranker.shares)
    answers = set()
    for share in np.eye(n):
        found = replace(model, reranker=Reranker(share)).nbest(word, 100)
        answers.add(frozenset(one.output for one in found if one.cost <= found[0].cost + 1e-12))
    return bool(frozenset.intersection(*answers))


def test_what_is_agreed_on_is_what_each_model_says_alone(model: EnsembleModel) -> None:
    found = {
        "".join(pair.source): "".join(pair.target) for pair in agreed_pairs(model, WORDS, least=0.0)
    }
    assert 0 < len(found) < len(WORDS)
    for word in WORDS:
        assert (word in found) <= alike(model, word)
        assert found.get(word, model(word).output) == model(word).output


def test_whoever_counts_for_nothing_doubts_nothing(model: EnsembleModel) -> None:
    found = []
    for share in (1.0, -0.01):
        shares = np.full(len(model.reranker.shares), share)
        shares[0] = 1.0
        other = replace(model, reranker=Reranker(shares))
        found.append({pair.source for pair in agreed_pairs(other, WORDS, least=0.0)})
    assert found[0] < found[1]


def test_none_is_taken_that_is_not_sure(model: EnsembleModel) -> None:
    shares = {word: model(word).posterior / (1 - model.missing) for word in WORDS}
    everything = {"".join(pair.source) for pair in agreed_pairs(model, WORDS, least=0.0)}
    for least in (0.5, 0.9, 0.99):
        found = {"".join(pair.source) for pair in agreed_pairs(model, WORDS, least=least)}
        assert found == {word for word in everything if shares[word] >= least}
    assert agreed_pairs(model, WORDS, least=1.1) == []


def test_words_that_nobody_can_read_are_left_out(model: EnsembleModel) -> None:
    assert agreed_pairs(model, ["", "tx", "ταυ"], least=0.0) == []
    once = agreed_pairs(model, ["tapo"], least=0.0)
    assert agreed_pairs(model, ["tapo", "", "tx", "tapo"], least=0.0, jobs=2) == once
    assert agreed_pairs(model, [], least=0.0) == []


def test_an_ensemble_learns_from_them() -> None:
    pairs = lexicon(40)
    plain = fit_ensemble(pairs, OPTIONS, target=Writing())
    known = ["".join(pair.source) for pair in pairs]
    options = replace(OPTIONS, agreement=0.5)
    found = fit_ensemble(pairs, options, target=Writing(), unlabelled=[*known, *WORDS])
    new = [word for word in WORDS if word not in known]
    more = agreed_pairs(plain.model, new, least=0.5)
    assert found.report == {"unlabelled": len(new), "agreed": len(more)} and more
    by_hand = retrain_members(plain.model, [*pairs, *more], options, jobs=1, teachers=())
    assert found.model.fingerprint() == by_hand.fingerprint() != plain.model.fingerprint()
    assert found.model.reranker is not None and found.model.temperature == plain.model.temperature
    again = fit_ensemble(pairs, OPTIONS, target=Writing(), unlabelled=known)
    assert again.model.fingerprint() == plain.model.fingerprint()


def test_pairs_of_the_lexicon_stay_as_they_are() -> None:
    word = Pair(tuple("cece"), tuple("kk"))
    found = fit_ensemble(
        [*lexicon(40), *[word] * 9], OPTIONS, target=Writing(), unlabelled=["cece"]
    )
    assert found.report == {"unlabelled": 0, "agreed": 0}


def test_words_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("uno\ndos\t2\n\ntres\n", encoding="utf-8")
    assert read_words(str(path)) == ["uno", "dos", "tres"]
    assert read_words(None) == []
