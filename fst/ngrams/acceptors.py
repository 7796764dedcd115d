"""n-gram models as weighted acceptors: one state per history, the cost -ln P on arcs and ends.

Word i is label i + 1; </s> is a final cost. A backoff is one of two things:

- `epsilon_acceptor`: an epsilon arc that costs -ln backoff(h), out of states that lack a token. It
  may also be taken where the token is explicit, so a string has several paths: one of them costs
  -ln P, and the cheapest may be cheaper. Interpolation rules that out for one token, as then
  P(w | h) >= backoff(h) P(w | h'), but not for a path: one that backs off early comes to a shorter
  history, and saves backing off later.
- `exact_acceptor`: nothing. Every state has every word at its exact cost, as if failure arcs were
  written out, and a string has one path; its size is states times words.

>>> from glyphone.fst.ngrams.smoothing import train
>>> model = train([0, 1, 0, 1, 1], [0, 2, 5], n_words=2, order=2)
>>> epsilon_acceptor(model).n_arcs, exact_acceptor(model).n_arcs
(8, 8)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.fst.automata.transducer import SymbolTable, Transducer
from glyphone.fst.ngrams.model import NgramModel

LARGEST = 10_000_000


def epsilon_acceptor(model: NgramModel, words: Sequence[str] | None = None) -> Transducer:
    """The model with epsilon arcs for backoffs; `words[i]` names word i."""
    sources = model.sources()
    ends = model.tokens == model.end
    finals = np.full(model.n_states, np.inf)
    finals[sources[ends]] = -model.log_probs[ends]
    arcs = ~ends & (model.log_probs > -np.inf)
    needs_backoff = np.diff(model.offsets) < model.vocabulary_size
    needs_backoff &= (model.backoff_states >= 0) & (model.backoffs > -np.inf)
    states = np.flatnonzero(needs_backoff)
    labels = np.concatenate([model.tokens[arcs] + 1, np.zeros(len(states), np.int32)])
    symbols = _symbol_table(model, words)
    return Transducer.from_arcs(
        model.start,
        finals,
        np.concatenate([sources[arcs], states]),
        labels,
        labels,
        np.concatenate([-model.log_probs[arcs], -model.backoffs[states]]),
        np.concatenate([model.targets[arcs], model.backoff_states[states]]),
        symbols,
        symbols,
    )


def exact_acceptor(
    model: NgramModel, words: Sequence[str] | None = None, *, largest: int = LARGEST
) -> Transducer:
    """The model with one path per string; refused if it had more than `largest` arcs."""
    size = model.n_states * model.vocabulary_size
    if size > largest:
        message = f"the exact acceptor of this model has {size} arcs, more than {largest}"
        raise GlyphoneError(message, remedy="prune the model, or use epsilon backoff")
    log_probs = np.empty((model.n_states, model.vocabulary_size))
    targets = np.empty((model.n_states, model.vocabulary_size), np.int32)
    for depth in range(model.order):
        states = np.arange(model.levels[depth], model.levels[depth + 1])
        if depth:
            below = model.backoff_states[states]
            log_probs[states] = log_probs[below] + model.backoffs[states, np.newaxis]
            targets[states] = targets[below]
        begin, end = (int(model.offsets[state]) for state in model.levels[depth : depth + 2])
        owners = np.repeat(states, np.diff(model.offsets)[states])
        log_probs[owners, model.tokens[begin:end]] = model.log_probs[begin:end]
        targets[owners, model.tokens[begin:end]] = model.targets[begin:end]
    possible = log_probs > -np.inf
    possible[:, model.end] = False
    sources, tokens = np.nonzero(possible)
    symbols = _symbol_table(model, words)
    return Transducer.from_arcs(
        model.start,
        -log_probs[:, model.end],
        sources,
        tokens + 1,
        tokens + 1,
        -log_probs[possible],
        targets[possible],
        symbols,
        symbols,
    )


def _symbol_table(model: NgramModel, words: Sequence[str] | None) -> SymbolTable | None:
    if words is None:
        return None
    if len(words) != model.n_words:
        raise GlyphoneError(f"{len(words)} names for a model of {model.n_words} words")
    return SymbolTable.of(words)
