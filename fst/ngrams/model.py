"""A backoff n-gram model as flat arrays, for words, characters, tags or joint units alike.

A state is a history; state 0 is the empty one, and states are numbered by length. State s owns the
arcs offsets[s] to offsets[s + 1], sorted by token: each an explicit ln P(token | history), already
interpolated, and the state of the longest suffix of history + token that is a state. For all other
tokens

    P(w | h) = backoff(h) P(w | h'),    h' the longest proper suffix of h that is a state.

Words are 0 to n_words - 1; then come </s>, which is predicted like a word, and <s>, which only
stands first in histories and is never predicted. State 0 has an arc for every word and </s>.
Logarithms are natural.

>>> from glyphone.fst.ngrams.smoothing import train
>>> model = train([0, 1, 0, 1, 1], [0, 2, 5], n_words=2, order=3)
>>> history = [model.begin, 0]
>>> round(float(np.exp(model.distribution(history)).sum()), 12)
1.0
>>> round(model.log_prob(history, 1), 6), round(float(model.distribution(history)[1]), 6)
(-0.157629, -0.157629)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.kernels import jit
from glyphone.fst.ngrams import kernels as ngram_kernels
from glyphone.fst.ngrams.counts import check_sequences
from glyphone.fst.ngrams.kernels import Ngrams

Ints = NDArray[np.int32]
Floats = NDArray[Any]  # float64 where the model was made, float32 after `astype`


@dataclass(frozen=True, eq=False)
class NgramModel:
    """States, sorted arcs and backoffs; `levels[d]` is the first state whose history has length d.

    `log_probs` may hold -inf: an impossible token. `targets` of </s> lead to state 0.
    """

    n_words: int
    start: int  # the state of <s>, or 0 where nothing is known to follow it
    offsets: NDArray[np.int64]
    tokens: Ints
    log_probs: Floats
    targets: Ints
    backoff_states: Ints
    backoffs: Floats
    levels: NDArray[np.int64]

    @property
    def end(self) -> int:
        """The token </s>."""
        return self.n_words

    @property
    def begin(self) -> int:
        """The token <s>, which only a history may hold, and only first."""
        return self.n_words + 1

    @property
    def vocabulary_size(self) -> int:
        """The number of tokens that may come next: all words and </s>."""
        return self.n_words + 1

    @property
    def order(self) -> int:
        return len(self.levels) - 1

    @property
    def n_states(self) -> int:
        return len(self.backoffs)

    @property
    def n_ngrams(self) -> int:
        """The number of explicit n-grams of all lengths; <s> alone is not counted."""
        return len(self.tokens)

    @cached_property
    def ngrams(self) -> Ngrams:
        """The arrays in the form that kernels take."""
        return Ngrams(
            self.offsets,
            self.tokens,
            self.log_probs,
            self.targets,
            self.backoff_states,
            self.backoffs,
        )

    def astype(self, dtype: DTypeLike) -> NgramModel:
        """The model with probabilities of another precision; float32 saves a third of it."""
        log_probs, backoffs = self.log_probs.astype(dtype), self.backoffs.astype(dtype)
        return replace(self, log_probs=log_probs, backoffs=backoffs)

    def sources(self) -> Ints:
        """The state of every arc."""
        return np.repeat(np.arange(self.n_states, dtype=np.int32), np.diff(self.offsets))

    def state_of(self, history: Sequence[int]) -> int:
        """The state of the longest suffix of a history that is one."""
        begins = len(history) > 0 and history[0] == self.begin
        words = np.asarray(history[1:] if begins else history, np.int64)
        self._check(words)
        walk = jit.tier(ngram_kernels, len(words)).state_after
        return int(walk(self.ngrams, self.start if begins else 0, words))

    def advance(self, state: int, token: int) -> tuple[float, int]:
        """ln P(token | state) and the state after it."""
        self._check(np.array([token]))
        log_prob, target = jit.tier(ngram_kernels, 1).token_step(self.ngrams, state, token)
        return float(log_prob), int(target)

    def log_prob(self, history: Sequence[int], token: int) -> float:
        """ln P(token | history); a history that begins a sequence has <s> in it."""
        return self.advance(self.state_of(history), token)[0]

    def distribution(self, history: Sequence[int]) -> Floats:
        """ln P(w | history) for every word w, and </s> at the end."""
        state = self.state_of(history)
        kernels = jit.tier(ngram_kernels, self.vocabulary_size)
        log_probs: Floats = kernels.next_log_probs(self.ngrams, state)
        return log_probs

    def score(self, sequence: Sequence[int]) -> float:
        """ln P of a whole sequence, its end included."""
        return float(self.score_many(np.asarray(sequence, np.int64), [0, len(sequence)])[0])

    def score_many(self, tokens: ArrayLike, offsets: ArrayLike) -> NDArray[np.float64]:
        """ln P of each sequence tokens[offsets[i]:offsets[i + 1]]."""
        words, bounds = check_sequences(tokens, offsets, n_words=self.n_words)
        kernels = jit.tier(ngram_kernels, len(words))
        scores: NDArray[np.float64] = kernels.sequence_scores(
            self.ngrams, self.start, self.end, words, bounds
        )
        return scores

    def perplexity(self, tokens: ArrayLike, offsets: ArrayLike) -> float:
        """exp of the mean -ln P per token, ends counted as tokens."""
        scores = self.score_many(tokens, offsets)
        n_tokens = np.asarray(tokens).size + len(scores)
        if n_tokens == 0:
            raise GlyphoneError("the perplexity of no sequences is not defined")
        return float(np.exp(-scores.sum() / n_tokens))

    def sample(
        self, n: int = 1, *, seed: int, longest: int = 1000
    ) -> tuple[Ints, NDArray[np.int64]]:
        """Random sequences as (tokens, offsets), cut after `longest` tokens."""
        random = np.random.default_rng(seed)
        kernels = jit.tier(ngram_kernels, n * self.vocabulary_size)
        tokens, offsets = kernels.draw_sequences(
            self.ngrams, self.start, self.end, random, n, longest
        )
        return tokens, offsets

    def _check(self, words: NDArray[Any]) -> None:
        if len(words) and not (words.min() >= 0 and words.max() <= self.end):
            wrong = next(int(word) for word in words if not 0 <= word <= self.end)
            hint = f"words are 0 to {self.n_words - 1}, </s> is {self.end}"
            raise GlyphoneError(f"token {wrong} is not in the vocabulary", remedy=hint)

    def check(self, *, path: object = None) -> None:
        """FormatError for arrays, as of a damaged file, outside of which a kernel would read."""
        problem = _problem_of(self)
        if problem:
            raise FormatError(f"is no n-gram model: {problem}", path=path)


def _problem_of(model: NgramModel) -> str | None:
    n_states, n_arcs, n_tokens = model.n_states, model.n_ngrams, model.vocabulary_size
    shapes: dict[str, tuple[NDArray[Any], int]] = {
        "offsets": (model.offsets, n_states + 1),
        "tokens": (model.tokens, n_arcs),
        "log_probs": (model.log_probs, n_arcs),
        "targets": (model.targets, n_arcs),
        "backoff_states": (model.backoff_states, n_states),
        "backoffs": (model.backoffs, n_states),
    }
    for name, (column, length) in shapes.items():
        kinds = "f" if name in ("log_probs", "backoffs") else "i"
        if column.shape != (length,) or column.dtype.kind not in kinds:
            return f"{name} has shape {column.shape} and type {column.dtype}"
    if n_states == 0 or model.offsets[0] != 0 or model.offsets[-1] != n_arcs:
        return "its states do not divide its arcs among them"
    if (np.diff(model.offsets) < 0).any():
        return "its states do not divide its arcs among them"
    if not np.array_equal(model.tokens[: model.offsets[1]], np.arange(n_tokens)):
        return "the empty history does not have every word"
    same_state = np.ones(n_arcs, np.bool_)
    same_state[model.offsets[:-1][np.diff(model.offsets) > 0]] = False
    if (same_state[1:] & (np.diff(model.tokens) <= 0)).any():
        return "the arcs of a state are not sorted"
    if (model.tokens < 0).any() or (model.tokens >= n_tokens).any():
        return "a token is not in the vocabulary"
    if (model.targets < 0).any() or (model.targets >= n_states).any():
        return "an arc leads nowhere"
    below = model.backoff_states
    if below[0] != -1 or (below[1:] < 0).any() or (below >= np.arange(n_states)).any():
        return "a state does not back off to a shorter one"
    if not 0 <= model.start < n_states:
        return "it does not start in a state"
    if np.isnan(model.log_probs).any() or np.isnan(model.backoffs).any():
        return "a probability is not a number"
    levels = model.levels
    if len(levels) < 2 or levels[0] != 0 or levels[-1] != n_states or (np.diff(levels) < 0).any():
        return "the lengths of its histories are not in order"
    return None


class Layer(NamedTuple):
    """The n-grams of one length, sorted, as `assemble` takes them; the first layer ends in <s>.

    `parents` and `suffixes` are numbers on the layer before; `suffixes` is None where some are
    missing. An n-gram is a history if it is continued or its backoff is not 0.
    """

    parents: Ints
    tokens: Ints
    suffixes: Ints | None
    log_probs: NDArray[np.float64]  # NaN, if suffixes are missing: not given, to be backed off
    backoffs: NDArray[np.float64]


def assemble(n_words: int, layers: list[Layer]) -> NgramModel:
    """The model of n-grams that contain each prefix of each of them; empties the list.

    There may be tens of millions of them, so that a layer is given up as soon as it is copied.
    """
    n_tokens = n_words + 1
    n_next = [np.bincount(b.parents, minlength=len(a.tokens)) for a, b in pairwise(layers)]
    n_next.append(np.zeros(len(layers[-1].tokens), np.int64))
    is_state = [(n > 0) | (a.backoffs != 0) for a, n in zip(layers, n_next, strict=True)]
    levels = np.cumsum([0, 1, *(int(here.sum()) for here in is_state)])
    # A history as long as the longest n-gram is one without arcs, if at all.
    levels = levels[:-1] if levels[-1] == levels[-2] else levels
    n_states = int(levels[-1])
    n_arcs = sum(len(layer.tokens) for layer in layers) - 1
    model = NgramModel(
        n_words,
        int(levels[2]) - 1 if len(levels) > 2 and is_state[0][-1] else 0,
        np.zeros(n_states + 1, np.int64),
        np.empty(n_arcs, np.int32),
        np.empty(n_arcs),
        np.empty(n_arcs, np.int32),
        np.empty(n_states, np.int32),
        np.zeros(n_states),
        levels.astype(np.int64),
    )
    model.offsets[1] = n_tokens
    model.backoff_states[0] = -1
    known = all(layer.suffixes is not None for layer in layers)
    nearest = np.zeros(1, np.int32)  # the state of the longest suffix, on the layer before
    first_arc, first_state = 0, 1
    while layers:
        layer, here, n = layers.pop(0), is_state.pop(0), n_next.pop(0)
        arcs = slice(first_arc, first_arc + len(layer.tokens) - (first_arc == 0))
        states = slice(first_state, first_state + int(here.sum()))
        first_arc, first_state = arcs.stop, states.stop
        n_here = arcs.stop - arcs.start
        model.tokens[arcs] = layer.tokens[:n_here]
        model.log_probs[arcs] = layer.log_probs[:n_here]
        model.offsets[1:][states] = first_arc + np.cumsum(n[here])
        model.backoffs[states] = layer.backoffs[here]
        numbers = np.cumsum(here, dtype=np.int32) + np.int32(states.start - 1)
        if known:
            below = nearest[layer.suffixes]
            model.backoff_states[states] = below[here]
            nearest = np.where(here, numbers, below)
            model.targets[arcs] = nearest[:n_here]
        else:
            model.targets[arcs] = np.where(here, numbers, -1)[:n_here]
    if not known:
        jit.tier(ngram_kernels, n_arcs).link_states(model.ngrams, model.targets.copy(), model.start)
    return model
