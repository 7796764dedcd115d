"""Documents classified by counts of their words: accuracy by size of vocabulary (Jansche 2003).

    python benchmarks/count_models.py [--shared ../shared/data] [--data 20news,webkb] [--seed 1]

The train part of each collection is split 4:1. The first table has our models, with one occurrence
added to each, beside scikit-learn's MultinomialNB and ComplementNB with their defaults; dispersions
of the beta-binomial are the likeliest, or those of the paper, by moments. McNemar's chi-squared
follows, `*` where the difference is significant at the 5 % level. In the second table, vocabulary
and smoothing are those that answer best for a fifth of what is learnt from. The third has all eight
of our models, at up to 20,000 words. Words are runs of ASCII letters in lower case; lengths count
all of them. Seconds are of CPU time; those of the first table are for all of ours in it.
"""

from __future__ import annotations

import argparse
import gzip
import tarfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import ComplementNB, MultinomialNB

from glyphone.learners.counts.bayes import (
    BernoulliNB,
    BetaBinomialNB,
    BinomialNB,
    CountNB,
    ZeroInflatedBinomialNB,
)
from glyphone.learners.counts.mcnemar import mcnemar
from glyphone.learners.counts.vocabulary import best_words

Array = Any
Corpus = tuple[list[str], Array]
ROOT = Path(__file__).resolve().parents[1]
SIZES = (20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000)
OURS: dict[str, Callable[..., Any]] = {
    "Bernoulli": BernoulliNB,
    "binomial": BinomialNB,
    "ZI binomial": ZeroInflatedBinomialNB,
    "beta-bin.": BetaBinomialNB,
    "by moments": lambda **options: BetaBinomialNB(method="moments", **options),
}
PEERS: dict[str, Callable[..., Any]] = {
    "Multinom.NB": lambda smoothing: MultinomialNB(alpha=smoothing),
    "Compl.NB": lambda smoothing: ComplementNB(alpha=smoothing),
}
PAIRS = (("ZI binomial", "binomial"), ("ZI binomial", "beta-bin."), ("beta-bin.", "binomial"))
SMOOTHINGS = (1.0, 0.3, 0.1, 0.03, 0.01)


def newsgroups(shared: Path) -> Corpus | None:
    """Messages without their headers, and their groups."""
    path = shared / "20news" / "20news-bydate-train.tar.xz"
    if not path.is_file():
        return None
    texts, labels = [], []
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None:
                texts.append(file.read().decode("latin-1").partition("\n\n")[2])
                labels.append(Path(member.name).parent.name)
    return texts, np.array(labels)


def pages(shared: Path) -> Corpus | None:
    """Stemmed web pages, and their kinds."""
    path = shared / "webkb" / "webkb-train-stemmed.txt.gz"
    if not path.is_file():
        return None
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return [text for _, text in rows], np.array([label for label, _ in rows])


CORPORA = {"20news": newsgroups, "webkb": pages}


@dataclass(frozen=True, eq=False)
class Part:
    """Documents by words, and their classes."""

    X: Any
    y: Array

    def split(self, seed: int) -> tuple[Part, Part]:
        """Four fifths and one fifth."""
        order = np.random.default_rng(seed).permutation(len(self.y))
        cut = len(order) // 5
        return self.at(order[cut:]), self.at(order[:cut])

    def at(self, rows: Array) -> Part:
        return Part(self.X[rows], self.y[rows])


@dataclass(frozen=True, eq=False)
class Answers:
    predicted: Array
    accuracy: float
    seconds: float


def answers(name: str, train: Part, test: Part, *, size: int, smoothing: float) -> Answers:
    """The answers of a model of some words; a peer sees only these, ours counts the others too."""
    began = time.process_time()
    if name in OURS:
        columns: Any = slice(None)
        model = OURS[name](n_words=size, smoothing=smoothing)
    else:
        columns = best_words(train.X, train.y, n_classes=train.y.max() + 1, n_words=size)
        model = PEERS[name](smoothing)
    predicted = model.fit(train.X[:, columns], train.y).predict(test.X[:, columns])
    accuracy = 100 * float((predicted == test.y).mean())
    return Answers(predicted, accuracy, time.process_time() - began)


def table(train: Part, test: Part) -> None:
    names = [*OURS, *PEERS]
    differences = " ".join(f"{f'{a[:2]}:{b[:2]}':>8}" for a, b in PAIRS)
    print(
        f"{'words':>7} " + " ".join(f"{name:>11}" for name in names), differences, f"{'CPU s':>6}"
    )
    for size in (size for size in SIZES if size <= train.X.shape[1]):
        found = {name: answers(name, train, test, size=size, smoothing=1.0) for name in names}
        tests = [mcnemar(test.y, found[a].predicted, found[b].predicted) for a, b in PAIRS]
        print(
            f"{size:7} " + " ".join(f"{found[name].accuracy:11.2f}" for name in names),
            " ".join(f"{t.chi_square:7.2f}{'*' if t.is_significant() else ' '}" for t in tests),
            f"{sum(found[name].seconds for name in OURS):6.1f}",
            flush=True,
        )


def best(train: Part, test: Part, names: Sequence[str], *, seed: int) -> None:
    """Each at its best vocabulary and smoothing, and the first against the others."""
    inner, held_out = train.split(seed)
    whole = train.X.shape[1]
    first: Answers | None = None
    print(f"\n{'at its best':>11} {'words':>7} {'smoothing':>9} {'inner':>6} {'test':>6}  McNemar")
    for name in names:

        def tried(size: int, smoothing: float, name: str = name) -> tuple[float, int, float]:
            found = answers(name, inner, held_out, size=size, smoothing=smoothing)
            return found.accuracy, size, smoothing

        settings = [
            tried(size, smoothing)
            for size in sorted({min(size, whole) for size in (2000, 5000, 10000, 20000, whole)})
            for smoothing in SMOOTHINGS
        ]
        chosen, size, smoothing = max(settings)
        found = answers(name, train, test, size=size, smoothing=smoothing)
        first = first or found
        against = mcnemar(test.y, first.predicted, found.predicted).chi_square
        print(
            f"{name:>11} {size:7} {smoothing:9} {chosen:6.2f} {found.accuracy:6.2f} {against:8.2f}",
            flush=True,
        )


def speeds(train: Part, test: Part) -> None:
    """Seconds of each of our classifiers with its own options, and of scikit-learn's fastest."""
    size = min(SIZES[-1], train.X.shape[1])
    print(f"\n{f'{size} words':>30} {'fit s':>6} {'predict s':>9} {'test':>6}")
    for kind in (MultinomialNB, *CountNB.__subclasses__()):
        model = kind() if kind is MultinomialNB else kind(n_words=size)
        began = time.process_time()
        model.fit(train.X, train.y)
        learnt = time.process_time()
        right = model.predict(test.X) == test.y
        done = time.process_time()
        print(
            f"{kind.__name__:>30} {learnt - began:6.2f} {done - learnt:9.2f}"
            f" {100 * right.mean():6.2f}",
            flush=True,
        )


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--data", default=",".join(CORPORA))
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(argv)
    for name in arguments.data.split(","):
        corpus = CORPORA[name](arguments.shared)
        if corpus is None:
            print(f"{name}: skipped, it is absent")
            continue
        X = CountVectorizer(token_pattern="[a-z]+", dtype=np.float64).fit_transform(corpus[0])
        y = np.unique(corpus[1], return_inverse=True)[1]
        train, test = Part(X.tocsr(), y).split(arguments.seed)
        print(
            f"{name}: {len(train.y)} documents to learn from, {len(test.y)} to test, "
            f"{X.shape[1]} words, seed {arguments.seed}\n"
        )
        table(train, test)
        best(train, test, ["ZI binomial", *PEERS], seed=arguments.seed)
        speeds(train, test)
        print()


if __name__ == "__main__":
    main()
