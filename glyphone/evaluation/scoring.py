"""Scores of given pairs: probability, posterior, rank and best alignment; and audits.

An audit sorts lexicon entries by how much better the model likes its own answer. With b(x) the
model's best output for x, the surprise of a pair is

    surprise(x, y) = ln P(x, b(x)) - ln P(x, y)

in nats: 0 where the entry is the model's own answer, infinite where no units write y from x. What
both outputs share cancels, so that long words are not surprising for their length alone, nor words
of which many pronunciations are likely: there, the posterior is low and the surprise is not. A
model that was trained on the entries has seen their errors, and is surprised less than it should
be.

>>> from glyphone.data.writing import Writing
>>> from glyphone.training.train import train
>>> lexicon = {"phi": "fi", "hi": "hi", "pi": "pi", "graph": "graf", "ragi": "ragx"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> from glyphone.data.writing import Writing
>>> model = train(pairs[:-1], target=Writing()).model
>>> [found.rank for found in score_pairs(model, pairs[:2])]
[1, 1]
>>> worst = audit_pairs(model, [*pairs[:2], Pair(("h", "i"), ("f", "i"))])[0]
>>> worst.pair.target, worst.best, worst.surprise > 1
(('f', 'i'), 'hi', True)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.parallel import map_in_order
from glyphone.data.records import Alignment, Pair
from glyphone.fst.interface.model import Model

# Answers to a word among which the given one is looked for.
DEPTH = 10
BLOCK = 1024


@dataclass(frozen=True)
class ScoredPair:
    """A pair and what a model thinks of it; `number` is its place among all pairs, from 0.

    `rank` is among the best answers, or None. `best` is the model's own answer, None if it has no.
    """

    number: int
    pair: Pair
    log_probability: float
    posterior: float
    alignment: Alignment
    rank: int | None
    best: str | None
    surprise: float


@dataclass(frozen=True)
class UnscoredPair:
    """A pair that the model cannot read or write, and why."""

    number: int
    pair: Pair
    error: ItemError


def score_pairs(
    model: Model, pairs: Iterable[Pair], *, depth: int = DEPTH, jobs: int | None = None
) -> Iterator[ScoredPair | UnscoredPair]:
    """The score of each pair, in order, with its rank among the `depth` best answers.

    The sides of a pair are joined and cut again as the model does it.
    """
    if depth < 1:
        raise GlyphoneError(f"a rank among {depth} answers", remedy="ask for one or more")
    numbered = enumerate(pairs)
    blocks = iter(lambda: list(islice(numbered, BLOCK)), [])
    for _, block_scores in map_in_order(
        lambda block: score_block(model, block, depth), blocks, jobs=jobs
    ):
        yield from block_scores


def audit_pairs(
    model: Model,
    pairs: Iterable[Pair],
    *,
    top: int | None = None,
    depth: int = DEPTH,
    jobs: int | None = None,
) -> list[ScoredPair]:
    """The most surprising pairs first; pairs that the model cannot read are left out."""
    scores = score_pairs(model, pairs, depth=depth, jobs=jobs)
    scored = [score for score in scores if isinstance(score, ScoredPair)]
    return sorted(scored, key=by_surprise)[:top]


def by_surprise(found: ScoredPair) -> tuple[float, float, int]:
    """The most surprising first, of equal ones the least probable, then the first."""
    return -found.surprise, found.posterior, found.number


@dataclass(frozen=True)
class _Texts:
    """A pair as the model reads and writes it."""

    number: int
    pair: Pair
    source: str
    target: str


def score_block(
    model: Model, block: Sequence[tuple[int, Pair]], depth: int
) -> list[ScoredPair | UnscoredPair]:
    found: dict[int, ScoredPair | UnscoredPair] = {}
    texts: list[_Texts] = []
    for number, pair in block:
        try:
            texts.append(texts_of(model, number, pair))
        except ItemError as error:
            found[number] = UnscoredPair(number, pair, error)
    answers = model.answer([one.source for one in texts], n=depth)
    outputs = [answers.outputs[a:b] for a, b in pairwise(answers.firsts)]
    bests = [ranked[0] if ranked else None for ranked in outputs]
    scores = model.score_pairs([(one.source, one.target) for one in texts], aligned=True)
    rivals = model.score_pairs(
        [
            (one.source, one.target if best is None else best)
            for one, best in zip(texts, bests, strict=True)
            if best != one.target
        ]
    )
    waiting = iter(rivals)
    for one, ranked, best, score in zip(texts, outputs, bests, scores, strict=True):
        rival = score if best == one.target else next(waiting)
        if isinstance(score, ItemError) or isinstance(rival, ItemError):
            reason = score if isinstance(score, ItemError) else rival
            assert isinstance(reason, ItemError)
            found[one.number] = UnscoredPair(one.number, one.pair, reason)
            continue
        possible = score.log_probability > -math.inf
        log_probability = score.log_probability + 0.0  # or a certain pair would have -0
        found[one.number] = ScoredPair(
            one.number,
            one.pair,
            log_probability,
            score.posterior,
            score.alignment,
            ranked.index(one.target) + 1 if one.target in ranked else None,
            best,
            rival.log_probability - log_probability if possible else math.inf,
        )
    return [found[number] for number, _ in block]


def texts_of(model: Model, number: int, pair: Pair) -> _Texts:
    """A pair as the model reads and writes it, or ItemError for a symbol that it cannot."""
    source, target = model.source, model.target
    text = source.writing.join(pair.source)
    source.encode(text)
    try:
        labels = target.encode(target.writing.join(pair.target)).labels
    except ItemError as error:
        error.message += " of the target side"
        error.item = text
        raise
    return _Texts(number, pair, text, target.join(target.decode(labels)))
