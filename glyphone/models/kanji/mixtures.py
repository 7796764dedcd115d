"""Joint models of Japanese names: mixtures of channels and pair n-grams of names of all kinds.

For each kind of names there are two parts. One is the noisy channel of Jansche and Sproat (2009): a
source model over kanji, which learns from names without readings, too, and a channel that reads
each kanji by itself. The other is an n-gram model of kanji with their readings, which knows what
stands together, but only from names with readings. Each is better where the other is worse.

>>> from glyphone.data.scripts.romaji import split_romaji
>>> names = {"山田": "yamada", "山川": "yamakawa", "川田": "kawada", "田山": "tayama"}
>>> pairs = [Pair(tuple(kanji), split_romaji(key)) for kanji, key in names.items()]
>>> examples = Examples.of("surname", pairs, sources=[(tuple("川山"), 1.0)])
>>> model = mixture([examples], KanjiOptions())
>>> model("kawayama").output, reversed_mixture(model)("山川").output
('川山', 'yamakawa')
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from glyphone.data import progress
from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair, Symbols
from glyphone.data.writing import Writing
from glyphone.fst.alignment.training import Refusal
from glyphone.fst.alignment.units import LabelUnit, Units
from glyphone.fst.channels.channel import (
    LEAST,
    PULL,
    ROUNDS,
    compose_channel,
    fit_channel,
    segment_pairs,
)
from glyphone.fst.channels.mixture import Boundary, MixturePart, mix_models
from glyphone.fst.interface.codec import Side, number_symbols
from glyphone.fst.joint.model import JointModel
from glyphone.fst.ngrams import smoothing
from glyphone.fst.ngrams.counts import flatten
from glyphone.fst.ngrams.model import NgramModel
from glyphone.fst.ngrams.smoothing import Smoothing
from glyphone.models.kanji.request import BETWEEN

SURNAME, GIVEN, NAME = "surname", "given", "name"
# How often another name follows, with a space before it or without one: for both kinds the same in
# all, or a name that stands alone would be the likelier to be of the kind that is followed less.
FOLLOWED = {
    (SURNAME, GIVEN): (0.38, 0.02),
    (GIVEN, SURNAME): (0.395, 0.005),
    (NAME, NAME): (0.395, 0.005),
}
# In nats. Two names in three of a beam of ten are the same ten as without one: see benchmarks.
BEAM = 3.0
# Of channels. The second was chosen by common surnames of people, of 0.05, 0.1, 0.2 and 0.4.
SHARE, KANA_SHARE = 0.4, 0.2


@dataclass(frozen=True, kw_only=True)
class KanjiOptions:
    """How a model of Japanese names is made.

    `order` is that of the source model, over kanji, and `pair_order` that of the model of kanji
    with readings; `channel_share` is how much the channel counts beside that one, 1 for the channel
    alone: by default SHARE, or KANA_SHARE of readings in kana, which hold more than keys do.
    The others are of the channel: see `glyphone.fst.channels.channel`.
    """

    order: int = 2
    pair_order: int = 2
    channel_share: float | None = None
    smoothing: Smoothing = "modified-kneser-ney"
    rounds: int = ROUNDS
    least: float = LEAST
    pull: float = PULL

    def __post_init__(self) -> None:
        if self.channel_share is not None and not 0 <= self.channel_share <= 1:
            raise GlyphoneError(
                f"the share of a channel is {self.channel_share}", remedy="ask for one from 0 to 1"
            )


@dataclass(frozen=True, eq=False)
class Examples:
    """Names of one kind: pairs of kanji and pieces of their readings, and names without readings.

    A name counts as often as its weight.
    """

    kind: str
    pairs: tuple[Pair, ...]
    sources: tuple[tuple[Symbols, float], ...]

    @classmethod
    def of(
        cls, kind: str, pairs: Iterable[Pair], *, sources: Iterable[tuple[Symbols, float]] = ()
    ) -> Examples:
        return cls(kind, tuple(pairs), tuple(sources))


@dataclass(frozen=True, eq=False)
class FittedMixture:
    """A joint model, the kinds of names that it knows, in the order of their entries, and for each
    of the examples what could not be learnt from."""

    model: JointModel
    kinds: Symbols
    refusals: tuple[tuple[Refusal, ...], ...]


def fit_mixture(
    examples: Sequence[Examples],
    options: KanjiOptions,
    *,
    share: float = SHARE,
    jobs: int = 1,
    name: str = "kanji",
) -> FittedMixture:
    """The model of names of several kinds; those without any pairs are left out.

    `share` is that of channels, where the options leave it open.
    """
    if options.channel_share is None:
        options = replace(options, channel_share=share)
    tables, refusals = list[ReadingTable](), list[tuple[Refusal, ...]]()
    for one in progress.steps(examples, "learning kinds of names"):
        cut = segment_pairs(one.pairs, rounds=options.rounds, least=options.least, jobs=jobs)
        refusals.append(cut.refusals)
        if cut.rows:
            tables.append(ReadingTable.of(one, cut.rows, cut.weights, options))
    readings = [reading for table in tables for reading in table.readings]
    characters, segments = zip(*[(BETWEEN, BETWEEN), *readings], strict=True)
    heard = Side(Writing(), number_symbols(map(tuple, segments)), name)
    kanji = Side(Writing(), number_symbols(map(tuple, characters)), name)
    space, silence = heard.symbols[BETWEEN], kanji.symbols[BETWEEN]
    kinds = [table.kind for table in tables]
    boundaries = [
        Boundary(before, behind, probability, ((space,) if typed else (), (silence,)))
        for (before, behind), probabilities in FOLLOWED.items()
        if before in kinds and behind in kinds
        for typed, probability in zip((True, False), probabilities, strict=True)
    ]
    total = sum(table.weight for table in tables)
    units, ngrams = mix_models(
        [part for table in tables for part in table.parts(heard, kanji, options)],
        {table.kind: table.weight / total for table in tables},
        boundaries,
        n_labels=len(heard.symbols) + 1,
    )
    return FittedMixture(
        JointModel(heard, kanji, units, ngrams.astype(np.float32), name, beam=BEAM, summed=True),
        tuple(kinds),
        tuple(refusals),
    )


@dataclass(frozen=True, eq=False)
class ReadingTable:
    """Readings of one kind of names, and two models of sequences of them."""

    kind: str
    weight: float
    readings: tuple[tuple[str, str], ...]
    channel: NgramModel
    pairs: NgramModel

    @classmethod
    def of(
        cls,
        examples: Examples,
        rows: Sequence[Sequence[tuple[str, str]]],
        weights: Sequence[float],
        options: KanjiOptions,
    ) -> ReadingTable:
        channel = fit_channel(rows, weights, pull=options.pull)
        numbers = {character: number for number, character in enumerate(channel.characters)}
        names = [
            ([character for character, _ in row], weight)
            for row, weight in zip(rows, weights, strict=True)
        ]
        names += [(list(name), weight) for name, weight in examples.sources]
        known = [(name, weight) for name, weight in names if all(one in numbers for one in name)]
        source = smoothing.train(
            *flatten([[numbers[one] for one in name] for name, _ in known]),
            n_words=len(numbers),
            order=options.order,
            smoothing=options.smoothing,
            weights=[weight for _, weight in known],
        )
        pairs = smoothing.train(
            *flatten([[channel.numbers[one] for one in row] for row in rows]),
            n_words=len(channel.readings),
            order=options.pair_order,
            smoothing=options.smoothing,
            weights=list(weights),
        )
        weight = sum(weight for _, weight in known)
        return cls(examples.kind, weight, channel.readings, compose_channel(channel, source), pairs)

    def parts(self, heard: Side, kanji: Side, options: KanjiOptions) -> list[MixturePart]:
        units: list[LabelUnit] = [
            (tuple(heard.symbols[letter] for letter in segment), (kanji.symbols[character],))
            for character, segment in self.readings
        ]
        share = SHARE if options.channel_share is None else options.channel_share
        shares = (share, self.channel), (1 - share, self.pairs)
        return [MixturePart(self.kind, part, units, ngrams) for part, ngrams in shares if part > 0]


def mixture(examples: Sequence[Examples], options: KanjiOptions) -> JointModel:
    """The model alone."""
    return fit_mixture(examples, options).model


def of_one_kind(model: JointModel, place: int) -> JointModel:
    """A model of single names of a kind, given as its place among the kinds of the model."""
    start = model.ngrams.start + 1 + place  # behind the entry of all kinds: see `fst.mixture`
    return replace(model, ngrams=replace(model.ngrams, start=start), insertions=0)


def reversed_mixture(model: JointModel) -> JointModel:
    """The mixture from kanji to readings; separators of names stay separators."""
    heard, kanji = model.source.symbols.get(BETWEEN), model.target.symbols.get(BETWEEN)
    flipped: list[LabelUnit] = []
    for source, target in zip(model.units.sources, model.units.targets, strict=True):
        if heard is not None and kanji is not None and target == (kanji,):
            flipped.append(((kanji,) if source else (), (heard,)))
        else:
            flipped.append((target, source))
    units, numbers = Units.arrange(flipped, n_labels=len(model.target.symbols) + 1)
    tokens = np.append(numbers, model.ngrams.end)[model.ngrams.tokens].astype(np.int32)
    order = np.lexsort((tokens, model.ngrams.sources()))
    ngrams = replace(
        model.ngrams,
        tokens=tokens[order],
        log_probs=model.ngrams.log_probs[order],
        targets=model.ngrams.targets[order],
    )
    return replace(model, source=model.target, target=model.source, units=units, ngrams=ngrams)
