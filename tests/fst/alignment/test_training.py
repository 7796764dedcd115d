"""The aligner against every alignment of small pairs, written out, and made-up languages."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.errors import ItemError
from glyphone.data.records import Pair
from glyphone.fst.alignment.training import ONE_TO_ONE, AlignmentOptions, Unit, fit
from tests.fst.alignment.twins import (
    cuts_of,
    generated,
    lexicons,
    pair,
    posteriors,
    probability,
    shown,
    variants,
)


@settings(deadline=None, max_examples=80)
@given(lexicons, variants)
def test_sums_and_best_paths_are_those_of_all_alignments(
    pairs: list[Pair], options: AlignmentOptions
) -> None:
    model = fit(pairs, options)
    alignments, refused = model.align_all(pairs)
    assert [item.index for item in refused] == [k for k, a in enumerate(alignments) if a is None]
    for item, alignment in zip(pairs, alignments, strict=True):
        cuts = cuts_of(model, item)
        assert (alignment is None) == (not cuts)
        if alignment is None:
            assert model.log_probability(item) == -math.inf
            assert model.nbest(item) == [] and model.posterior_units(item) == {}
            with pytest.raises(ItemError):
                model.align(item)
            continue
        assert model.log_probability(item) == pytest.approx(math.log(sum(cuts.values())))
        assert model.posterior_units(item) == pytest.approx(posteriors(model, item))
        assert alignment.pair == Pair(item.source, item.target)
        ranked = sorted(map(math.log, cuts.values()), reverse=True)
        found = model.nbest(item, 6)
        assert found[0][0] == alignment == model.align(item)
        assert [p for _, p in found] == pytest.approx(ranked[:6])
        assert len({a.units for a, _ in found}) == min(6, len(cuts))
        for nth, p in found:
            assert math.log(cuts[nth.units]) == pytest.approx(p)


@settings(deadline=None, max_examples=60)
@given(lexicons, variants, st.sampled_from(["soft", "viterbi"]))
def test_one_round_of_em(pairs: list[Pair], options: AlignmentOptions, method: Any) -> None:
    options = replace(options, weights=None, initial="bag", method=method)
    before = fit(pairs, replace(options, rounds=0))
    after = fit(pairs, replace(options, rounds=1))
    counts, log_likelihood = defaultdict[Unit, float](float), 0.0
    for item, best in zip(pairs, before.align_all(pairs)[0], strict=True):
        if best is None:
            continue
        if method == "soft":
            log_likelihood += item.weight * before.log_probability(item)
            expected = posteriors(before, item)
        else:
            log_likelihood += item.weight * math.log(probability(before, best.units))
            expected = {unit: float(k) for unit, k in Counter(best.units).items()}
        for unit, count in expected.items():
            counts[unit] += item.weight * count
    assert after.log_likelihoods == pytest.approx((log_likelihood,))
    expected = {unit: count / sum(counts.values()) for unit, count in counts.items()}
    found = dict(zip(after.units, after.probabilities.tolist(), strict=True))
    assert found == pytest.approx(expected)


@settings(deadline=None, max_examples=60)
@given(lexicons, variants, st.sampled_from(["soft", "viterbi"]), st.booleans())
def test_the_likelihood_never_falls(
    pairs: list[Pair], options: AlignmentOptions, method: Any, rules: bool
) -> None:
    rule_pairs = [pair("ab", "x"), pair("c", "")] if rules and method == "soft" else []
    weights = (0.3, 0.6, 0.1) if rule_pairs else None
    options = replace(options, rounds=8, method=method, weights=weights)
    model = fit(pairs, options, rule_pairs=rule_pairs)
    for earlier, later in pairwise(model.log_likelihoods):
        assert later >= earlier - 1e-9 * abs(earlier)


def test_a_language_is_learned() -> None:
    pairs = generated(3000)
    model = fit(pairs)
    assert shown(model.align(pair("shaxe", "SAKZ"))) == "sh:S a:A x:KZ e:-"
    assert model.refusals == ()


def test_several_starts_keep_the_best() -> None:
    pairs = generated(300)
    options = AlignmentOptions(initial="random", rounds=5, tolerance=0.0, seed=3)
    alone = fit(pairs, options)
    best = fit(pairs, replace(options, starts=4))
    assert best.log_likelihoods[-1] >= alone.log_likelihoods[-1]
    again = fit(pairs, replace(options, starts=4))
    assert np.array_equal(best.probabilities, again.probabilities)
    other = fit(pairs, replace(options, seed=4))
    assert other.log_likelihoods != alone.log_likelihoods


@pytest.mark.parametrize("options", [AlignmentOptions(), ONE_TO_ONE], ids=["default", "one"])
def test_long_pairs_do_not_underflow(options: AlignmentOptions) -> None:
    noise = np.random.default_rng(1)
    source, target = noise.choice(list("abcdefgh"), 600), noise.choice(list("xyzuvw"), 500)
    item = pair("".join(source), "".join(target))
    pairs = [item, *generated(2000)]
    model = fit(pairs, options)
    assert model.refusals == ()
    assert -math.inf < model.log_probability(item) < -700
    assert model.align(item).pair == Pair(item.source, item.target)
    for earlier, later in pairwise(model.log_likelihoods):
        assert later >= earlier - 1e-9 * abs(earlier)
    lattice = model.lattices([item])
    assert lattice.posteriors[lattice.sources == 0].sum() == pytest.approx(1.0)


def test_ties_prefer_matches_and_short_ones_at_the_end() -> None:
    model = fit([pair("ab", "x")], AlignmentOptions(initial="uniform", rounds=0, max_source=1))
    assert [shown(a) for a, _ in model.nbest(pair("ab", "x"), 9)] == ["a:- b:x", "a:x b:-"]
    options = AlignmentOptions(
        initial="uniform", rounds=0, insertions=1, max_source=1, max_target=1
    )
    model = fit([pair("a", "x")], options)
    ranked = [shown(a) for a, _ in model.nbest(pair("a", "x"), 9)]
    assert ranked == ["a:x", ":x a:-", "a:- :x"]


def test_weights_count() -> None:
    twice = fit([pair("ab", "xy"), pair("ab", "xy"), pair("b", "x")])
    weighted = fit([pair("ab", "xy", 2.0), pair("b", "x")])
    assert weighted.log_likelihoods == pytest.approx(twice.log_likelihoods)
    assert weighted.probabilities == pytest.approx(twice.probabilities)
