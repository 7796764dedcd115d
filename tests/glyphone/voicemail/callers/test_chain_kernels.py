"""The chain of parts against all ways to cut a message, and its gradient against differences."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

from glyphone.voicemail.callers import chain_kernels as caller_chain_kernels
from glyphone.voicemail.callers import decoding_kernels as caller_decoding_kernels
from glyphone.voicemail.callers import feature_kernels as caller_feature_kernels
from glyphone.voicemail.callers.chain_kernels import (  # fmt: skip
    AFTER,
    ANY,
    BEFORE,
    HEADS,
    IN_LEAD,
    LEAD,
    NAME,
    NAMED,
    PARTS,
    START,
    STOP,
    TAIL,
    UNNAMED,
)
from glyphone.voicemail.callers.cuts_training import gold_parts
from glyphone.voicemail.callers.shapes import PARTS as PARTS_SHAPE

Ways = dict[tuple[int, ...], float]


def random_scores(places: int, seed: int) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    return random.normal(size=(places, HEADS)), random.normal(size=(PARTS, PARTS))


def ways(heads: Any, steps: Any) -> Ways:
    """Every way through a message with its score, by the definition."""
    found: Ways = {}
    for parts in product(range(PARTS), repeat=len(heads)):
        if parts[-1] not in (BEFORE, AFTER) or list(parts) != sorted(parts):
            continue
        score, last = 0.0, BEFORE
        for p, part in enumerate(parts):
            if last == BEFORE and part == AFTER:
                break
            score += steps[last, part]
            score += heads[p, START] * (last == BEFORE != part)
            score += heads[p, NAMED] * (part == NAME != last)
            score += heads[p, UNNAMED] * (last == NAME != part)
            score += heads[p, STOP] * (part == AFTER != last)
            score += heads[p, IN_LEAD + part - LEAD] if LEAD <= part <= TAIL else 0.0
            last = part
        else:
            found[parts] = score
    return found


def shares(heads: Any, steps: Any) -> Ways:
    scores = ways(heads, steps)
    whole = math.log(sum(map(math.exp, scores.values())))
    return {parts: math.exp(score - whole) for parts, score in scores.items()}


@pytest.mark.parametrize("places", [2, 3, 5])
@pytest.mark.parametrize("seed", range(4))
def test_sums_over_all_ways(places: int, seed: int) -> None:
    heads, steps = random_scores(places, seed)
    sets = np.full(places, ANY, np.uint8)
    alpha = caller_chain_kernels.forward_sums(heads, steps, sets)
    beta = caller_chain_kernels.backward_sums(heads, steps, sets)
    scores = ways(heads, steps)
    whole = math.log(sum(map(math.exp, scores.values())))
    assert caller_chain_kernels.log_total(alpha) == pytest.approx(whole)
    for p in range(places):
        for part in range(PARTS):
            expected = sum(s for way, s in shares(heads, steps).items() if way[p] == part)
            assert math.exp(alpha[p, part] + beta[p, part] - whole) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(6))
def test_the_best_spans_are_the_best_of_all(seed: int) -> None:
    heads, steps = random_scores(6, seed)
    phrases: dict[tuple[int, int], float] = {}
    names: dict[tuple[int, int], float] = {}
    for way, share in shares(heads, steps).items():
        inside = [p for p, part in enumerate(way) if LEAD <= part <= TAIL]
        named = [p for p, part in enumerate(way) if part == NAME]
        for spans, some in ((phrases, inside), (names, named)):
            if some:
                span = (some[0], some[-1] + 1)
                spans[span] = spans.get(span, 0.0) + share
    pairs = steps[PARTS_SHAPE.pairs[:, 0], PARTS_SHAPE.pairs[:, 1]]
    decoded = caller_decoding_kernels.decode_spans(
        heads, pairs, PARTS_SHAPE, np.ones(1), np.array([0, 6]), 4
    )
    found, probabilities = decoded.spans.reshape(1, 4), decoded.shares
    best = max(phrases, key=lambda span: phrases[span])
    assert tuple(found[0, :2]) == best
    assert probabilities[0, 0] == pytest.approx(sum(phrases.values()))
    assert probabilities[0, 1] == pytest.approx(phrases[best])
    inside = {span: p for span, p in names.items() if best[0] <= span[0] and span[1] <= best[1]}
    assert tuple(found[0, 2:]) == max(inside, key=lambda span: inside[span])
    assert probabilities[0, 2] == pytest.approx(max(inside.values()))
    ranked = sorted(names, key=lambda span: -names[span])[:4]
    assert [*map(tuple, decoded.names[0])] == ranked
    assert decoded.name_shares[0] == pytest.approx([names[span] for span in ranked])


def test_the_gradient() -> None:
    heads, steps = random_scores(9, 3)
    bounds = np.array([0, 5, 9])
    gold = np.concatenate(
        [gold_parts(4, (1, 4), (2, 3), most=9), gold_parts(3, (0, 2), None, most=9)]
    )

    def surprise(heads: Any, steps: Any) -> tuple[float, Any, Any]:
        changes = np.zeros_like(heads), np.zeros_like(steps)
        return caller_chain_kernels.negative_log_likelihood(
            heads, steps, bounds, gold, *changes
        ), *changes

    _, of_heads, of_steps = surprise(heads, steps)
    for scores, gradient in ((heads, of_heads), (steps, of_steps)):
        for at in np.ndindex(scores.shape):
            values = []
            for move in (1e-5, -1e-5):
                scores[at] += move
                values.append(surprise(heads, steps)[0])
                scores[at] -= move
            assert gradient[at] == pytest.approx((values[0] - values[1]) / 2e-5, abs=1e-6)


def test_the_loss_is_of_the_marked_parts() -> None:
    heads, steps = random_scores(5, 8)
    changes = np.zeros_like(heads), np.zeros_like(steps)
    gold = gold_parts(4, (1, 3), None, most=9)
    found = caller_chain_kernels.negative_log_likelihood(
        heads, steps, np.array([0, 5]), gold, *changes
    )
    right = [
        share
        for way, share in shares(heads, steps).items()
        if all(gold[p] >> part & 1 for p, part in enumerate(way))
    ]
    assert found == pytest.approx(-math.log(sum(right)))


def test_keys_are_found_again_and_no_others() -> None:
    random = np.random.default_rng(1)
    keys = np.unique(random.integers(0, 1 << 55, 500))
    table = caller_feature_kernels.hash_table(keys[::2])
    for number, key in enumerate(keys[::2]):
        assert caller_feature_kernels.key_number(key, table) == number
    assert all(caller_feature_kernels.key_number(key, table) == -1 for key in keys[1::2])


def test_templates_fit_into_keys() -> None:
    assert len(caller_feature_kernels.TEMPLATES) << 4 * caller_feature_kernels.BITS < 1 << 63
    assert len(set(caller_feature_kernels.SETS)) == len(caller_feature_kernels.SETS)
