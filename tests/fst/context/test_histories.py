"""Models of histories beside a plain twin: probabilities, gradients, both directions."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

from glyphone.data.kernels import jit
from glyphone.fst.alignment.units import Units
from glyphone.fst.context import history_kernels, history_training_kernels
from glyphone.fst.context.histories import HistoryModel, fit_histories
from glyphone.fst.context.history_kernels import MOST_FEATURES
from glyphone.fst.ngrams.counts import flatten

N_LETTERS = 4
UNITS = Units.of(
    [((x,), y) for x in (1, 2, 3) for y in [(1,), (2,), ()] if (x, y) != (3, ())],
    n_labels=N_LETTERS,
)
VOWELS = np.array([False, True, False, False])


def lexicon(seed: int, n: int = 40) -> list[list[int]]:
    """Random words whose unit at each place depends on the unit before and the letter after."""
    random = np.random.default_rng(seed)
    rows = []
    for _ in range(n):
        letters = random.integers(1, N_LETTERS, random.integers(1, 7)).tolist()
        row: list[int] = []
        for place, x in enumerate(letters):
            after = letters[place + 1] if place + 1 < len(letters) else 0
            first, last = UNITS.firsts[x], UNITS.firsts[x + 1]
            row.append(int(first + (after + (row[-1] if row else 0)) % (last - first)))
        rows.append(row)
    return rows


def fitted(rows: list[list[int]], **options: Any) -> HistoryModel:
    return fit_histories(UNITS, *flatten(rows), vowels=VOWELS, **options)


def letters_of(row: list[int]) -> list[int]:
    return [UNITS.sources[unit][0] for unit in row]


def log_prob(model: HistoryModel, row: list[int]) -> float:
    """ln P of a path by a dictionary of weights."""
    weights: dict[tuple[int, int], float] = {}
    k = 0
    for slot, count in zip(model.slots.tolist(), model.counts.tolist(), strict=True):
        for entry in range(k, k + count):
            weights[slot, int(model.candidates[entry])] = float(model.weights[entry])
        k += count
    row = row[::-1] if model.backward else row
    string, total = letters_of(row), 0.0
    slots = np.empty(MOST_FEATURES, np.int64)
    for place, unit in enumerate(row):
        n = history_kernels.place_features(
            np.array(string), np.array(row), place, VOWELS, (1 << model.bits) - 1, slots
        )
        scores = {
            other: sum(
                weights.get((int(slot), int(model.places[other])), 0.0) for slot in slots[:n]
            )
            for other in range(len(UNITS))
            if UNITS.sources[other] == (string[place],) and model.places[other] >= 0
        }
        if unit not in scores:
            total += history_kernels.UNSEEN
            continue
        total += scores[unit] - math.log(sum(map(math.exp, scores.values())))
    return total


def scores(kernels: Any, model: HistoryModel, rows: list[list[int]]) -> list[float]:
    """The scores of paths for one string by the kernel."""
    turn = -1 if model.backward else 1
    units, bounds = flatten([row[::turn] for row in rows])
    found, string = np.full(len(rows), -np.inf), np.array(letters_of(rows[0])[::turn])
    kernels.write_path_scores(model.rows, string, units, bounds, 0, len(rows), found)
    return found.tolist()


@pytest.mark.parametrize("backward", [False, True])
def test_probabilities(backward: bool) -> None:
    model = fitted(lexicon(1), backward=backward)
    choices = [range(UNITS.firsts[x], UNITS.firsts[x + 1]) for x in (1, 3, 2)]
    rows = [list(row) for row in product(*choices)]
    plain = scores(history_kernels, model, rows)
    assert plain == pytest.approx([log_prob(model, row) for row in rows], abs=1e-4)
    assert plain == pytest.approx(scores(jit.compiled(history_kernels), model, rows), abs=1e-9)
    possible = [
        score for score, row in zip(plain, rows, strict=True) if (model.places[row] >= 0).all()
    ]
    assert sum(map(math.exp, possible)) == pytest.approx(1, abs=1e-6)
    assert max(possible) - min(possible) > 1  # or anything would pass


def test_backward_is_forward_over_words_turned_round() -> None:
    rows = lexicon(2)
    turned = [row[::-1] for row in rows[::-1]]
    one, other = fitted(rows, backward=True), fitted(turned)
    for name in ("slots", "counts", "candidates", "weights", "places"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert one.backward and not other.backward


@pytest.mark.parametrize("penalty", [0.0, 2.0])
def test_a_step_follows_the_gradient(penalty: float) -> None:
    """From a sum of squares s AdaGrad steps by -rate * g / sqrt(s + g^2); words have one letter."""
    rows = [[0], [0], [1], [2], [1], [0]]
    tokens, offsets = flatten(rows)
    labels = np.array([UNITS.sources[unit][0] for unit in tokens])
    places, sizes = np.arange(len(UNITS)) - UNITS.firsts[UNITS.chunks], np.diff(UNITS.firsts)[:4]
    size = 1 << 20  # so large that no two features share a slot
    masks, counts, starts = np.zeros(size, np.int64), np.zeros(size, np.int32), np.zeros(size, int)
    arrays = (labels, offsets, tokens, places, VOWELS, size - 1)
    met = history_training_kernels.mark_candidates(*arrays, masks, counts)
    candidates, weights = history_training_kernels.candidate_rows(met, masks, counts, starts)
    weights = weights.astype(np.float64)
    entries = np.ones(len(weights), bool)
    entries[[0, *starts[met]]] = False
    weights[entries] = np.random.default_rng(0).normal(size=int(entries.sum())) / 9
    model = history_kernels.HistoryRows(
        starts, candidates, weights, places, sizes, VOWELS, size - 1
    )

    def loss(at: int, value: float) -> float:
        old, weights[at], found = weights[at], value, np.zeros(1)
        history_kernels.write_path_scores(
            model, labels[:1], tokens[:1], np.array([0, 1]), 0, 1, found
        )
        weights[at] = old
        head = max(row for row in starts[met].tolist() if row < at)
        return float(-found[0] + penalty * weights[head] * value**2 / 2)

    chosen = np.flatnonzero(entries)[::7]
    slopes = np.array(
        [(loss(k, weights[k] + 1e-5) - loss(k, weights[k] - 1e-5)) / 2e-5 for k in chosen]
    )
    before, squares = weights.copy(), np.full(len(weights), 0.1)
    history_training_kernels.train_epoch(model, *arrays[:3], np.array([0]), squares, 0.5, penalty)
    steps = (before - weights)[chosen] / 0.5
    assert np.abs(slopes).max() > 0.1
    active = np.isin(chosen, np.flatnonzero(before != weights))
    assert active.sum() > 5
    assert steps[active] == pytest.approx((slopes / np.sqrt(0.1 + slopes**2))[active], abs=1e-5)


def test_it_learns_what_an_n_gram_cannot() -> None:
    """The last letter, five letters on, decides what the first one writes."""
    random, rows = np.random.default_rng(3), []
    for _ in range(300):
        middle = [int(UNITS.firsts[2])] * int(random.integers(1, 4)) + [int(UNITS.firsts[3])] * 2
        last = int(random.integers(1, 4))
        rows.append([int(UNITS.firsts[1]) + last % 2, *middle, int(UNITS.firsts[last])])
    model = fitted(rows[:200])
    for row in rows[200:]:
        other = [2 * UNITS.firsts[1] + 1 - row[0], *row[1:]]
        right, wrong = scores(history_kernels, model, [row, other])
        assert right > wrong + 1


def test_the_same_each_time_and_in_both_tiers() -> None:
    one, two, other = fitted(lexicon(4)), fitted(lexicon(4)), fitted(lexicon(4), seed=1)
    assert np.array_equal(one.weights, two.weights)
    assert not np.array_equal(one.weights, other.weights)
    rows = lexicon(4)
    tokens, offsets = flatten(rows)
    labels = np.array([UNITS.sources[unit][0] for unit in tokens], np.int32)
    found = []
    for kernels in (history_training_kernels, jit.compiled(history_training_kernels)):
        masks, counts = np.zeros(4096, np.int64), np.zeros(4096, np.int32)
        places = one.places
        met = kernels.mark_candidates(labels, offsets, tokens, places, VOWELS, 4095, masks, counts)
        starts = np.zeros(4096, np.int32)
        candidates, weights = kernels.candidate_rows(met, masks, counts, starts)
        table = history_kernels.HistoryRows(
            starts, candidates, weights, places, one.rows.sizes, VOWELS, 4095
        )
        squares = np.full(len(weights), 0.1, np.float32)
        order = np.arange(len(rows))
        loss = kernels.train_epoch(table, labels, offsets, tokens, order, squares, 0.1, 1.0)
        found.append((weights, loss))
    assert found[0][0] == pytest.approx(found[1][0], abs=1e-5)
    assert found[0][1] == pytest.approx(found[1][1], abs=1e-6)


def test_slots_that_letters_share_do_no_harm() -> None:
    """A row may have candidates that the letter of this place does not have."""
    rows = lexicon(6)
    tokens, offsets = flatten(rows)
    labels = np.array([UNITS.sources[unit][0] for unit in tokens], np.int32)
    places, sizes = np.arange(len(UNITS)) - UNITS.firsts[UNITS.chunks], np.diff(UNITS.firsts)[:4]
    masks, counts, starts = np.zeros(64, np.int64), np.zeros(64, np.int32), np.zeros(64, np.int32)
    met = history_training_kernels.mark_candidates(
        labels, offsets, tokens, places, VOWELS, 63, masks, counts
    )
    candidates, weights = history_training_kernels.candidate_rows(met, masks, counts, starts)
    table = history_kernels.HistoryRows(starts, candidates, weights, places, sizes, VOWELS, 63)
    squares, before = np.full(len(weights), 0.1, np.float32), weights.copy()
    last = next(k for k, row in enumerate(rows) if letters_of(row)[0] == 3)  # has two units
    bounds = np.array([0, 1]) + offsets[last]
    history_training_kernels.train_epoch(
        table, labels, bounds, tokens, np.array([0]), squares, 0.1, 0.0
    )
    moved = np.flatnonzero(weights != before)
    assert len(moved) and set(candidates[moved].tolist()) <= {0, 1}


def test_room_for_the_features_of_any_place() -> None:
    random = np.random.default_rng(5)
    for size in (1, 2, 3, 8, 30):
        string, units = random.integers(1, 4, size), random.integers(0, 8, size)
        for place in range(size):
            slots = np.full(MOST_FEATURES + 1, -1, np.int64)
            n = history_kernels.place_features(string, units, place, VOWELS, 1023, slots)
            assert 0 < n <= MOST_FEATURES and slots[n] == -1
            assert ((slots[:n] >= 0) & (slots[:n] < 1024)).all()


def test_what_was_never_seen_costs_a_fixed_price() -> None:
    model = fitted([[0], [0]])
    row = [[int(UNITS.firsts[2]) + 1]]  # of each letter one unit is a candidate
    assert scores(history_kernels, model, row) == [history_kernels.UNSEEN]
