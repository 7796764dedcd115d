"""Automata that give weights to the yields of forests: n-gram models and other acceptors.

>>> from glyphone.fst.forests.composition_kernels import token_step
>>> automaton = of_bigrams(np.log([[0.6, 0.4], [0.9, 0.1]]))
>>> log_prob, state = token_step(automaton, automaton.start, 0)
>>> round(float(np.exp(log_prob)), 3), int(state)
(0.9, 0)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import GlyphoneError
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.forests.composition_kernels import Automaton
from glyphone.fst.ngrams.model import NgramModel

Floats = NDArray[np.float64]


def of_ngrams(model: NgramModel) -> Automaton:
    """An n-gram model with its backoffs; symbols are its words."""
    return Automaton(
        model.start,
        model.end,
        model.offsets,
        model.tokens,
        model.log_probs,
        model.targets,
        model.backoff_states,
        model.backoffs,
    )


def of_bigrams(log_probs: Floats) -> Automaton:
    """A table of ln P(column | row): rows are symbols and the beginning, columns symbols and end.

    State i is the history of symbol i.
    """
    n_rows, n_tokens = log_probs.shape
    if n_rows != n_tokens:
        remedy = "one row for each symbol and the beginning, one column for each and the end"
        raise GlyphoneError(f"a table of {n_rows} rows and {n_tokens} columns", remedy=remedy)
    return Automaton(
        n_rows - 1,
        n_tokens - 1,
        np.arange(n_rows + 1, dtype=np.int64) * n_tokens,
        np.tile(np.arange(n_tokens, dtype=np.int32), n_rows),
        np.ascontiguousarray(log_probs, np.float64).reshape(-1),
        np.tile(np.arange(n_tokens, dtype=np.int32), n_rows),
        np.full(n_rows, -1, np.int32),
        np.zeros(n_rows),
    )


def of_acceptor(machine: Transducer) -> Automaton:
    """A deterministic weighted acceptor; symbol i is label i + 1.

    An epsilon arc is a failure arc: it is taken where, and only where, the state lacks a label.
    An end is looked for in the same way.
    """
    if not np.array_equal(machine.ilabels, machine.olabels):
        raise GlyphoneError("is no acceptor: it reads one thing and writes another")
    if machine.start < 0:
        raise GlyphoneError("the acceptor has no start, so that it accepts nothing")
    sources, labels = machine.sources(), machine.ilabels
    backs = labels == 0
    same = (np.diff(sources) == 0) & (np.diff(labels) == 0)
    if same.any():
        state = int(sources[int(np.argmax(same))])
        message = f"is not deterministic: state {state} has two arcs for one label"
        raise GlyphoneError(message, remedy="determinise it first")
    end = int(labels.max(initial=0))
    ends = np.flatnonzero(np.isfinite(machine.finals))
    owners = np.concatenate([sources[~backs], ends])
    tokens = np.concatenate([labels[~backs] - 1, np.full(len(ends), end)])
    weights = np.concatenate([machine.weights[~backs], machine.finals[ends]])
    targets = np.concatenate([machine.targets[~backs], np.zeros(len(ends), np.int32)])
    order = np.lexsort((tokens, owners))
    below, backoffs = np.full(machine.n_states, -1, np.int32), np.zeros(machine.n_states)
    below[sources[backs]] = machine.targets[backs]
    backoffs[sources[backs]] = -machine.weights[backs]
    _check_ends(below)
    counts = np.bincount(owners, minlength=machine.n_states)
    return Automaton(
        machine.start,
        end,
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        tokens[order].astype(np.int32),
        -weights[order].astype(np.float64),
        targets[order].astype(np.int32),
        below,
        backoffs,
    )


def _check_ends(below: NDArray[np.int32]) -> None:
    """Refuses failure arcs in a circle."""
    state = below.copy()
    for _ in range(len(below)):
        if (state < 0).all():
            return
        state = np.where(state < 0, -1, below[np.maximum(state, 0)])
    raise GlyphoneError("the failure arcs of the acceptor lead in a circle")
