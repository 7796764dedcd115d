"""Kernels: owners that have rare units in common with a name or a word, from an inverted index.

Owners are found by adding up the worths of the units that they share, as long as `budget` allows
owners to be visited. Those with the best totals are compared as a whole: words by the units of
their spellings, names word by word.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf

Array = Any
# Totals are told apart by so many levels between 0 and 1.
LEVELS = 1024
# So many grams in common are counted at once, in fields of so many bits of a number.
FIELDS, WIDTH, FIELD = 7, 8, 255


class Rows(NamedTuple):
    """Rows of numbers, end to end: units[bounds[i]:bounds[i + 1]] is row i."""

    bounds: Array
    units: Array


class Grams(NamedTuple):
    """The grams of the words of an index, as rows of numbers below `kinds`, in order."""

    bounds: Array
    units: Array
    kinds: int


class SimilarWords(NamedTuple):
    """words[bounds[i]:bounds[i + 1]] are words of an index that are like word i, `likes` tell how
    much."""

    bounds: Array
    words: Array
    likes: Array


class Owners(NamedTuple):
    """An inverted index: row u of `postings` are the owners of unit u; `weights` are those of
    units, and `sums` the sums of the weights of each owner's units."""

    postings: Rows
    weights: Array
    sums: Array


@kernel
def similar_words(
    features: Rows, grams: Rows, index: Owners, known: Grams, budget: int, most: int
) -> tuple[Array, Array]:
    """At most so many words of an index that are like each of some words, and how much; -1 where
    there are no more.

    `features` and `grams` are those of the words, `known` the grams of the words of the index.
    """
    n = len(features.bounds) - 1
    found, likes = np.full((n, most), -1, np.int32), np.zeros((n, most), np.float32)
    totals, touched, levels, counts = scratch(len(index.sums))
    marks, word = np.zeros((1, known.kinds), np.int64), np.empty(1, np.int64)
    for row in range(n):
        word[0] = row
        own = features.units[features.bounds[row] : features.bounds[row + 1]]
        worths = 2 * index.weights[own]
        count = add_up(own, worths, index.postings, budget, totals, touched)
        total = worths.sum() / 2
        count = keep_best(count, touched, totals, index.sums, total, most, levels, counts)
        mark_grams(word, grams, marks, 1)
        size = grams.bounds[row + 1] - grams.bounds[row]
        for t in range(count):
            other = touched[t]
            common = common_grams(marks[0], known, other)
            found[row, t] = other
            other_size = known.bounds[other + 1] - known.bounds[other]
            likes[row, t] = likeness(common, size, other_size)
        mark_grams(word, grams, marks, -1)
    return found, likes


@kernel
def best_candidates(
    names: Rows,
    weights: Array,
    grams: Rows,
    similar: SimilarWords,
    index: Owners,
    of_index: Rows,
    places: Array,
    known: Grams,
    budget: int,
    compared: int,
    most: int,
) -> tuple[Array, Array]:
    """At most so many candidates of each name, best first, and their scores.

    Names are rows of words, which have weights, grams and similar words; `of_index` are the names
    of the index as rows of its words, whose grams are `known`, and `places` their numbers in the
    answer. Of the names with the best totals so many are compared that about `compared` pairs of
    words are. Places without a candidate are -1.
    """
    n = len(names.bounds) - 1
    found, scores = np.full((n, most), -1), np.zeros((n, most))
    totals, touched, levels, counts = scratch(len(index.sums))
    length = longest(names)
    marks, likes = np.zeros((-(-length // FIELDS), known.kinds), np.int64), np.zeros(length)
    for row in range(n):
        own = names.units[names.bounds[row] : names.bounds[row + 1]]
        if len(own) == 0:
            continue
        words, worths = words_to_visit(own, weights, similar, index.weights)
        count = add_up(words, worths, index.postings, budget, totals, touched)
        total = weights[own].sum()
        enough = max(2 * most, compared // len(own) ** 2)
        count = keep_best(count, touched, totals, index.sums, total, enough, levels, counts)
        mark_grams(own, grams, marks, 1)
        sizes = grams.bounds[own + 1] - grams.bounds[own]
        for t in range(count):
            name = touched[t]
            others = of_index.units[of_index.bounds[name] : of_index.bounds[name + 1]]
            score = score_of(own, weights, sizes, others, index.weights, known, marks, likes)
            insert_candidate(found[row], scores[row], places[name], score)
        mark_grams(own, grams, marks, -1)
    return found, scores


@kernel
def scratch(n: int) -> tuple[Array, Array, Array, Array]:
    """Totals of owners, owners that have any, the levels of these, and owners on each level."""
    touched, levels = np.empty(n, np.int32), np.empty(n, np.int16)
    return np.zeros(n, np.float32), touched, levels, np.zeros(LEVELS, np.int64)


@kernel
def longest(rows: Rows) -> int:
    length = 0
    for row in range(len(rows.bounds) - 1):
        length = max(length, rows.bounds[row + 1] - rows.bounds[row])
    return length


@kernel
def words_to_visit(
    own: Array, weights: Array, similar: SimilarWords, of_index: Array
) -> tuple[Array, Array]:
    """The words of an index that are like a name's, and their worths: the weights of both words
    times their likeness. First come those that are like the rarest words, which are its own."""
    size = 0
    for word in own:
        size += similar.bounds[word + 1] - similar.bounds[word]
    words, worths, keys = np.empty(size, np.int32), np.empty(size), np.empty(size)
    at = 0
    for word in own:
        for place in range(similar.bounds[word], similar.bounds[word + 1]):
            words[at] = similar.words[place]
            keys[at] = -similar.likes[place] * weights[word]
            worths[at] = similar.likes[place] * (weights[word] + of_index[words[at]])
            at += 1
    order = np.argsort(keys, kind="mergesort")
    return words[order], worths[order]


@leaf
def add_up(
    units: Array, worths: Array, postings: Rows, budget: int, totals: Array, touched: Array
) -> int:
    """Add the worths of units to the totals of the owners that have them; how many have any.

    Units with more owners than are left of the budget are passed over, but for the first unit.
    """
    count, visited = 0, 0
    for k in range(len(units)):
        begin, end = postings.bounds[units[k]], postings.bounds[units[k] + 1]
        if visited and visited + end - begin > budget:
            continue
        visited += end - begin
        for place in range(begin, end):
            owner = postings.units[place]
            if totals[owner] == 0:
                touched[count] = owner
                count += 1
            totals[owner] += worths[k]
    return count


@leaf
def keep_best(
    count: int,
    touched: Array,
    totals: Array,
    sums: Array,
    total: float,
    most: int,
    levels: Array,
    counts: Array,
) -> int:
    """Put the owners with the best totals, in relation to the sums of their weights, first in
    `touched`; how many these are. Totals and counts are cleared."""
    for t in range(count):
        owner = touched[t]
        share = min(totals[owner] / (total + sums[owner]), 1)
        levels[t] = int(share * (LEVELS - 1))
        counts[levels[t]] += 1
        totals[owner] = 0
    edge, above = LEVELS, 0
    while edge > 0 and above < most:
        edge -= 1
        above += counts[edge]
    on_edge = most - (above - counts[edge])
    kept = 0
    for t in range(count):
        if levels[t] == edge:
            on_edge -= 1
        if levels[t] > edge or (levels[t] == edge and on_edge >= 0):
            touched[kept] = touched[t]
            kept += 1
    counts[:] = 0
    return kept


@leaf
def score_of(
    own: Array,
    weights: Array,
    sizes: Array,
    others: Array,
    other_weights: Array,
    known: Grams,
    marks: Array,
    likes: Array,
) -> float:
    """How much of the weights of the words of two names is in words that are like one of the other
    name: the geometric mean of both shares. `marks` are those of the own words."""
    likes[: len(own)] = 0
    common, total = 0.0, 0.0
    for word in others:
        best = 0.0
        for first in range(0, len(own), FIELDS):
            fields = common_grams(marks[first // FIELDS], known, word)
            for k in range(first, min(first + FIELDS, len(own))):
                size = known.bounds[word + 1] - known.bounds[word]
                like = likeness(fields & FIELD, sizes[k], size)
                fields >>= WIDTH
                best = max(best, like)
                likes[k] = max(likes[k], like)
        common += best * other_weights[word]
        total += other_weights[word]
    own_common, own_total = 0.0, 0.0
    for k in range(len(own)):
        own_common += likes[k] * weights[own[k]]
        own_total += weights[own[k]]
    return math.sqrt(common / total * own_common / own_total)


@leaf
def mark_grams(own: Array, grams: Rows, marks: Array, sign: int) -> None:
    """Add fields for the grams of some words to marks, or take them away: word k of a row of marks
    has field k, in which its common grams are counted."""
    for k in range(len(own)):
        one = sign << WIDTH * (k % FIELDS)
        for place in range(grams.bounds[own[k]], grams.bounds[own[k] + 1]):
            if grams.units[place] >= 0:
                marks[k // FIELDS, grams.units[place]] += one


@leaf
def common_grams(marks: Array, known: Grams, word: int) -> int:
    """The numbers of grams that a word has in common with those of a row of marks, as fields."""
    fields = 0
    for place in range(known.bounds[word], known.bounds[word + 1]):
        fields += marks[known.units[place]]
    return fields


@leaf
def likeness(common: int, size: int, other_size: int) -> float:
    """Twice the root of the cosine of two words' grams, less one, but not less than nothing.

    The root, for two words that are alike each are worth more than one that is equal and one that
    is another; words that are not alike have some grams in common, too.
    """
    product = size * other_size
    if 16 * common * common <= product:
        return 0.0
    return 2 * math.sqrt(common / math.sqrt(product)) - 1


@leaf
def insert_candidate(names: Array, scores: Array, name: int, score: float) -> None:
    """Keep a candidate if it is better than the last, or as good and stands before it."""
    place = len(names) - 1
    if names[place] >= 0 and not goes_before(name, score, names[place], scores[place]):
        return
    while place > 0 and (
        names[place - 1] < 0 or goes_before(name, score, names[place - 1], scores[place - 1])
    ):
        names[place], scores[place] = names[place - 1], scores[place - 1]
        place -= 1
    names[place], scores[place] = name, score


@leaf
def goes_before(name: int, score: float, other: int, other_score: float) -> bool:
    return score > other_score or (score == other_score and name < other)
