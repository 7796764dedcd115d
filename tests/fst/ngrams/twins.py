"""n-gram estimates with dictionaries of tuples, written straight from the formulas."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from hypothesis import strategies as st

Gram = tuple[int, ...]
Prob = Callable[[int, Gram], float]

N_WORDS = 4
END, BEGIN = N_WORDS, N_WORDS + 1
V = N_WORDS + 1

# Word 3 is rare, so that some corpora never have it.
word = st.sampled_from([0, 0, 0, 1, 1, 2, 2, 3])
corpora = st.lists(st.lists(word, max_size=6), min_size=1, max_size=40)
histories = st.tuples(st.booleans(), st.lists(st.integers(0, N_WORDS - 1), max_size=5)).map(
    lambda drawn: ((BEGIN,) if drawn[0] else ()) + tuple(drawn[1])
)


def grams(corpus: Sequence[Sequence[int]], length: int) -> list[Gram]:
    """All n-grams of a length, as often as they occur."""
    padded = [(BEGIN, *sequence, END) for sequence in corpus]
    return [p[i : i + length] for p in padded for i in range(len(p) - length + 1)]


def counts(corpus: Sequence[Sequence[int]], order: int) -> dict[int, Counter[Gram]]:
    return {length: Counter(grams(corpus, length)) for length in range(1, order + 1)}


def without_begin(counted: Counter[Gram]) -> Counter[Gram]:
    return Counter({gram: count for gram, count in counted.items() if gram != (BEGIN,)})


def continuation_counts(c: dict[int, Counter[Gram]], order: int) -> dict[int, Counter[Gram]]:
    a = {order: c[order]}
    for length in range(1, order):
        a[length] = Counter({g: n for g, n in c[length].items() if g[0] == BEGIN})
        a[length].update(g[1:] for g in c[length + 1])
    return a


def n_with(counted: Counter[Gram], count: int) -> int:
    return sum(1 for value in counted.values() if value == count)


def single_discount(counted: Counter[Gram]) -> list[float]:
    n1, n2 = n_with(counted, 1), n_with(counted, 2)
    return [n1 / (n1 + 2 * n2) if n1 and n2 else 0.5] * 3


def three_discounts(counted: Counter[Gram]) -> list[float]:
    n = [n_with(counted, count) for count in range(5)]
    if n[1] and n[2] and n[3]:
        y = n[1] / (n[1] + 2 * n[2])
        found = [1 - 2 * y * n[2] / n[1], 2 - 3 * y * n[3] / n[2], 3 - 4 * y * n[4] / n[3]]
        if all(0 < d <= r for r, d in enumerate(found, 1)):
            return found
    return [0.5, 1.0, 1.5]


def after(counted: Counter[Gram], history: Gram) -> dict[int, int]:
    """The counts of the tokens after a history."""
    return {gram[-1]: count for gram, count in counted.items() if gram[:-1] == history}


def interpolated(corpus: Sequence[Sequence[int]], order: int, smoothing: str) -> Prob:
    c = counts(corpus, order)
    if smoothing.endswith("kneser-ney"):
        c = continuation_counts(c, order)
    c[1] = without_begin(c[1])
    find = three_discounts if smoothing == "modified-kneser-ney" else single_discount
    discounts = {length: find(c[length]) for length in c}

    @cache
    def prob(token: int, history: Gram) -> float:
        history = history[-(order - 1) :] if order > 1 else ()
        below = prob(token, history[1:]) if history else 1 / V
        seen = after(c[len(history) + 1], history)
        if not seen:
            return below
        total = sum(seen.values())
        if smoothing == "witten-bell":
            return (seen.get(token, 0) + len(seen) * below) / (total + len(seen))
        d = [0.0, *discounts[len(history) + 1]]
        reserve = sum(d[min(count, 3)] for count in seen.values())
        count = seen.get(token, 0)
        return (count - d[min(count, 3)] + reserve * below) / total

    return prob


def good_turing(counted: Counter[Gram]) -> list[float]:
    """The discounts of counts r = 0, 1, ...; the last value is for all larger ones."""
    n = [n_with(counted, count) for count in range(8)]
    for k in (5, 4, 3, 2, 1):
        try:
            a = (k + 1) * n[k + 1] / n[1]
            d = [((r + 1) * n[r + 1] / n[r] / r - a) / (1 - a) for r in range(1, k + 1)]
        except ZeroDivisionError:
            continue
        if a < 1 and all(0 < ratio < 1 for ratio in d):
            return [0.0, *(r * (1 - d[r - 1]) for r in range(1, k + 1)), 0.0]
    return [0.0, 0.5]


def katz(corpus: Sequence[Sequence[int]], order: int) -> Prob:
    c = counts(corpus, order)
    c[1] = without_begin(c[1])
    loses = {length: good_turing(c[length]) for length in c}

    @cache
    def prob(token: int, history: Gram) -> float:
        history = history[-(order - 1) :] if order > 1 else ()

        def below(word: int) -> float:
            return prob(word, history[1:]) if history else 1 / V

        seen = after(c[len(history) + 1], history)
        if not seen:
            return below(token)
        lost = loses[len(history) + 1]
        kept = {word: n - lost[min(n, len(lost) - 1)] for word, n in seen.items()}
        left = sum(seen.values()) - sum(kept.values())
        unseen = sum(below(word) for word in range(V) if word not in seen)
        if unseen < 1e-8:
            left = 0.0
        elif left <= 1e-12:
            left = 1.0
        total = sum(kept.values()) + left
        return kept[token] / total if token in seen else left / total * below(token) / unseen

    return prob


def twin(corpus: Sequence[Sequence[int]], order: int, smoothing: str) -> Prob:
    if smoothing == "katz":
        return katz(corpus, order)
    return interpolated(corpus, order, smoothing)


def read_arpa_plainly(text: str) -> dict[tuple[str, ...], tuple[float, float]]:
    """log10 P and log10 backoff of every n-gram."""
    found: dict[tuple[str, ...], tuple[float, float]] = {}
    length = 0
    for line in text.splitlines():
        if line.startswith("\\") and line.endswith("-grams:"):
            length = int(line[1:].split("-")[0])
        elif length and line and line != "\\end\\":
            fields = line.split()
            backoff = float(fields[-1]) if len(fields) > length + 1 else 0.0
            found[tuple(fields[1 : length + 1])] = (float(fields[0]), backoff)
    return found


def plain_log_prob(
    arpa: dict[tuple[str, ...], tuple[float, float]], history: tuple[str, ...], token: str
) -> float:
    """log10 P(token | history)."""
    if (*history, token) in arpa:
        return arpa[(*history, token)][0]
    if not history:
        return -math.inf
    return arpa.get(history, (0.0, 0.0))[1] + plain_log_prob(arpa, history[1:], token)


def random_corpus(
    seed: int, *, n: int = 300, n_words: int = 8, longest: int = 8
) -> list[list[int]]:
    """Sequences in which some successions are much more frequent than others."""
    random = np.random.default_rng(seed)
    moves = random.dirichlet(np.full(n_words, 0.3), n_words)
    corpus = []
    for length in random.integers(0, longest, n):
        sequence: list[int] = []
        for _ in range(length):
            chances = moves[sequence[-1] if sequence else 0]
            sequence.append(int(random.choice(n_words, p=chances)))
        corpus.append(sequence)
    return corpus
