"""A made-up corpus for windows, and a plain twin of what they find."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from glyphone.fst.alignment.units import Units
from glyphone.fst.context import window_kernels
from glyphone.fst.context.window_kernels import FLOOR, MOST_FEATURES, UNIT
from glyphone.fst.context.windows import WindowModel

Row = list[int]


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
    facts = window_kernels.place_facts(array, vowels)
    n = window_kernels.write_features(array, place, facts, vowels, windows.rich, hashes)
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
    """The weight of each unit at each place beside the best one, by dictionaries."""
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


def equal(one: WindowModel, other: WindowModel) -> bool:
    arrays = ("bits", "slots", "counts", "candidates", "weights", "places", "vowels")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays)
