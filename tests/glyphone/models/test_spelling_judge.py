"""The judge that goes the other way, from sounds to letters."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glyphone.data.errors import FormatError
from glyphone.data.records import Alignment, Pair
from glyphone.data.writing import Writing
from glyphone.fst.ensembles import file as ensemble_file
from glyphone.fst.ensembles.jury import (
    REACHES,
    contested_outputs,
    fill_with_worst,
    fit_reach,
    totals_within_reach,
)
from glyphone.fst.ensembles.members import EnsembleOptions, fit_untuned
from glyphone.fst.ensembles.model import EnsembleModel
from glyphone.fst.ensembles.reranking.fitting import best_are_right
from glyphone.fst.ensembles.reranking.model import Reranker, lists_without_paths
from glyphone.fst.ensembles.spelling import Spelling
from glyphone.fst.interface.codec import Side
from glyphone.fst.joint.training import JointOptions
from glyphone.models import judges as model_judges
from glyphone.models.trees.training import TreeOptions
from tests.glyphone.models.crf.test_model import PAIRS
from tests.glyphone.support import judged


def ensemble() -> EnsembleModel:
    few = TreeOptions(trees=2)
    teachers = (
        lambda *given: model_judges.teach_trees(few, *given),
        lambda *given: model_judges.teach_spelling(few, *given),
    )
    options = EnsembleOptions(joint=JointOptions(order=3), histories=False)
    sides = {"source": Writing(), "target": Writing()}
    return fit_untuned(PAIRS, options, **sides, jobs=1, name="small", teachers=teachers).model


MODEL = ensemble()
JUDGE: Any = MODEL.judges[-1]


def test_it_says_what_its_parts_say() -> None:
    texts, outputs = ["chico", "noche", "no"], [["Siko", "kiko", "no"], ["noSe"], ["no", "so"]]
    wanted = []
    for text, row in zip(texts, outputs, strict=True):
        for output in row:
            tokens = [JUDGE.speller.source.symbols[sound] - 1 for sound in output]
            spelled = JUDGE.speller.score(output, text).log_probability
            wanted.append(JUDGE.sounds.score(tokens) + spelled)
    assert np.isfinite(wanted).sum() >= 3
    assert judged(JUDGE, texts, outputs) == pytest.approx(wanted)


@pytest.mark.parametrize(("letter", "sound"), [(0, 1), (1, 0)])
def test_symbols_that_it_does_not_know(letter: int, sound: int) -> None:
    bounds = np.array([0, 1])
    strings, outputs = np.array([letter], np.int32), np.array([sound], np.int32)
    assert JUDGE.score_outputs(strings, bounds, bounds, bounds, outputs).tolist() == [-np.inf]


def test_where_it_judges_the_third_member_knows_units_alone() -> None:
    assert [member.model.ngrams.order for member in MODEL.members] == [3, 3, 1]
    assert [member.proposes for member in MODEL.members] == [True, True, False]


def test_sounds_that_no_letters_stand_for_teach_it_nothing() -> None:
    letters, sounds = Side(Writing(), {"a": 1}), Side(Writing(), {"b": 1})
    rows = [Alignment(((("a",), ()), (("a",), ())))]
    assert model_judges.teach_spelling(TreeOptions(), rows, letters, sounds, 1) is None
    teacher = model_judges.teachers_of(["spelling"])
    options = EnsembleOptions(joint=JointOptions(order=2), members=1, histories=False)
    sides = {"source": Writing(), "target": Writing()}
    silent = [Pair(("a", "b"), ()), Pair(("a",), ())]
    found = fit_untuned(silent, options, **sides, jobs=1, name="x", teachers=teacher)
    assert found.model.judges == () and len(found.model.reranker.shares) == 1


def test_files(tmp_path: Path) -> None:
    ensemble_file.save(MODEL, tmp_path / "a.glyphone")
    loaded = ensemble_file.load(tmp_path / "a.glyphone")
    assert isinstance(loaded.judges[-1], Spelling)
    assert loaded.fingerprint() == MODEL.fingerprint()
    assert loaded.nbest("chica", 4) == MODEL.nbest("chica", 4)
    far = replace(MODEL, reach=np.inf)
    assert far.fingerprint() != MODEL.fingerprint()
    ensemble_file.save(far, tmp_path / "b.glyphone")
    assert ensemble_file.load(tmp_path / "b.glyphone").reach == np.inf


def test_a_file_whose_speller_is_none() -> None:
    contents = ensemble_file.to_contents(MODEL)
    trees, row = contents.manifest["judges"]
    speller = {**row["model"]["speller"], "kind": "ensemble"}
    forged = {**row, "model": {**row["model"], "speller": speller}}
    manifest = {**contents.manifest, "judges": [trees, forged]}
    with pytest.raises(FormatError, match="a speller of the kind 'ensemble'"):
        ensemble_file.from_contents(replace(contents, manifest=manifest))


def test_a_file_whose_judges_reach_nothing() -> None:
    contents = ensemble_file.to_contents(MODEL)
    manifest = {**contents.manifest, "reach": 0.0}
    with pytest.raises(FormatError, match="its judges reach 0"):
        ensemble_file.from_contents(replace(contents, manifest=manifest))


@pytest.mark.parametrize("reach", [0.5, 3.0])
def test_both_are_asked_of_what_is_open(reach: float) -> None:
    """Beside the same lists with everything judged."""
    shares = np.array([0.9, 0.6, -0.2, 0.7, 0.5])
    model = replace(MODEL, reranker=Reranker(shares), reach=reach)
    texts = ["".join(letters) for letters in product("choi", repeat=3)]
    block = model.source.encode_all(texts)
    whole = model.score_proposals(block.labels, block.bounds, 5, whole=True).lists
    found = model.score_proposals(block.labels, block.bounds, 5).lists
    rows = contested_outputs(whole.scores[:, :3] @ shares[:3], whole.firsts, reach)
    assert 0 < np.count_nonzero(rows) < len(rows)
    for column in (3, 4):
        wanted = fill_with_worst(whole.scores[rows, column], rows, whole.firsts)
        for a, b in pairwise(whole.firsts.tolist()):
            best = wanted[a:b].max(initial=-np.inf)
            assert found.scores[a:b, column] == pytest.approx(wanted[a:b] - best)
    # What the reach was fitted on, but for a constant of each list.
    totals = model.reranker.totals(whole)
    behind = totals_within_reach(totals, whole, shares, [3, 4], reach) - model.reranker.totals(
        found
    )
    for a, b in pairwise(whole.firsts.tolist()):
        assert behind[a:b] == pytest.approx(behind[a:b].mean() if b > a else 0.0)


def test_the_reach_loses_no_word() -> None:
    random = np.random.default_rng(1)
    sizes = random.integers(1, 6, 300)
    firsts = np.concatenate([[0], np.cumsum(sizes)])
    scores = -random.exponential(2.0, (firsts[-1], 2))
    right = np.zeros(firsts[-1], np.bool_)
    right[[a + int(np.argmax(scores[a:b].sum(1))) for a, b in pairwise(firsts)]] = True
    right &= random.random(firsts[-1]) < 0.9
    lists, ranker = lists_without_paths(firsts, scores), Reranker(np.ones(2))

    def n_right(reach: float) -> int:
        rows, cut = contested_outputs(scores[:, 0], firsts, reach), scores.copy()
        cut[:, 1] = fill_with_worst(scores[rows, 1], rows, firsts)
        return int(np.count_nonzero(best_are_right(ranker, lists._replace(scores=cut), right)))

    reach = fit_reach(scores.sum(1), lists, right, np.ones(2), [1])
    everyone = int(np.count_nonzero(best_are_right(ranker, lists, right)))
    assert REACHES[0] < reach < np.inf and n_right(reach) >= everyone
    assert all(n_right(other) < everyone for other in REACHES if other < reach)
