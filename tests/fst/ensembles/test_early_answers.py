"""Words that the first member of an ensemble answers alone, and how sure it must be for that."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import FormatError
from glyphone.data.writing import Writing
from glyphone.fst.ensembles import file as ensemble_file
from glyphone.fst.ensembles.early_answers import (
    NEVER,
    TRIED,
    answers_or_proposals,
    best_shares,
    fit_sure,
)
from glyphone.fst.ensembles.members import EnsembleOptions
from glyphone.fst.ensembles.model import EnsembleModel
from glyphone.fst.ensembles.training import fit_ensemble
from glyphone.fst.joint.search import decode_strings, propose_outputs
from glyphone.fst.joint.training import JointOptions
from glyphone.fst.lattices import block_order
from glyphone.fst.lattices.block_kernels import Block
from glyphone.models import kinds
from tests.fst.ensembles.test_self_training import WORDS, doubtful
from tests.fst.joint.twins import random_model, seeds, strings

OPTIONS = EnsembleOptions(joint=JointOptions(order=3), members=2, folds=0)
SURE = 0.55


@pytest.fixture(scope="module")
def model() -> EnsembleModel:
    return fit_ensemble(doubtful(), OPTIONS, target=Writing()).model


def test_sure_words_are_answered_by_the_first_member_and_others_by_all(
    model: EnsembleModel,
) -> None:
    cascade, first = replace(model, sure=SURE), model.first
    alone = [word for word in WORDS if first(word).posterior >= SURE]
    assert 0 < len(alone) < len(WORDS)
    for word in WORDS:
        for n in (1, 4):
            found = cascade.nbest(word, n)
            if word not in alone:
                assert found == model.nbest(word, n)
                continue
            wanted = sorted(first.nbest(word, n), key=lambda one: -one.posterior)
            assert [(one.output, one.spans) for one in found] == [
                (one.output, one.spans) for one in wanted
            ]
            for one in found:
                assert one.cost == pytest.approx(-math.log(one.posterior))


def test_blocks_are_answered_as_single_words_are(model: EnsembleModel) -> None:
    cascade = replace(model, sure=SURE)
    texts = [*WORDS, "tx", "", *WORDS[:3]]
    found = cascade.answer(texts, n=3, spans=True)
    assert [*found.failures] == [texts.index("tx")]
    for item, text in enumerate(texts):
        if text != "tx":
            assert found.hypotheses(item) == cascade.nbest(text, 3)


def test_what_is_scored_is_what_is_answered(model: EnsembleModel) -> None:
    cascade = replace(model, sure=SURE)
    for word in WORDS:
        for rank, one in enumerate(cascade.nbest(word, model.depth), 1):
            scored = cascade.score(word, one.output)
            assert scored.rank == rank
            assert scored.posterior == pytest.approx(one.posterior, abs=0.02)
            assert math.exp(scored.log_probability) == pytest.approx(math.exp(-one.cost), abs=0.02)
        assert math.isinf(cascade.score(word, "ptptptptpt").log_probability)


def test_files(model: EnsembleModel, tmp_path: Path) -> None:
    silent = replace(model.members[1], proposes=False)
    cascade = replace(model, sure=SURE, members=(model.members[0], silent))
    ensemble_file.save(cascade, tmp_path / "a.glyphone")
    loaded = kinds.load(tmp_path / "a.glyphone")
    assert isinstance(loaded, EnsembleModel)
    assert (loaded.sure, loaded.members[1].proposes) == (SURE, False)
    assert loaded.fingerprint() == cascade.fingerprint()
    assert [loaded.nbest(word, 3) for word in WORDS] == [cascade.nbest(word, 3) for word in WORDS]
    others = (replace(cascade, sure=NEVER), replace(cascade, members=model.members))
    assert len({cascade.fingerprint(), *(one.fingerprint() for one in others)}) == 3
    assert "sure" not in ensemble_file.to_contents(others[0]).manifest
    assert cascade.invert().sure == NEVER


@given(seeds, st.lists(strings, max_size=4), st.sampled_from([0.0, 0.5, NEVER]), st.booleans())
def test_answers_and_proposals_of_one_trellis_are_those_of_two(
    seed: int, words: list[tuple[int, ...]], sure: float, summed: bool
) -> None:
    first = replace(random_model(seed), beam=3.0, summed=summed)
    labels = np.array([label for word in words for label in word], np.int32)
    bounds = np.cumsum([0, *map(len, words)])
    beam, proposing = first.beam_for(), {"most": 3, "margin": 1.0}
    best = decode_strings(first.joint, labels, bounds, n=1, beam=beam, spans=True)
    others = propose_outputs(first.joint, labels, bounds, least=1, beam=beam, **proposing)
    found = answers_or_proposals(first, labels, bounds, sure=sure, spans=True, **proposing)
    shares = best_shares(best)
    assert best_shares(found).tolist() == shares.tolist()
    for item, share in enumerate(shares.tolist()):
        here = np.array([item])
        one, wanted = (
            block_order.select_items(b, here) for b in (found, best if share >= sure else others)
        )
        for name in ("statuses", "firsts", "costs", "offsets", "labels"):
            assert getattr(one, name).tolist() == getattr(wanted, name).tolist()
        if share >= sure:
            assert (one.begins.tolist(), one.ends.tolist()) == (
                wanted.begins.tolist(),
                wanted.ends.tolist(),
            )


@pytest.mark.parametrize("sure", [0.0, -1.0, math.nan, "0.9", True])
def test_files_whose_first_member_is_never_to_be_believed(
    model: EnsembleModel, sure: object
) -> None:
    contents = ensemble_file.to_contents(model)
    forged = replace(contents, manifest={**contents.manifest, "sure": sure})
    with pytest.raises(FormatError, match="is sure from"):
        ensemble_file.from_contents(forged)


def test_files_whose_members_propose_perhaps(model: EnsembleModel) -> None:
    contents = ensemble_file.to_contents(model)
    first, other = contents.manifest["members"]
    for rows, message in (
        ([first, {**other, "proposes": 1}], "may propose or not"),
        ([{**first, "proposes": False}, other], "proposes nothing"),
    ):
        forged = replace(contents, manifest={**contents.manifest, "members": rows})
        with pytest.raises(FormatError, match=message):
            ensemble_file.from_contents(forged)


@pytest.mark.parametrize(("n", "most"), [(999, 0), (5000, 5)])
@pytest.mark.parametrize("seed", range(5))
def test_the_least_share_that_loses_one_word_in_a_thousand(seed: int, n: int, most: int) -> None:
    random = np.random.default_rng(seed)
    shares = random.random(n)
    early, late = random.random(n) < shares, random.random(n) < np.maximum(shares, 0.8)

    def lost(share: float) -> int:
        return int(late.sum()) - int(np.where(shares >= share, early, late).sum())

    found = fit_sure(shares, early, late)
    wanted = [share for share in TRIED if lost(share) <= most]
    assert found == min(wanted, default=NEVER)


def test_answers_in_another_order() -> None:
    block = Block(
        np.array([0, 1, 0], np.int8),
        np.array([0, 2, 2, 3]),
        np.array([0.1, 0.2, 0.3]),
        np.array([0.6, 0.4, 1.0]),
        np.array([0, 1, 3, 4]),
        np.array([5, 6, 7, 8], np.int32),
        np.arange(4, dtype=np.int32),
        np.arange(4, dtype=np.int32) + 1,
    )

    def told(found: Block) -> list[tuple[int, list[tuple[float, float, list[int], list[int]]]]]:
        cuts = [slice(a, b) for a, b in zip(found.offsets, found.offsets[1:], strict=False)]
        rows = [
            (cost, share, found.labels[cut].tolist(), found.begins[cut].tolist())
            for cost, share, cut in zip(found.costs, found.posteriors, cuts, strict=True)
        ]
        return [
            (int(found.statuses[k]), rows[found.firsts[k] : found.firsts[k + 1]])
            for k in range(len(found.statuses))
        ]

    one = told(block)
    assert told(block_order.select_items(block, np.array([2, 0]))) == [one[2], one[0]]
    assert told(block_order.restore_order(block_order.select_items(block, np.array([2, 0, 1])),
                                     np.array([2, 0, 1]))) == one  # fmt: skip
    assert told(
        block_order.concatenate_blocks(block, block_order.select_items(block, np.array([0])))
    ) == [
        *one,
        one[0],
    ]
    turned = block_order.select_answers(block, np.array([1, 0, 2]))
    assert told(turned) == [(0, one[0][1][::-1]), *one[1:]]
