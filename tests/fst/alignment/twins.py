"""Random lexicons, and twins of the aligner that write out every alignment of a pair."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from hypothesis import strategies as st

from glyphone.data.records import Alignment, Pair
from glyphone.fst.alignment.training import AlignmentModel, AlignmentOptions, Unit

Cut = tuple[Unit, ...]


def pair(source: str, target: str, weight: float = 1.0) -> Pair:
    return Pair(tuple(source), tuple(target), weight)


def shown(alignment: Alignment | Cut) -> str:
    units = alignment.units if isinstance(alignment, Alignment) else alignment
    return " ".join("".join(x) + ":" + ("".join(y) or "-") for x, y in units)


def every_cut(
    source: tuple[str, ...], target: tuple[str, ...], options: AlignmentOptions, run: int = 0
) -> Iterator[Cut]:
    """All alignments of a pair."""
    if not source and not target:
        yield ()
    for s, t in options.steps:
        if s > len(source) or t > len(target) or (s == 0 and run == options.insertions):
            continue
        unit = source[:s], target[:t]
        for rest in every_cut(source[s:], target[t:], options, run + 1 if s == 0 else 0):
            yield (unit, *rest)


def probability(model: AlignmentModel, cut: Cut) -> float:
    listed = dict(zip(model.units, model.probabilities.tolist(), strict=True))
    result: float = math.prod(listed.get(unit, model.unlisted) for unit in cut)
    return result


def cuts_of(model: AlignmentModel, item: Pair) -> dict[Cut, float]:
    """Every alignment that has a probability, with it."""
    every = every_cut(item.source, item.target, model.options)
    return {cut: p for cut in every if (p := probability(model, cut)) > 0}


def posteriors(model: AlignmentModel, item: Pair) -> dict[Unit, float]:
    cuts, expected = cuts_of(model, item), defaultdict[Unit, float](float)
    for cut, p in cuts.items():
        for unit in cut:
            expected[unit] += p / sum(cuts.values())
    return dict(expected)


weights = st.sampled_from([0.5, 1.0, 3.0])
words = st.text("abc", max_size=4)
lexicons = st.lists(st.builds(pair, words, st.text("xy", max_size=4), weights), max_size=5)
variants = st.builds(
    AlignmentOptions,
    max_source=st.integers(1, 3),
    max_target=st.integers(1, 2),
    many_to_many=st.booleans(),
    deletions=st.booleans(),
    insertions=st.integers(0, 2),
    rounds=st.integers(0, 3),
    initial=st.sampled_from(["bag", "uniform", "random"]),
    weights=st.sampled_from([None, (0.0, 0.9, 0.1)]),
    tolerance=st.just(0.0),
)


def generated(size: int) -> list[Pair]:
    """Pairs of a made-up language in which `sh` is one phone and `x` is two."""
    sounds = {"a": "A", "b": "B", "c": "K", "sh": "S", "x": "KZ", "e": "", "m": "M"}
    noise = np.random.default_rng(7)
    letters = list(sounds)
    chosen = noise.integers(len(letters), size=(size, 6))
    lengths = noise.integers(2, 7, size=size)
    rows = [[letters[k] for k in row[:n]] for row, n in zip(chosen, lengths, strict=True)]
    return [pair("".join(row), "".join(map(sounds.__getitem__, row))) for row in rows]
