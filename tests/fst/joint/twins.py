"""Random joint models, and twins of their decoder that try every sequence of units."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import get_args

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st

from glyphone.data.writing import Writing
from glyphone.fst.alignment.units import Labels, Units
from glyphone.fst.interface.codec import Side
from glyphone.fst.joint.model import JointModel
from glyphone.fst.ngrams.counts import flatten
from glyphone.fst.ngrams.model import NgramModel
from glyphone.fst.ngrams.smoothing import Smoothing, train
from tests.fst.support import mass

READ, WRITTEN = {"a": 1, "b": 2, "c": 3}, {"x": 1, "y": 2}
# Strings with more paths than this are passed over.
TOO_MANY = 4000
Path = tuple[Labels, float]
Relation = dict[Labels, list[float]]


def random_model(seed: int) -> JointModel:
    """A model of a few units, some of which may be impossible, read with a beam of infinity."""
    random = np.random.default_rng(seed)

    def chunk(alphabet: int, lengths: Sequence[float]) -> Labels:
        size = random.choice(len(lengths), p=lengths)
        return tuple(random.integers(1, alphabet + 1, size).tolist())

    insertions = int(random.choice([0, 0, 1, 2]))
    letters = range(1, random.integers(1, 5))  # which some unit reads alone
    pairs = {((label,), chunk(2, [0.2, 0.5, 0.2, 0.1])) for label in letters}
    for _ in range(random.integers(2, 7)):
        pairs.add((chunk(3, [0, 0.6, 0.3, 0.1]), chunk(2, [0.3, 0.4, 0.2, 0.1])))
    for _ in range(insertions):
        pairs.add(((), chunk(2, [0, 0.7, 0.3])))
    units = Units.of(pairs, n_labels=4)
    sides = Side(Writing(), READ, "joint"), Side(Writing(), WRITTEN, "joint")
    ngrams = random_ngrams(random, len(units)).astype(np.float32)
    return JointModel(*sides, units, ngrams, insertions=insertions, beam=math.inf)


def random_ngrams(random: np.random.Generator, n_words: int) -> NgramModel:
    """The n-grams of random sequences; some have words, or ways back, that are impossible."""
    rows = [random.integers(0, n_words, random.integers(0, 6)).tolist() for _ in range(12)]
    methods: tuple[Smoothing, ...] = get_args(Smoothing)
    smoothing = methods[random.integers(len(methods))]
    floor, order = bool(random.random() < 0.7), int(random.integers(1, 5))
    model = train(*flatten(rows), n_words=n_words, order=order, smoothing=smoothing, floor=floor)
    if random.random() < 0.3:
        shut = random.random(model.n_states) < 0.5
        return replace(model, backoffs=np.where(shut, -np.inf, model.backoffs))
    return model


seeds = st.integers(0, 2**32 - 1)
models = seeds.map(random_model)
strings = st.lists(st.integers(1, 3), max_size=4).map(tuple)


def sequences(model: JointModel, string: Labels) -> Iterator[tuple[int, ...]]:
    """Every sequence of units that reads a string."""
    sources, agenda, n = model.units.sources, [(0, 0, ())], 0
    while agenda:
        place, silent, units = agenda.pop()
        if place == len(string):
            n += 1
            yield units
        if n + len(agenda) > TOO_MANY:
            reject()
        for unit, source in enumerate(sources):
            end = place + len(source)
            if string[place:end] == source and (source or silent < model.insertions):
                agenda.append((end, 0 if source else silent + 1, (*units, unit)))


def costs_with(ngrams: NgramModel) -> Callable[[Sequence[int]], float]:
    """-ln P of some units and the end, for many sequences with the same beginnings."""

    @cache
    def log_prob(history: tuple[int, ...], unit: int) -> float:
        return ngrams.log_prob(history, unit)

    def cost_of(units: Sequence[int]) -> float:
        history, cost = [ngrams.begin], 0.0
        for unit in (*units, ngrams.end):
            cost -= log_prob(tuple(history[max(0, len(history) - ngrams.order + 1) :]), unit)
            history.append(unit)
        return cost

    return cost_of


def output_of(model: JointModel, units: Sequence[int]) -> Labels:
    return tuple(label for unit in units for label in model.units.targets[unit])


def relation(model: JointModel, string: Labels) -> Relation:
    """The costs of all possible paths to every output."""
    found: Relation = defaultdict(list)
    cost_of = costs_with(model.ngrams)
    for units in sequences(model, string):
        cost = cost_of(units)
        if cost < math.inf:
            found[output_of(model, units)].append(cost)
    return found


def best_costs(found: Relation) -> list[float]:
    return sorted(min(costs) for costs in found.values())


def shares(found: Relation, temperature: float = 1.0) -> dict[Labels, float]:
    """The posterior of every output: its part of the sum of P to the power 1 / temperature."""
    masses = {y: mass([cost / temperature for cost in costs]) for y, costs in found.items()}
    total = mass(list(masses.values()))
    return {output: math.exp(total - own) for output, own in masses.items()}


def text_of(symbols: dict[str, int], labels: Labels) -> str:
    names = {label: symbol for symbol, label in symbols.items()}
    return "".join(names[label] for label in labels)


def labels_of(symbols: dict[str, int], text: str) -> Labels:
    return tuple(symbols[symbol] for symbol in text)


def log_domain(
    model: JointModel, string: Labels, output: Labels | None = None
) -> tuple[float, float]:
    """Cost of the best path and mass of all, row by row, with dictionaries and logarithms.

    A key is a place, a state, how many units in a row read nothing, and how much is written.
    """
    ngrams, longest = model.ngrams, max(map(len, model.units.sources))

    @cache
    def advance(state: int, unit: int) -> tuple[float, int]:
        return ngrams.advance(state, unit)

    by_source: dict[Labels, list[int]] = defaultdict(list)
    for unit, source in enumerate(model.units.sources):
        by_source[source].append(unit)
    rows: list[dict[tuple[int, int, int], tuple[float, float]]]
    rows = [{} for _ in range(len(string) + 1)]
    rows[0][ngrams.start, 0, 0] = (0.0, 0.0)
    for place, row in enumerate(rows):
        for silent in range(model.insertions + 1):
            for (state, run, written), (best, total) in list(row.items()):
                if run != silent:
                    continue
                for end in range(place, min(place + longest, len(string)) + 1):
                    if end == place and run == model.insertions:
                        continue
                    for unit in by_source.get(string[place:end], ()):
                        writes = model.units.targets[unit]
                        then = written + len(writes) if output is not None else 0
                        if output is not None and output[written:then] != writes:
                            continue
                        log_prob, target = advance(state, unit)
                        if log_prob == -math.inf:
                            continue
                        key = (target, run + 1 if end == place else 0, then)
                        old = rows[end].get(key, (math.inf, math.inf))
                        rows[end][key] = (
                            min(old[0], best - log_prob),
                            -float(np.logaddexp(-old[1], log_prob - total)),
                        )
        if place < len(string):
            row.clear()
    ends = [
        (best - advance(state, ngrams.end)[0], total - advance(state, ngrams.end)[0])
        for (state, _, written), (best, total) in rows[-1].items()
        if output is None or written == len(output)
    ]
    return min((best for best, _ in ends), default=math.inf), mass([total for _, total in ends])
