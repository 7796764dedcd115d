"""Windows: a plain twin of probabilities and gradients, small lexicons, weights, jobs, tiers."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from glyphone.data import jit
from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Alignment, Pair
from glyphone.data.writing import Writing
from glyphone.fst import joint_file, window_kernels, window_training
from glyphone.fst.align import AlignmentOptions
from glyphone.fst.joint import train_joint
from glyphone.fst.joint_training import JointOptions, fit_joint
from glyphone.fst.joint_units import Units
from glyphone.fst.ngram_counts import flat
from glyphone.fst.window_kernels import FLOOR, MOST_FEATURES, MOST_PLAIN, UNIT
from glyphone.fst.windows import WindowModel, fit_windows, shares_for, vowels_of

Row = list[int]
COMPILED = jit.compiled(window_kernels), jit.compiled(window_training)


def corpus(n: int, seed: int) -> tuple[Units, list[Row]]:
    """Words over 4 letters; a letter's unit depends on the letter after it, or on chance."""
    random = np.random.default_rng(seed)
    units = Units.of([((x,), (y,)) for x in range(1, 5) for y in range(1, 4)], n_labels=5)
    rows = []
    for _ in range(n):
        word = [*random.integers(1, 5, random.integers(1, 8)).tolist(), 0]
        ways = [1 + (after + x) % 3 if random.random() < 0.9 else 1 for x, after in pairwise(word)]
        rows.append([units.numbers[(x,), (y,)] for x, y in zip(word, ways, strict=False)])
    return units, rows


def hashes_at(string: Row, place: int, windows: WindowModel) -> list[int]:
    hashes = np.empty(MOST_FEATURES, np.int64)
    array, vowels = np.array(string, np.int32), windows.vowels
    facts = window_kernels.facts_of(array, vowels)
    n = window_kernels.features(array, place, facts, vowels, windows.rich, hashes)
    return hashes[:n].tolist()


def twin_table(windows: WindowModel) -> dict[int, dict[int, float]]:
    """The weights of candidates by slot."""
    ends = np.cumsum(windows.counts, dtype=int).tolist()
    table = {}
    for slot, end, count in zip(windows.slots.tolist(), ends, windows.counts.tolist(), strict=True):
        row = slice(end - count, end)
        weights = (windows.weights[row] / UNIT).tolist()
        table[slot] = dict(zip(windows.candidates[row].tolist(), weights, strict=True))
    return table


def twin_factors(windows: WindowModel, string: Row) -> list[dict[int, float]]:
    """What each unit at each place is worth beside the best one, by dictionaries."""
    table, units = twin_table(windows), windows.units
    rooms = [1 << bits if bits else 0 for bits in windows.bits.tolist()]
    answers = []
    for place, letter in enumerate(string):
        base, totals = sum(rooms[:letter]), dict.fromkeys(range(63), 0.0)
        for hash_ in hashes_at(string, place, windows) if rooms[letter] else []:
            for candidate, weight in table.get(base + hash_ % rooms[letter], {}).items():
                totals[candidate] += weight
        readers = [u for u in range(len(units)) if units.sources[u] == (letter,)]
        places = {u: int(windows.places[u]) for u in readers}
        best = max((totals[place] for place in places.values() if place >= 0), default=0.0)
        answers.append(
            {
                unit: math.exp(-min(best - totals[place], FLOOR) if place >= 0 else -FLOOR)
                for unit, place in places.items()
            }
        )
    return answers


@pytest.mark.parametrize("kernels", [window_kernels, COMPILED[0]])
def test_factors_are_those_of_a_plain_twin(kernels: Any) -> None:
    units, rows = corpus(60, seed=1)
    windows = fit_windows(units, *flat(rows))
    assert (windows.counts == 1).any() and (windows.counts > 1).any()  # both ways to keep a row
    for row in rows[:20]:
        string = [units.sources[unit][0] for unit in row]
        labels = np.array(string, np.int32)
        for reach in (math.inf, 1.5):
            shares, shifts = kernels.factors(windows.windows, labels, units.firsts, 1.0, reach)
            for place, expected in enumerate(twin_factors(windows, string)):
                assert max(expected.values()) == 1
                for unit, share in expected.items():
                    kept = share if share >= math.exp(-reach) else 0.0
                    assert shares[shifts[place] + unit] == pytest.approx(kept, rel=1e-9)


@pytest.mark.parametrize(("rich", "most"), [(False, MOST_PLAIN), (True, MOST_FEATURES)])
def test_no_place_has_more_features_than_there_is_room_for(rich: bool, most: int) -> None:
    room, vowels = np.empty(4 * MOST_FEATURES, np.int64), np.ones(2, np.bool_)
    counts = [
        window_kernels.features(
            word, place, window_kernels.facts_of(word, vowels), vowels, rich, room
        )
        for word in (np.ones(size, np.int32) for size in range(1, 20))
        for place in range(len(word))
    ]
    assert max(counts) <= most


def loss_of(weights: Any, rows: list[Row], golds: Row, importance: Any, penalty: Any) -> float:
    """The loss that training makes smaller: weights[row, candidate]."""
    totals = [weights[row].sum(0) for row in rows]
    losses = [
        v * (np.log(np.exp(total).sum()) - total[gold])
        for total, gold, v in zip(totals, golds, importance, strict=True)
    ]
    return float(sum(losses) + (penalty[:, None] * weights**2).sum() / 2)


@pytest.mark.parametrize("kernels", [window_training, COMPILED[1]])
def test_steps_follow_the_gradient(kernels: Any) -> None:
    """One example at a time from given weights: its step is the numeric gradient, by AdaGrad."""
    random = np.random.default_rng(3)
    n_rows, size = 4, 3
    weights = random.normal(size=(n_rows, size)).astype(np.float32)
    penalty = np.array([0.5, 0.1, 0.25, 0.0])
    table = window_training.Table(
        np.zeros(1 + n_rows * (size + 1), np.uint8),
        np.zeros((1 + n_rows * (size + 1), 2), np.float32),
    )
    heads = 1 + np.arange(n_rows) * (size + 1)
    for row, head in enumerate(heads.tolist()):
        table.candidates[head : head + size + 1] = [size, 0, 1, 2]
        table.weights[head, 0] = penalty[row]
        table.weights[head + 1 : head + size + 1, 0] = weights[row]
        table.weights[head + 1 : head + size + 1, 1] = 0.1
    used, gold, importance, rate = [0, 2, 3], 1, 1.7, 0.01
    rows = np.array([[*heads[used], 0]], np.int32)
    loss = kernels.epoch(
        table, rows, np.array([3]), np.array([gold]), np.array([importance]), np.array([0]), size,
        rate,
    )  # fmt: skip
    shown = np.where(np.isin(np.arange(n_rows), used), penalty, 0.0)
    exact = weights.astype(np.float64)
    assert importance * loss == pytest.approx(
        loss_of(exact, [used], [gold], [importance], np.zeros(n_rows)), rel=1e-6
    )
    for row in range(n_rows):
        for candidate in range(size):
            low, high = exact.copy(), exact.copy()
            low[row, candidate] -= 1e-5
            high[row, candidate] += 1e-5
            sides = [loss_of(w, [used], [gold], [importance], shown) for w in (low, high)]
            gradient = (sides[1] - sides[0]) / 2e-5
            step = rate * gradient / math.sqrt(0.1 + gradient**2) if row in used else 0.0
            moved = exact[row, candidate] - table.weights[heads[row] + 1 + candidate, 0]
            assert moved == pytest.approx(step, abs=1e-6)


def equal(one: WindowModel, other: WindowModel) -> bool:
    arrays = ("bits", "slots", "counts", "candidates", "weights", "places", "vowels")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays)


def test_seeds_and_jobs() -> None:
    units, rows = corpus(80, seed=2)
    one = fit_windows(units, *flat(rows), seed=5)
    assert equal(one, fit_windows(units, *flat(rows), seed=5, jobs=3))
    assert not equal(one, fit_windows(units, *flat(rows), seed=6))


def test_tiers_train_the_same_model(monkeypatch: pytest.MonkeyPatch) -> None:
    units, rows = corpus(40, seed=4)
    monkeypatch.setattr(jit, "tier", lambda module, work: module)
    plain = fit_windows(units, *flat(rows))
    monkeypatch.setattr(jit, "tier", lambda module, work: jit.compiled(module))
    compiled = fit_windows(units, *flat(rows))
    for name in ("bits", "places", "vowels"):
        assert np.array_equal(getattr(plain, name), getattr(compiled, name))
    first, second = twin_table(plain), twin_table(compiled)
    for slot in {*first, *second}:
        row, other = first.get(slot, {}), second.get(slot, {})
        for candidate in {*row, *other}:
            # Rounding may differ by one part, and what hardly weighs anything is left out.
            assert row.get(candidate, 0) == pytest.approx(other.get(candidate, 0), abs=0.025)


def test_what_follows_further_right_is_learnt() -> None:
    """The second letter after decides; n-grams of units, which read to the right, cannot know."""
    units = Units.of(
        [((1,), (1,)), ((1,), (2,)), ((2,), (3,)), ((3,), (3,)), ((4,), (3,))], n_labels=5
    )
    number = units.numbers
    early, late, middle = number[(1,), (1,)], number[(1,), (2,)], number[(2,), (3,)]
    rows = [[early, middle, number[(3,), (3,)]], [late, middle, number[(4,), (3,)]]] * 10
    windows = fit_windows(units, *flat(rows))
    for string, best in (([1, 2, 3], early), ([1, 2, 4], late)):
        shares, shifts = windows.factors(np.array(string, np.int32))
        others = [shares[shifts[0] + unit] for unit in (early, late) if unit != best]
        assert shares[shifts[0] + best] == 1 and max(others) < 0.2


def test_weights_of_words() -> None:
    """A word that counts nothing teaches nothing, and contradiction goes to the heavier side."""
    units = Units.of([((1,), (1,)), ((1,), (2,))], n_labels=2)
    tokens, offsets = flat([[0], [1]] * 10)
    for heavy in (0, 1):
        weights = [9.0 if unit == heavy else 1.0 for unit in tokens.tolist()]
        shares, _ = fit_windows(units, tokens, offsets, weights=weights).factors(np.array([1]))
        assert shares[heavy] == 1 and shares[1 - heavy] < 0.6
    scaled = [weight * 1000 for weight in weights]
    same = [fit_windows(units, tokens, offsets, weights=w) for w in (weights, scaled)]
    assert np.allclose(same[0].weights, same[1].weights, atol=1)
    none = fit_windows(units, tokens, offsets, weights=[0.0] * 20)
    assert len(none.slots) == 0
    assert none.factors(np.array([1]))[0].tolist() == [1, 1]


def test_vowels() -> None:
    words = [[1, 2, 3, 2], [4, 2], [1, 5, 4, 5], [3, 5, 1, 2]]
    labels, offsets = flat(words)
    assert np.flatnonzero(vowels_of(labels, offsets, 6)).tolist() == [2, 5]


def test_shares() -> None:
    shares = [shares_for(n) for n in (0, 1, 100, 10_000, 1_000_000, 100_000_000)]
    assert all(sum(pair) == pytest.approx(0.9) and min(pair) >= 0 for pair in shares)
    assert shares[0][1] == 0 and shares[2][1] < shares[3][1] > shares[4][1]
    assert shares[4] == pytest.approx(shares[5], abs=1e-3)


LEXICON = {
    "phi": "fi", "hi": "hi", "pi": "pi", "graph": "graf", "rag": "rag", "gap": "gap", "hip": "hip",
    "par": "par", "phip": "fip", "hag": "hag",
}  # fmt: skip
PAIRS = [Pair(tuple(word), tuple(sounds)) for word, sounds in LEXICON.items()]
HELD_OUT = {"graphi": "grafi", "rap": "rap", "hig": "hig", "pag": "pag", "phag": "fag"}


@pytest.mark.parametrize("n", [1, 2, 10])
def test_tiny_lexicons_are_no_worse(n: int) -> None:
    words = {**LEXICON, **HELD_OUT}
    known = {letter for pair in PAIRS[:n] for letter in pair.source}
    words = {word: sounds for word, sounds in words.items() if set(word) <= known}
    right = {}
    for windows in (False, True):
        model = fit_joint(PAIRS[:n], JointOptions(windows=windows), target=Writing()).model
        assert (model.windows is not None) == windows
        right[windows] = {word for word, sounds in words.items() if model(word).output == sounds}
    assert right[False] <= right[True]
    assert {"".join(pair.source) for pair in PAIRS[:n]} <= right[True]


def test_windows_are_the_default_where_every_unit_reads_one_letter() -> None:
    assert fit_joint(PAIRS, target=Writing()).model.windows is not None
    two = JointOptions(alignment=AlignmentOptions(max_source=2))
    assert fit_joint(PAIRS, two, target=Writing()).model.windows is None
    with pytest.raises(GlyphoneError, match="one letter each"):
        fit_joint(PAIRS, replace(two, windows=True), target=Writing())


def test_a_file_keeps_windows(tmp_path: Any) -> None:
    model = fit_joint(PAIRS, target=Writing()).model
    joint_file.save(model, tmp_path / "m")
    again = joint_file.load(tmp_path / "m")
    assert again.windows is not None and model.windows is not None
    assert equal(again.windows, model.windows) and again.windows.rich == model.windows.rich
    assert again.fingerprint() == model.fingerprint()
    texts = list(HELD_OUT)
    assert model.answer(texts, n=3).costs == again.answer(texts, n=3).costs


def test_pairs_that_are_too_long_widen_units() -> None:
    """Ten such pairs are a way of writing, and a few are errors."""
    long = [Pair((letter,), ("k", "s", letter)) for letter in "abcdefghij"]
    assert fit_joint(long).refusals == ()
    assert len(fit_joint([*PAIRS, *long], JointOptions(widen=False)).refusals) == 10
    few = [*PAIRS, *long[:3]]
    refused = fit_joint(few).refusals
    assert [refusal.pair for refusal in refused] == long[:3]


def test_normal_forms_are_tried_only_where_they_differ() -> None:
    options = JointOptions(best_form=True)
    plain = fit_joint(PAIRS, options, source=Writing(normal_form="NFKC"), target=Writing())
    assert plain.model.source.writing.normal_form == "NFKC"
    words = ["".join(map(chr, (0xAC00 + 588 * a + 28 * b, 0xAC00 + 588 * b + 28 * a)))
             for a in range(6) for b in range(6)]  # fmt: skip
    pairs = [
        Pair(tuple(word), tuple(part for symbol in word for part in parts(symbol)))
        for word in words
    ]
    found = fit_joint(pairs, options).model
    assert found.source.writing.normal_form == "NFD"
    unseen = "".join(map(chr, (0xAC00 + 588 * 5 + 28 * 1, 0xAC00 + 588 * 2 + 28 * 0)))
    assert found(unseen).symbols == tuple(part for symbol in unseen for part in parts(symbol))


def parts(symbol: str) -> tuple[str, ...]:
    """A sound for each letter of a Hangul syllable."""
    return tuple(f"s{ord(part):x}" for part in unicodedata.normalize("NFD", symbol))


def test_alignments_with_windows() -> None:
    rows = [Alignment(tuple(((x,), (x,)) for x in word)) for word in LEXICON]
    model = train_joint(rows, source=Writing(), target=Writing(), order=2, windows=True)
    assert model("graph").output == "graph"
