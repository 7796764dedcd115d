"""Deciding and reranking, each beside a plainer way of doing it."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError, ItemError, UnknownName
from glyphone.data.records import Candidate
from glyphone.pipelines.registry import Item
from glyphone.pipelines.stages import tuning
from glyphone.pipelines.stages.deciding import DecodeF, Keep
from glyphone.pipelines.stages.reranking import Rerank
from tests.glyphone.pipelines.support import candidates

PROBABILITIES = st.lists(st.floats(0, 1), max_size=7)


def expected_f(keep: tuple[bool, ...], probabilities: list[float], alpha: float) -> float:
    """The mean of F over all ways in which labels may be true."""
    total = 0.0
    for truth in product([False, True], repeat=len(keep)):
        chance = math.prod(p if y else 1 - p for p, y in zip(probabilities, truth, strict=True))
        hits = sum(a and b for a, b in zip(keep, truth, strict=True))
        below = alpha * sum(truth) + (1 - alpha) * sum(keep)
        total += chance * (hits / below if below else 1.0)
    return total


@given(PROBABILITIES, st.sampled_from([0.25, 0.5, 0.75]), st.integers(0, 7))
def test_expected_f_against_all_ways(probabilities: list[float], alpha: float, cut: int) -> None:
    """The candidates kept in a document are as good as the best choice, however it is divided."""
    found = candidates(*probabilities)
    items = [Item("a", found[:cut], document="d"), Item("b", found[cut:], document="d")]
    decided = DecodeF(alpha=alpha)(items)
    kept = {c.span for item in decided for c in item.candidates}
    rejected = {c.span for item in decided for c in item.rejected}
    assert kept | rejected == {c.span for c in found} and not kept & rejected
    best = max(
        expected_f(keep, probabilities, alpha)
        for keep in product([False, True], repeat=len(probabilities))
    )
    mine = expected_f(tuple(c.span in kept for c in found), probabilities, alpha)
    assert mine == pytest.approx(best, abs=1e-12)


def test_documents_are_decided_about_apart() -> None:
    both = [Item("a", candidates(0.3)), Item("b", candidates(0.9))]
    assert [len(item.candidates) for item in DecodeF()(both)] == [0, 1]
    one = [Item(item.text, item.candidates, document="d") for item in both]
    assert [len(item.candidates) for item in DecodeF(alpha=0.9)(one)] == [1, 1]


@pytest.mark.parametrize("score", [-0.1, 1.5, math.nan])
def test_scores_that_are_no_probabilities(score: float) -> None:
    with pytest.raises(ItemError, match=r"'1' has the score .*, no probability"):
        DecodeF()([Item("a", candidates(0.5, score))])


@given(st.lists(st.floats(0, 1)), st.floats(0, 1), st.integers(1, 5) | st.none())
def test_keep(scores: list[float], least: float, most: int | None) -> None:
    (item,) = Keep(least=least, most=most)([Item("a", candidates(*scores))])
    kept = [c.score for c in item.candidates]
    expected = sorted((s for s in scores if s >= least), reverse=True)[:most]
    assert sorted(kept, reverse=True) == expected
    assert [c.span for c in item.candidates] == sorted(c.span for c in item.candidates)
    assert len(kept) + len(item.rejected) == len(scores)


def lists(seed: int, n: int = 60) -> tuple[list[Item], list[set[str]]]:
    """Items with two features, of which neither alone, but their sum tells what is right."""
    generator = np.random.default_rng(seed)
    items, references = [], []
    for number in range(n):
        rows = generator.normal(size=(4, 2))
        right = int((rows @ [1.0, 2.0]).argmax())
        found = tuple(
            Candidate((0, 1), "x", str(k), {"one": a, "two": b})
            for k, (a, b) in enumerate(rows.tolist())
        )
        items.append(Item(str(number), found))
        references.append({str(right)})
    return items, references


def share_right(stage: Rerank, items: list[Item], references: list[set[str]]) -> float:
    done = stage(items)
    return float(
        np.mean([i.candidates[0].value in r for i, r in zip(done, references, strict=True)])
    )


@given(st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=1, max_size=6))
def test_log_linear_scores(rows: list[tuple[float, float]]) -> None:
    found = tuple(Candidate((0, 1), "x", str(k), {"a": a, "b": b}) for k, (a, b) in enumerate(rows))
    (item,) = Rerank(weights={"a": 0.5, "b": -1.0})([Item("x", found)])
    exps = [math.exp(0.5 * a - b) for a, b in rows]
    expected = {str(k): one / sum(exps) for k, one in enumerate(exps)}
    assert {c.value: c.score for c in item.candidates} == pytest.approx(expected)
    scores = [c.score for c in item.candidates]
    assert scores == sorted(scores, reverse=True)
    assert Rerank(weights={"a": 1.0})([Item("x")]) == [Item("x")]


def test_features_that_reranking_needs() -> None:
    with pytest.raises(ItemError, match="'' has no feature 'q'"):
        Rerank(weights={"q": 1.0})([Item("a", candidates(0.1))])
    odd = Item("a", (Candidate((0, 1), "x", "v", {"q": -math.inf}),))
    with pytest.raises(ItemError, match="'v' has -inf as 'q'"):
        Rerank(weights={"q": 1.0})([odd])


@pytest.mark.parametrize("measure", tuning.MEASURES)
def test_tuned_weights_are_better_than_either_alone(measure: str) -> None:
    items, references = lists(0)
    stage = tuning.tune_weights(items, references, features=["one", "two"], measure=measure)
    alone = [Rerank(weights={"one": a, "two": b}) for a, b in ((1, 0), (0, 1))]
    most = max(share_right(one, items, references) for one in alone)
    assert share_right(stage, items, references) >= 0.95 > most
    others, expected = lists(1, 300)
    assert share_right(stage, others, expected) > 0.9


def test_tuning_against_a_grid() -> None:
    """Where answers are right at random, no direction of a grid is far better."""
    generator = np.random.default_rng(3)
    items, references = lists(3, 40)
    references = [{str(k)} for k in generator.integers(4, size=40)]
    stage = tuning.tune_weights(items, references, features=["one", "two"], measure="accuracy")
    grid = max(
        share_right(Rerank(weights={"one": math.cos(t), "two": math.sin(t)}), items, references)
        for t in np.linspace(0, 2 * math.pi, 720)
    )
    assert share_right(stage, items, references) >= grid - 0.051


def test_measures_against_plain_ones() -> None:
    items, references = lists(5, 30)
    stage = Rerank(weights={"one": 1.0, "two": 0.3})
    rows = np.array([[c.features["one"], c.features["two"]] for i in items for c in i.candidates])
    right = np.array(
        [c.value in r for i, r in zip(items, references, strict=True) for c in i.candidates]
    )
    right[:4] = False  # an item without a right candidate
    references[0] = set()
    arguments = (rows @ [1.0, 0.3], np.arange(0, 121, 4), right)
    done = stage(items)
    places = [
        next((1 / k for k, c in enumerate(i.candidates, 1) if c.value in r), 0.0)
        for i, r in zip(done, references, strict=True)
    ]
    assert tuning.accuracy(*arguments) == share_right(stage, items, references)
    assert tuning.mean_reciprocal_rank(*arguments) == pytest.approx(np.mean(places))
    shares = [
        math.log(sum(c.score for c in i.candidates if c.value in r))
        for i, r in zip(done[1:], references[1:], strict=True)
    ]
    assert tuning.likelihood(*arguments) == pytest.approx(np.mean(shares))


def test_what_cannot_be_tuned() -> None:
    items, references = lists(0, 3)
    with pytest.raises(UnknownName, match=r"no measure named 'acuracy' .did you mean accuracy"):
        tuning.tune_weights(items, references, features=["one"], measure="acuracy")
    with pytest.raises(GlyphoneError, match="no candidate is right"):
        tuning.tune_weights(items, [set()] * 3, features=["one"])
    with pytest.raises(ItemError, match="has no feature 'three'"):
        tuning.tune_weights(items, references, features=["three"])
