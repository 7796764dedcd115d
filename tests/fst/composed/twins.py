"""Random composed models, and a twin that runs every output of the joint model through what stands
behind it, one after the other."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from glyphone.data.writing import Writing
from glyphone.fst.composed.letters import LetterModel, train_letters
from glyphone.fst.composed.model import ComposedModel, Prior
from glyphone.fst.composed.vocabulary import Vocabulary, vocabulary_of
from glyphone.fst.interface.codec import Side
from glyphone.fst.transducers.model import TransducerModel
from tests.fst.joint.twins import Labels, Relation, random_model, relation
from tests.fst.support import cascade_paths, machine

# What the transducers read, in other labels than the joint model has for it, and what they write.
PHONES, SCRIPT = {"y": 1, "x": 2, "z": 3}, {"p": 1, "q": 2}


def random_composed(seed: int) -> ComposedModel:
    """A joint model with one or two random transducers, or none, and a prior, or none."""
    random = np.random.default_rng(seed)
    joint = random_model(int(random.integers(2**32)))
    joint = replace(joint, temperature=float(random.choice([1.0, 0.5, 2.0])))
    then = None
    n_stages = int(random.integers(3))
    if n_stages:
        stages = tuple(machine(int(random.integers(2**32))) for _ in range(n_stages))
        then = TransducerModel(
            stages, Side(Writing(), PHONES, "then"), Side(Writing(), SCRIPT, "then")
        )
    written = joint.target if then is None else then.target
    prior = (None, random_words, random_letters)[int(random.integers(3))]
    return ComposedModel(joint, then, prior=None if prior is None else prior(random, written))


def random_words(random: np.random.Generator, side: Side) -> Vocabulary:
    names = sorted(side.symbols)
    words = ["".join(random.choice(names, random.integers(1, 4))) for _ in range(5)]
    rows = [(word, float(random.integers(1, 9)) / 10) for word in words]
    share = float(random.choice([0.5, 1.0]))
    return vocabulary_of(rows, side, share=share, floor=0.05)


def random_letters(random: np.random.Generator, side: Side) -> LetterModel:
    names = sorted(side.symbols)
    rows = [("".join(random.choice(names, random.integers(1, 5))), 1.0) for _ in range(6)]
    return train_letters(rows, side, order=int(random.integers(1, 4)), share=0.5)


composed_models = st.integers(0, 2**32 - 1).map(random_composed)


def prior_costs(prior: Prior | None, output: str, symbols: dict[str, int]) -> list[float]:
    """The costs that a prior adds to an output, one for each way to it."""
    if prior is None:
        return [0.0]
    if isinstance(prior, LetterModel):
        tokens = [prior.symbols.index(symbol) for symbol in output]
        return [-prior.share * prior.ngrams.score(tokens)]
    listed = dict(prior.words())
    ways = [prior.floor] + ([listed[output]] if output in listed else [])
    return [-prior.share * math.log(way) for way in ways]


def composed_relation(model: ComposedModel, string: Labels) -> Relation:
    """The costs of all paths to every output."""
    names = {label: symbol for symbol, label in model.target.symbols.items()}
    found: Relation = {}
    for written, costs in relation(model.joint, string).items():
        ways = [(written, 0.0)]
        if model.then is not None:
            theirs, mine = model.then.source.symbols, model.joint.target.names
            ways = cascade_paths(model.then.machines, tuple(theirs[mine[one]] for one in written))
        for output, more in ways:
            symbols = "".join(names[label] for label in output)
            for price in prior_costs(model.prior, symbols, dict(model.target.symbols)):
                rows = found.setdefault(output, [])
                rows += [cost + more + price for cost in costs if more < math.inf]
    return {output: costs for output, costs in found.items() if costs}
