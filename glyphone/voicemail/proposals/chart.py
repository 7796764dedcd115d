"""All readings of messages: spans of words that may be a telephone number or something else.

>>> from glyphone.voicemail.proposals.finder import load_grammar
>>> from glyphone.voicemail.proposals.vocabulary import number_words
>>> reader = ChartReader(load_grammar(), NumberPlan.read())
>>> chart = reader.read(number_words(["at five four three two".split()]))
>>> best = chart.shares.argmax()
>>> chart.names[chart.rows[best, 2]], chart.spans[best].tolist(), chart.shares[best].round(2)
('telephone', [1, 5], np.float64(0.88))
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import glyphone.grammars
from glyphone.data.kernels import jit
from glyphone.data.lexicons.tsv import read_table
from glyphone.fst.transducers import span_kernels
from glyphone.fst.transducers.model import TransducerModel
from glyphone.fst.transducers.spans import acceptor_of, build_readers
from glyphone.grammars.eng.numbers import readings as number_readings
from glyphone.grammars.eng.numbers.words import NUMBER_WORDS
from glyphone.grammars.eng.phone_numbers import phrases_of
from glyphone.voicemail.proposals.plans import NumberPlan, gate_of, parse_probability
from glyphone.voicemail.proposals.vocabulary import GrammarVocabulary, NumberedWords

WEIGHTS = Path(glyphone.grammars.__path__[0], "eng", "reading_weights.tsv")
TELEPHONE = 0  # the number of its machine
# The cost of a number word that is in no reading; "oh" is often in none.
LEFT_OVER, OH = 2.0, 0.3
# The most tokens of one span, and how many tokens from its begin must include a number word: spans
# without number words are no telephone numbers.
LONGEST, AHEAD = 48, 8

Array = Any


@dataclass(frozen=True, eq=False)
class ReadingChart:
    """Readings in the order of their begins, then ends: rows of (first token, token behind the
    last, kind), the posterior of each, the message and the words in it that it spans.

    `symbols` are the labels of all tokens; for each token and the end, `silent` counts the
    hesitations before it, and `bounds` is the posterior of a bound of readings there.
    """

    names: tuple[str, ...]
    symbols: Array
    silent: Array
    bounds: Array
    rows: Array
    shares: Array
    messages: Array
    spans: Array


class ChartReader:
    """The phone-number grammar and its competitors, compiled for the span kernels."""

    def __init__(self, model: TransducerModel, plan: NumberPlan) -> None:
        patterns = number_readings.parse_patterns()
        self.vocabulary = GrammarVocabulary(model.source.symbols, number_readings.WORDS)
        labels = self.vocabulary.labels
        words = [(word, labels[word]) for word in number_readings.WORDS]
        others = [acceptor_of(pattern, words) for pattern in patterns.values()]
        self.readers = build_readers([*model.machines, *others], max(labels.values()) + 1)
        self.gate = gate_of(plan, model.target.symbols, others=len(others))
        shares = {
            label: parse_probability(share) for label, share in read_table(WEIGHTS, columns=2)
        }
        self.names = ("telephone", *patterns)
        self.costs = np.array([-math.log(shares[label]) for label in self.names])
        self.left_over = np.zeros(max(labels.values()) + 1)
        self.left_over[[labels[word] for word in NUMBER_WORDS]] = LEFT_OVER
        self.left_over[[labels["oh"], labels["o"]]] = OH
        self.silent = np.zeros(len(self.left_over), np.int64)
        fillers = {word for phrase in phrases_of("filler") for word in phrase.split()}
        self.silent[[labels[word] for word in fillers]] = 1

    def read(self, said: NumberedWords) -> ReadingChart:
        """All readings of the words of some messages."""
        labels, words = self.vocabulary.encode(said)
        cuts = np.diff(words, prepend=-1) != 0
        # A word is many times the work that a symbol is in a grammar.
        kernels = jit.tier(span_kernels, 16 * len(labels))
        skips = self.left_over[labels]
        begins = cuts & any_ahead(skips > 0, AHEAD)
        rows, costs = kernels.accepted_spans(self.readers, self.gate, labels, begins, cuts, LONGEST)
        costs += self.costs[rows[:, 2]]
        shares, bounds = kernels.span_posteriors(skips, labels == 0, rows[:, 0], rows[:, 1], costs)
        firsts = said.bounds + np.arange(len(said.bounds))  # with the ends of messages
        spans = np.stack([words[rows[:, 0]], words[rows[:, 1] - 1] + 1], axis=1)
        owners = np.searchsorted(firsts, spans[:, 0], side="right") - 1
        return ReadingChart(
            self.names,
            labels,
            np.append(0, self.silent[labels].cumsum()),
            bounds,
            rows,
            shares,
            owners,
            spans - firsts[owners][:, None],
        )


@lru_cache(maxsize=4)
def chart_reader(model: TransducerModel, plan: NumberPlan) -> ChartReader:
    """The reader of a grammar and a plan, which takes half a second to build, built once."""
    return ChartReader(model, plan)


def any_ahead(wanted: Array, ahead: int) -> Array:
    """A mask of the places with a wanted one among the next `ahead`, the place itself included.

    >>> any_ahead(np.array([False, False, False, True, False]), 2).tolist()
    [False, False, True, True, False]
    """
    before = np.append(0, np.cumsum(wanted, dtype=np.int64))
    last = np.minimum(np.arange(len(wanted)) + ahead, len(wanted))
    mask: Array = before[last] > before[:-1]
    return mask


def outermost_mask(rows: Array) -> Array:
    """A mask of the rows, sorted by begin and end, that are part of no other row.

    >>> outermost_mask(np.array([[0, 1], [0, 3], [1, 3], [2, 4]])).tolist()
    [False, True, False, True]
    """
    if not len(rows):
        return np.zeros(0, bool)
    last = np.append(rows[1:, 0] != rows[:-1, 0], True)
    # The furthest end of rows that begin before each.
    furthest = np.maximum.accumulate(rows[:, 1])
    first = np.searchsorted(rows[:, 0], rows[:, 0])
    earlier = np.where(first > 0, furthest[first - 1], -1)
    mask: Array = last & (rows[:, 1] > earlier)
    return mask
