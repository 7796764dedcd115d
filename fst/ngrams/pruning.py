"""Smaller n-gram models: explicit n-grams that the backoff nearly predicts are dropped.

relative-entropy (Stolcke 1998, "Entropy-based Pruning of Backoff Language Models") scores (h, w) by
the rise in perplexity, exp(D) - 1, if it alone were dropped:

    D = -P(h) {P(w|h) [ln b'(h) P(w|h') - ln P(w|h)] + (1 - sum of P(v|h)) [ln b'(h) - ln b(h)]}

with v over explicit tokens of h, and b' the backoff without w. seymore-rosenfeld (1996, "Scalable
Backoff Language Models") scores it by

    P(hw) [ln P(w|h) - ln b(h) P(w|h')].

P(h) and P(hw) are shares of all counted tokens, or, without counts, the model's own products of
conditional probabilities; after Kneser-Ney these are poor, as its lower orders are made for backing
off (Chelba et al. 2010), so give counts where there are any. An n-gram whose continuation stays,
stays; scores are those in the unpruned model, so that smaller models are parts of larger ones.
Backoffs are computed anew at the end.

>>> from glyphone.fst.ngrams.smoothing import train
>>> model = train([0, 1, 0, 1, 1], [0, 2, 5], n_words=2, order=3)
>>> model.n_ngrams, prune(model, size=5).n_ngrams
(11, 5)
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.data.kernels import jit
from glyphone.fst.ngrams import kernels as ngram_kernels
from glyphone.fst.ngrams.counts import NgramCounts, sum_groups
from glyphone.fst.ngrams.model import NgramModel

Criterion = Literal["relative-entropy", "seymore-rosenfeld"]
Floats = NDArray[np.float64]

SMALLEST_MASS = 1e-8  # see glyphone.fst.ngrams.smoothing


def prune(
    model: NgramModel,
    *,
    threshold: float | None = None,
    size: int | None = None,
    criterion: Criterion = "relative-entropy",
    counts: NgramCounts | None = None,
) -> NgramModel:
    """The model without n-grams that score below a threshold, or with at most `size` n-grams.

    Unigrams always stay. Of equal scores the shorter n-gram stays, then the earlier.
    """
    if (threshold is None) == (size is None):
        raise GlyphoneError("give either a threshold or a size to prune to")
    scores = pruning_scores(model, criterion=criterion, counts=counts)
    if threshold is not None:
        return restrict(model, scores >= threshold)
    assert size is not None
    kept = np.zeros(model.n_ngrams, np.bool_)
    kept[np.lexsort((np.arange(len(scores)), -scores))[: max(size, model.vocabulary_size)]] = True
    return restrict(model, kept)


def pruning_scores(
    model: NgramModel,
    *,
    criterion: Criterion = "relative-entropy",
    counts: NgramCounts | None = None,
) -> Floats:
    """The score of each n-gram, or of its best continuation if higher; +inf for unigrams."""
    if criterion not in get_args(Criterion):
        raise UnknownName("pruning criterion", criterion, get_args(Criterion))
    kernels = jit.tier(ngram_kernels, model.n_ngrams)
    parents = kernels.parent_arcs(model.ngrams, model.levels)
    histories, joint = _state_and_arc_shares(model, parents, counts)
    lower = kernels.lower_log_probs(model.ngrams)
    own = _entropy_scores(model, lower, histories) if criterion == "relative-entropy" else None
    scores = _difference_scores(model, lower, joint) if own is None else own
    scores[: model.vocabulary_size] = np.inf
    kernels.raise_scores(model.ngrams, parents, scores)
    return scores


def restrict(model: NgramModel, kept: NDArray[np.bool_]) -> NgramModel:
    """The model with some of its n-grams, and backoffs with which it sums to one again."""
    kernels = jit.tier(ngram_kernels, model.n_ngrams)
    sources = model.sources()
    kept = kept.copy()
    kept[: model.vocabulary_size] = True
    n_arcs = np.bincount(sources, kept, model.n_states).astype(np.int64)
    stays = n_arcs > 0
    if (kept & ~_prefix_kept(model, kept, kernels)).any():
        raise GlyphoneError("an n-gram stays whose prefix is dropped", remedy="keep the prefix")
    nearest = (np.cumsum(stays) - 1)[kernels.kept_suffixes(model.backoff_states, stays)]
    offsets = np.zeros(int(stays.sum()) + 1, np.int64)
    np.cumsum(n_arcs[stays], out=offsets[1:])
    below = model.backoff_states[stays]
    backoff_states = np.where(below < 0, -1, nearest[below])
    per_level = np.add.reduceat(stays, model.levels[:-1], dtype=np.int64)
    levels = np.concatenate([[0], np.cumsum(per_level)])
    pruned = NgramModel(
        model.n_words,
        int(nearest[model.start]),
        offsets,
        model.tokens[kept],
        model.log_probs[kept],
        nearest[model.targets[kept]].astype(np.int32),
        backoff_states.astype(np.int32),
        model.backoffs[stays].copy(),
        levels[: int(np.flatnonzero(per_level)[-1]) + 2],
    )
    kernels.set_backoffs(pruned.ngrams, SMALLEST_MASS)
    return pruned


def _prefix_kept(model: NgramModel, kept: NDArray[np.bool_], kernels: Any) -> NDArray[np.bool_]:
    """Whether the n-gram that is the history of each is kept."""
    parents = kernels.parent_arcs(model.ngrams, model.levels)
    known: NDArray[np.bool_] = np.where(parents < 0, True, kept[parents])
    return known[model.sources()]


def _state_and_arc_shares(
    model: NgramModel, parents: NDArray[np.int64], counts: NgramCounts | None
) -> tuple[Floats, Floats]:
    """P(h) of every state and P(hw) of every arc."""
    sources = model.sources()
    if counts is not None:
        total = float(counts.levels[0].counts[: model.vocabulary_size].sum())
        joint = counts_of_arcs(model, parents, counts) / total
        return sum_groups(sources, joint, model.n_states), joint
    histories = np.ones(model.n_states)
    # <s> stands once in each sequence, as </s> does.
    histories[model.start] = np.exp(model.log_probs[model.end]) if model.start else 1.0
    for depth in range(1, model.order):
        states = np.arange(model.levels[depth], model.levels[depth + 1])
        states = states[parents[states] >= 0]
        arcs = parents[states]
        histories[states] = histories[sources[arcs]] * np.exp(model.log_probs[arcs])
    return histories, histories[sources] * np.exp(model.log_probs)


def counts_of_arcs(
    model: NgramModel, parents: NDArray[np.int64], counts: NgramCounts
) -> NDArray[np.float64]:
    """The count of each explicit n-gram of a model."""
    if counts.n_words != model.n_words or counts.order < model.order:
        raise GlyphoneError("the counts are not those of this model: other words or a lower order")
    found = np.zeros(model.n_ngrams)
    sources = model.sources()
    arc_grams = np.full(model.n_ngrams, -1, np.int64)  # the n-gram's number on its level
    state_grams = np.full(model.n_states, -1, np.int64)
    state_grams[0] = 0
    for depth in range(model.order):
        states = np.arange(model.levels[depth], model.levels[depth + 1])
        states = states[parents[states] >= 0]
        state_grams[states] = arc_grams[parents[states]]
        if depth == 1 and model.start:
            state_grams[model.start] = counts.begin
        begin, end = (int(model.offsets[state]) for state in model.levels[depth : depth + 2])
        level = counts.levels[depth]
        width = counts.n_words + 2
        keys = level.parents.astype(np.int64) * width + level.tokens
        histories = state_grams[sources[begin:end]]
        wanted = histories * width + model.tokens[begin:end]
        places = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        if len(keys):
            hit = (histories >= 0) & (keys[places] == wanted)
            arc_grams[begin:end] = np.where(hit, places, -1)
            found[begin:end] = np.where(hit, level.counts[places], 0)
    return found


def _entropy_scores(model: NgramModel, lower: Floats, histories: Floats) -> Floats:
    sources = model.sources()
    probs, lower_probs = np.exp(model.log_probs), np.exp(lower)
    left = np.maximum(1 - sum_groups(sources, probs, model.n_states), 0)
    unseen = np.maximum(1 - sum_groups(sources, lower_probs, model.n_states), 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        backoff = np.log((left[sources] + probs) / (unseen[sources] + lower_probs))
        before = model.backoffs[sources]
        change = np.where(left[sources] > 0, left[sources] * (backoff - before), 0)
        change += np.where(probs > 0, probs * (lower + backoff - model.log_probs), 0)
        rise = np.where(histories[sources] > 0, -histories[sources] * change, 0)
        scores: Floats = np.expm1(np.maximum(rise, 0))
    return scores


def _difference_scores(model: NgramModel, lower: Floats, joint: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        difference = model.log_probs - (model.backoffs[model.sources()] + lower)
    return np.where(joint > 0, joint * np.nan_to_num(difference, nan=0.0, posinf=np.inf), 0.0)
