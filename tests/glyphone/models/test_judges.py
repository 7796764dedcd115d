"""Ensembles with fields and trees that judge what joint models propose."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.fst.alignment.training import AlignmentOptions
from glyphone.fst.ensembles import file as ensemble_file
from glyphone.fst.ensembles.judges import Judge
from glyphone.fst.ensembles.jury import DEFAULT_REACH
from glyphone.fst.ensembles.members import EnsembleOptions, fit_judges, fit_untuned
from glyphone.fst.ensembles.model import EnsembleModel
from glyphone.fst.joint.training import JointOptions
from glyphone.models import judges as model_judges
from glyphone.models import kinds
from glyphone.models.crf.training import CrfOptions
from glyphone.models.trees.model import TreeModel
from glyphone.models.trees.training import TreeOptions
from glyphone.training.train import train
from tests.glyphone.models.crf.test_model import PAIRS
from tests.glyphone.support import judged, scores

ONE_EACH = AlignmentOptions(max_source=1)


def ensemble() -> EnsembleModel:
    options = EnsembleOptions(joint=JointOptions(order=3), members=2, histories=False)
    teachers = (
        lambda *given: model_judges.teach_crf(CrfOptions(templates="3-grm", rho1=0.1), *given),
        lambda *given: model_judges.teach_trees(TreeOptions(trees=2), *given),
    )
    sides = {"source": Writing(), "target": Writing()}
    return fit_untuned(PAIRS, options, **sides, jobs=1, name="small", teachers=teachers).model


MODEL = ensemble()


@pytest.mark.parametrize("judge", MODEL.judges, ids=lambda judge: judge.kind)
def test_judges_say_what_they_say_as_models(judge: Any) -> None:
    texts, outputs = ["chico", "noche", ""], [["Siko", "siko", "xx"], ["noSe"], [""]]
    assert judged(judge, texts, outputs) == pytest.approx(scores(judge, texts, outputs))


def test_trees_of_many_words_see_letters_that_are_far_off(monkeypatch: pytest.MonkeyPatch) -> None:
    teach = partial(model_judges.teach_trees, TreeOptions(trees=2, left=1, right=1))
    sides = []
    for many in (len(PAIRS), len(PAIRS) - 1):
        monkeypatch.setattr(model_judges, "MANY", many)
        (model,) = fit_judges(MODEL.first, PAIRS, [teach], 1)
        assert isinstance(model, TreeModel)
        sides.append((model.left, model.right))
    assert sides == [(1, 1), (model_judges.FAR, model_judges.FAR)]


@pytest.mark.parametrize("judge", MODEL.judges, ids=lambda judge: judge.kind)
def test_symbols_that_a_judge_does_not_know(judge: Judge) -> None:
    bounds = np.array([0, 1])
    for letter, sound in ((0, 1), (1, 0)):
        strings, outputs = np.array([letter], np.int32), np.array([sound], np.int32)
        assert judge.score_outputs(strings, bounds, bounds, bounds, outputs).tolist() == [-np.inf]


def test_what_a_judge_thinks_counts() -> None:
    n = len(MODEL.members)
    alone = np.zeros(n + 2)
    alone[n] = 1.0
    trusted = replace(MODEL, reranker=replace(MODEL.reranker, shares=alone))
    field: Any = MODEL.judges[0]
    for text in ("".join(letters) for letters in product("cho", repeat=3)):
        found = trusted.nbest(text, 3)
        scores = [field.score(text, one.output).log_probability for one in found]
        assert scores == sorted(scores, reverse=True)
        assert sum(one.posterior for one in found) <= 1 + 1e-9


def test_files(tmp_path: Path) -> None:
    ensemble_file.save(MODEL, tmp_path / "a.glyphone")
    loaded = kinds.load(tmp_path / "a.glyphone")
    assert isinstance(loaded, EnsembleModel)
    assert [judge.kind for judge in loaded.judges] == ["crf", "tree"]
    assert loaded.fingerprint() == MODEL.fingerprint()
    assert loaded.nbest("chica", 4) == MODEL.nbest("chica", 4)
    assert replace(MODEL, judges=()).fingerprint() != MODEL.fingerprint()


def test_a_file_whose_judge_is_no_judge() -> None:
    contents = ensemble_file.to_contents(MODEL)
    rows = [{**contents.manifest["judges"][0], "kind": "ensemble"}, contents.manifest["judges"][1]]
    forged = replace(contents, manifest={**contents.manifest, "judges": rows})
    with pytest.raises(FormatError, match="a judge of the kind 'ensemble'"):
        ensemble_file.from_contents(forged)
    forged = replace(contents, manifest={**contents.manifest, "judges": []})
    with pytest.raises(FormatError, match="not one share for each"):
        ensemble_file.from_contents(forged)


def test_inverted_ensembles_have_no_judges() -> None:
    assert MODEL.invert().judges == ()


def test_judges_by_name() -> None:
    with pytest.raises(UnknownName, match=r"judge named 'tree' \(did you mean trees"):
        model_judges.select_judges("tree", ONE_EACH)
    with pytest.raises(GlyphoneError, match="twice"):
        model_judges.select_judges("crf,crf", ONE_EACH)
    with pytest.raises(GlyphoneError, match="trees cannot learn from such units"):
        model_judges.select_judges("trees", AlignmentOptions(max_source=2))
    assert model_judges.select_judges(None, AlignmentOptions(max_source=1, insertions=1)) == []
    assert model_judges.select_judges(None, ONE_EACH, model_judges.MANY) == [
        "crf",
        "trees",
        "spelling",
    ]
    assert model_judges.select_judges(None, ONE_EACH, model_judges.MANY + 1) == ["crf", "trees"]
    assert model_judges.select_judges("spelling", ONE_EACH, model_judges.MANY + 1) == ["spelling"]


@pytest.mark.parametrize(("judges", "kinds"), [("crf", ["crf"]), ("none", [])])
def test_they_are_asked_for(judges: str, kinds: list[str]) -> None:
    pairs = [Pair(p.source, p.target) for p in PAIRS] * 2
    trained = train(pairs, kind="ensemble", order=3, members=1, judges=judges, target=Writing())
    assert isinstance(trained.model, EnsembleModel)
    assert [judge.kind for judge in trained.model.judges] == kinds
    assert trained.model.description["training"]["judges"] == kinds


def test_a_stop_signal_stops_all_of_an_ensemble(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(
        "glyphone.learners.crf.training.gradient_descent.GradientDescent.iterate", interrupted
    )
    with pytest.raises(KeyboardInterrupt):
        train(PAIRS, kind="ensemble", order=3, members=1, judges="crf", target=Writing())


def test_a_field_proposes_what_it_thinks_best() -> None:
    field: Any = MODEL.judges[0]
    texts = ["".join(letters) for letters in product("choxn", repeat=2)]
    block = field.source.encode_all(texts)
    for least, most, margin in ((1, 3, 2.0), (4, 4, 2.0), (1, 1000, 2.0), (1, 1000, 6.0)):
        arrays = (block.labels, block.bounds, least, most, margin)
        firsts, offsets, outputs = field.propose(*arrays)
        for item, text in enumerate(texts):
            every = field.nbest(text, most)
            near = [one for one in every if one.cost <= every[0].cost + margin]
            wanted = every[: max(len(near), min(least, len(every)))]
            rows = range(firsts[item], firsts[item + 1])
            found = [
                "".join(field.target.decode(outputs[offsets[k] : offsets[k + 1]])) for k in rows
            ]
            assert found[: len(wanted)] == [one.output for one in wanted]
            assert least <= len(found) <= most or len(found) == len(every)
    union = MODEL.score_proposals(block.labels, block.bounds)
    for item, text in enumerate(texts):
        rows = range(*union.lists.firsts[item : item + 2])
        judged = [union.outputs[union.offsets[k] : union.offsets[k + 1]].tolist() for k in rows]
        assert MODEL.target.encode(field(text).output).labels in judged


def test_trees_are_asked_last_of_what_is_open() -> None:
    """Beside the same lists with everything judged, and cut by hand."""
    shares = np.array([0.9, 0.6, 0.7, 0.8])
    model = replace(MODEL, reranker=replace(MODEL.reranker, shares=shares))
    texts = ["".join(letters) for letters in product("choi", repeat=3)]
    block = model.source.encode_all(texts)
    whole = model.score_proposals(block.labels, block.bounds, 5, whole=True)
    found = model.score_proposals(block.labels, block.bounds, 5)
    firsts = whole.lists.firsts
    assert found.outputs.tolist() == whole.outputs.tolist()
    assert found.lists.scores[:, :-1].tolist() == whole.lists.scores[:, :-1].tolist()
    n_closed = 0
    for a, b in pairwise(firsts.tolist()):
        before = whole.lists.scores[a:b, :-1] @ shares[:-1]
        near = before >= before.max(initial=-np.inf) - DEFAULT_REACH
        n_closed += int(np.count_nonzero(~near))
        wanted = np.zeros(b - a)
        if near.sum() > 1:
            trees = whole.lists.scores[a:b, -1]
            wanted = np.where(near, trees, trees[near].min()) - trees[near].max()
        assert found.lists.scores[a:b, -1] == pytest.approx(wanted)
    assert n_closed


def test_a_wide_member_proposes_nothing_where_a_field_does() -> None:
    options = EnsembleOptions(joint=JointOptions(order=3), members=3)
    sides = {"source": Writing(), "target": Writing()}
    for teachers, proposes in (((), True), (model_judges.teachers_of(["crf"]), False)):
        found = fit_untuned(PAIRS, options, **sides, jobs=1, name="x", teachers=teachers).model
        assert [member.proposes for member in found.members] == [True, True, proposes]


def test_two_judges_know_what_histories_know() -> None:
    teacher = model_judges.teachers_of(["crf"])
    options = EnsembleOptions(joint=JointOptions(order=3), members=1)
    sides = {"source": Writing(), "target": Writing()}
    for teachers, n in (((), 2), (teacher, 2), (teacher * 2, 0)):
        found = fit_untuned(PAIRS, options, **sides, jobs=1, name="x", teachers=teachers).model
        assert (len(found.histories), len(found.judges)) == (n, len(teachers))
