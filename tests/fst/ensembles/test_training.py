"""Training of ensembles: jobs, lists of words that were not seen, tuning, folds, few words."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.data.writing import Writing
from glyphone.fst.alignment.training import AlignmentOptions
from glyphone.fst.ensembles import file as ensemble_file
from glyphone.fst.ensembles import members as ensemble_members
from glyphone.fst.ensembles import training as ensemble_training
from glyphone.fst.ensembles.members import EnsembleOptions
from glyphone.fst.ensembles.reranking.feature_kernels import NOTHING
from glyphone.fst.ensembles.reranking.model import lists_without_paths
from glyphone.fst.ensembles.training import fit_ensemble, fold_counts, held_out_groups
from glyphone.fst.ensembles.tuning import tune_reranker
from glyphone.fst.joint.training import JointOptions
from tests.fst.ensembles.examples import OPTIONS, lexicon


def test_the_same_bytes_whatever_the_number_of_jobs(tmp_path: Path) -> None:
    pairs, files = lexicon(40), []
    for number, (jobs, seed) in enumerate([(1, 0), (2, 0), (1, 1)]):
        options = replace(OPTIONS, members=5, reranker=True, seed=seed)
        fitted = fit_ensemble(pairs, options, target=Writing(), jobs=jobs)
        assert fitted.model.reranker.level != NOTHING
        ensemble_file.save(fitted.model, tmp_path / str(number))
        files.append((tmp_path / str(number)).read_bytes())
    assert files[0] == files[1] != files[2]


def test_more_is_proposed_where_words_are_few() -> None:
    few, many = (EnsembleOptions().with_proposals(n) for n in (12_000, 12_001))
    assert (few.depth, few.margin) == (20, 6.0) and (many.depth, many.margin) == (10, 2.0)
    assert few.with_proposals(12_001) == few
    asked = EnsembleOptions(depth=3, margin=1).with_proposals(5)
    assert (asked.depth, asked.margin) == (3, 1.0) and type(asked.margin) is float
    model = fit_ensemble(lexicon(40), replace(OPTIONS, folds=0), target=Writing()).model
    assert (model.depth, model.margin) == (20, 6.0)
    labels = np.array(model.source.encode("cecica").labels, np.int32)
    sizes = []
    for margin in (1e-9, 2.0, 6.0, 30.0):
        union = replace(model, margin=margin).score_proposals(labels, np.array([0, len(labels)]))
        sizes.append(len(union.offsets) - 1)
    assert sizes == sorted(sizes) and 1 <= sizes[0] < sizes[1] < sizes[-1]


def test_folds_propose_as_the_whole_does(monkeypatch: pytest.MonkeyPatch) -> None:
    margins, fit_untuned = [], ensemble_training.fit_untuned

    def noted(*arguments: Any, **named: Any) -> Any:
        found = fit_untuned(*arguments, **named)
        margins.append(found.model.margin)
        return found

    monkeypatch.setattr(ensemble_training, "fit_untuned", noted)
    monkeypatch.setattr(ensemble_members, "FEW_WORDS", 50)
    fit_ensemble(lexicon(60), OPTIONS, target=Writing())
    assert margins == [2.0] * 4


def test_lists_are_of_words_that_were_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs, seen = lexicon(60), list[tuple[set[Any], set[Any]]]()
    judged_lists, fit_untuned = ensemble_training.judged_lists, ensemble_training.fit_untuned
    trained = []

    def noted(given: Any, *arguments: Any, **named: Any) -> Any:
        trained.append({pair.source for pair in given})
        return fit_untuned(given, *arguments, **named)

    def listed(model: Any, words: Any, references: Any) -> Any:
        seen.append((trained[-1], set(words)))
        return judged_lists(model, words, references)

    monkeypatch.setattr(ensemble_training, "fit_untuned", noted)
    monkeypatch.setattr(ensemble_training, "judged_lists", listed)
    # Relatives are whoever begins with the same two letters.
    monkeypatch.setattr(ensemble_training, "families_of", lambda ws: {w: w[:2] for w in ws})
    fitted = fit_ensemble(pairs, OPTIONS, target=Writing())
    assert len(seen) == 3 and fitted.report["lists"] > 50
    assert all(inside and not inside & others for others, inside in seen)
    words = {pair.source for pair in pairs}
    assert set.union(*(inside for _, inside in seen)) == words
    for others, inside in seen:
        assert {word[:2] for word in inside}.isdisjoint(word[:2] for word in others)


def test_families_are_held_out_together_where_most_words_have_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forms = [(*(4 * letter), digit) for letter in "abcdefghijklm" for digit in "0123"]
    others = [(letter, digit) for letter in "vwxyz" for digit in "0123456789ab"]
    found = held_out_groups(forms + others[:51])
    assert len({*found.values()}) == 13 + 51
    assert all(found[word] == (*word[:4], "0") for word in forms)
    monkeypatch.setattr(ensemble_training, "FEW_WORDS", len(found) - 1)
    assert held_out_groups(forms + others[:51]) == {word: word for word in found}
    monkeypatch.undo()
    assert held_out_groups(forms + others[:52]) == {word: word for word in forms + others[:52]}


@pytest.mark.parametrize("reranker", [None, True, False])
@pytest.mark.parametrize("best", [0, 1])
def test_one_list_is_enough_to_be_tuned_by(reranker: bool | None, best: int) -> None:
    lists = lists_without_paths(np.array([0, 2]), np.array([[0.0], [-1.0]]))
    right = np.arange(2) == best
    found = tune_reranker(lists, right, reranker=reranker, seed=0)
    report = found.report
    assert (report["lists"], report["wer"], found.ranker.level) == (1, 0.0, NOTHING)
    assert math.isfinite(found.temperature) and found.temperature > 0


@pytest.mark.parametrize("n", [1, 2, 10])
def test_tiny_lexicons(n: int) -> None:
    pairs = lexicon(n)
    model = fit_ensemble(pairs, OPTIONS, target=Writing()).model
    right = [model("".join(pair.source)).output == "".join(pair.target) for pair in pairs]
    assert sum(right) >= 0.9 * n
    assert model.reranker.level == NOTHING


def test_units_of_several_letters_have_no_histories() -> None:
    joint = JointOptions(order=3, alignment=AlignmentOptions(max_source=2, max_target=2))
    options = EnsembleOptions(joint=joint, members=2)
    model = fit_ensemble(lexicon(40), options, target=Writing()).model
    assert model.histories == () and len(model.reranker.shares) == 2
    assert model("cica").output == "sika"


def test_folds() -> None:
    assert fold_counts(10, None) == (1, 0)
    assert fold_counts(800, None) == (3, 3)
    assert fold_counts(100_000, None) == (10, 1)
    assert fold_counts(800, 5) == (5, 5)
    with pytest.raises(GlyphoneError, match="0 members"):
        fit_ensemble(lexicon(5), replace(OPTIONS, members=0), target=Writing())
    for wrong in ({"depth": 0}, {"margin": 0.0}, {"margin": math.nan}, {"margin": math.inf}):
        with pytest.raises(GlyphoneError, match="proposals"):
            fit_ensemble(lexicon(5), replace(OPTIONS, **wrong), target=Writing())
