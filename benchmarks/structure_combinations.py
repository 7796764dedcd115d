"""Combination features: L1 over all products of features, without making them.

    python benchmarks/structure_combinations.py [--shared ../shared/data] [--words 500] [--pairs 3]

First, made data (Okanohara and Tsujii 2009 is the paper): the least objective by grafting, and by
liblinear over all products of two as columns; the products whose sums were kept in the first
search for any, as a share of all; accuracy on as many new rows. Then letters to sounds, NETtalk:
letter error on the dev file after some words of the train file, drawn by chance. `all made` is
the problem of degree 2 with all products as columns, by the same solver. Last, pairs of
newsgroups: the first and second group in the order of their names, the third and fourth, and so on;
tf-idf of all words, four fifths to learn from, F of the first group, beta 1 and 2. The rows of
tf-idf have length 1, in which products are small; `scaled` columns have 1 as their greatest value.

Of each system the setting is the best of its grid in cross-validation over what is learnt from
(over its words, for letters). CPU s is that of fitting once with it, and MiB what the matrix takes.
"""

from __future__ import annotations

import argparse
import math
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from count_models import newsgroups
from nettalk import Rows, Setting, entries_of
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import fbeta_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import Binarizer, MaxAbsScaler, OneHotEncoder
from sklearn.svm import SVC, LinearSVC

from glyphone.learners.combinations.estimator import CombinationClassifier
from glyphone.learners.trees.estimator import SymbolicTree

Array = Any
Folds = list[tuple[Array, Array]]
ROOT = Path(__file__).resolve().parents[1]
NOISE = 0.05
# One grid for learners with and without products.
LETTER_GRID, TEXT_GRID = (0.1, 0.3, 1.0), (0.03, 0.1, 0.3, 1.0)


def exclusive_or(draw: Any, n: int) -> tuple[Array, Array]:
    """Thirty features of 0 and 1; whether just one of the first two is 1, but for some rows."""
    X = draw.integers(0, 2, (n, 30)).astype(float)
    return X, (X[:, 0] != X[:, 1]) != (draw.random(n) < NOISE)


def zipfian(draw: Any, n: int) -> tuple[Array, Array]:
    """300 features as frequent as words, of which four products and features tell the class."""
    X = (draw.random((n, 300)) < np.minimum(0.5, 2.5 / np.arange(1, 301))).astype(float)
    scores = 1.5 * X[:, 0] * X[:, 1] - 2 * X[:, 2] * X[:, 5] + X[:, 3] - 2 * X[:, 4] * X[:, 7]
    return X, draw.random(n) < 1 / (1 + np.exp(-scores))


def with_products(X: Any) -> Any:
    """Features, and all products of two of them that any row has."""
    columns = sparse.csc_array(X)
    parts = [columns]
    for a in range(columns.shape[1] - 1):
        rest = columns[:, a + 1 :].multiply(columns[:, [a]])
        parts.append(sparse.csc_array(rest)[:, np.diff(sparse.csc_array(rest).indptr) > 0])
    return sparse.csr_array(sparse.hstack(parts))


def least_objective(X: Any, y: Array, rho1: float) -> tuple[float, int]:
    """The least objective with all columns and a constant one, by liblinear; weights not 0."""
    old = tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 8)
    penalty: dict[str, Any] = {"penalty": "l1"} if old else {"l1_ratio": 1.0}
    learner = LogisticRegression(
        C=1 / rho1, solver="liblinear", tol=1e-6, max_iter=10_000, **penalty
    ).fit(X, y)
    weights = np.append(learner.coef_, learner.intercept_)
    z = learner.decision_function(X)
    loss = np.logaddexp(0, np.where(y, -z, z)).sum()
    return float(loss + rho1 * np.abs(weights).sum()), int(np.count_nonzero(weights))


def weights_of(learner: Any) -> int:
    """The number of weights that are not 0; of other learners that of slopes."""
    learner = learner[-1] if isinstance(learner, Pipeline) else learner
    if not hasattr(learner, "weights_"):
        return int(np.size(getattr(learner, "coef_", ())))
    return int(learner.weights_.nnz + np.count_nonzero(learner.intercept_))


def made_data(n: int, seed: int) -> None:
    print(
        f"made data, {n} rows, seed {seed}\n\n"
        f"{'':10} {'rho1':>4} {'objective':>10} {'all made':>10}"
        f" {'weights':>7} {'of all':>7} {'rounds':>6} {'kept %':>6} {'right %':>7} {'alone %':>7}"
        f" {'CPU s':>6} {'all s':>6}"
    )
    for name, make in (("XOR", exclusive_or), ("Zipf", zipfian)):
        draw = np.random.default_rng(seed)
        (X, y), (asked, right) = make(draw, n), make(draw, n)
        every = with_products(X)
        for rho1 in (5.0, 20.0):
            began = time.process_time()
            learner = CombinationClassifier(rho1=rho1).fit(X, y)
            seconds = time.process_time() - began
            began = time.process_time()
            least, n_weights = least_objective(every, y, rho1)
            all_seconds = time.process_time() - began
            alone = CombinationClassifier(degree=1, rho1=rho1).fit(X, y)
            rounds = [one for one in learner.history_ if one["live"]]
            first = rounds[0]["live"] if rounds else 0
            kept = first / math.comb(X.shape[1], 2)
            print(
                f"{name:10} {rho1:4.0f} {learner.objective_:10.3f} {least:10.3f}"
                f" {weights_of(learner):7} {n_weights:7} {len(rounds):6} {100 * kept:6.1f}"
                f" {100 * learner.score(asked, right):7.1f} {100 * alone.score(asked, right):7.1f}"
                f" {seconds:6.1f} {all_seconds:6.1f}"
            )


@dataclass(frozen=True)
class System:
    """A learner of some setting, of those in a grid; the form that it wants features in."""

    name: str
    make: Callable[[float], Any]
    grid: tuple[float, ...]
    form: Callable[[Any], Any] = lambda X: X


def l1_of(degree: int, *before: Any) -> Callable[[float], Any]:
    """Products of so many features, behind some transformers."""
    return lambda rho1: make_pipeline(
        *map(clone, before), CombinationClassifier(degree=degree, rho1=rho1, tol=1e-2)
    )


def best_setting(system: System, X: Any, y: Array, folds: Folds) -> float:
    """The setting of the grid with the fewest errors over parts that were left out."""
    if len(system.grid) == 1:
        return system.grid[0]
    errors = {
        setting: np.mean(
            [
                1 - system.make(setting).fit(X[inside], y[inside]).score(X[outside], y[outside])
                for inside, outside in folds
            ]
        )
        for setting in system.grid
    }
    return min(errors, key=lambda setting: errors[setting])


def folds_of(groups: Array, n: int, seed: int) -> Folds:
    """Rows inside and outside each of some parts, where groups are not divided."""
    parts = np.random.default_rng(seed).permutation(groups.max() + 1)[groups] % n
    return [(np.flatnonzero(parts != k), np.flatnonzero(parts == k)) for k in range(n)]


def mebibytes(X: Any) -> float:
    arrays = (X.data, X.indices, X.indptr) if sparse.issparse(X) else (X,)
    return sum(array.nbytes for array in arrays) / 2**20


def letters(folder: Path, *, n_words: int, folds: int, seed: int) -> None:
    """Letter errors of NETtalk's dev file."""
    train, dev = (entries_of(folder / f"nettalk.{part}.tsv") for part in ("train", "dev"))
    drawn = np.random.default_rng(seed).permutation(len(train))[:n_words]
    window = Setting("", None, 3)
    known, asked = Rows.of([train[k] for k in drawn], window), Rows.of(dev, window)
    encoder = OneHotEncoder(handle_unknown="ignore").fit(known.windows)

    def signs(windows: Array) -> Any:
        return sparse.csr_array(encoder.transform(windows))

    tree: dict[str, Any] = {"splits": "questions", "min_leaf": 1, "smoothing": 1.0}
    systems = [
        System("plain L1", l1_of(1), LETTER_GRID, signs),
        System("products of 2", l1_of(2), LETTER_GRID, signs),
        System("products of 3", l1_of(3), LETTER_GRID, signs),
        System(
            "SVC, poly 2",
            lambda C: SVC(C=C, kernel="poly", degree=2, coef0=1.0),
            (1.0, 10.0),
            signs,
        ),
        System("one tree", lambda _: SymbolicTree(**tree, random_state=seed), (0.0,)),
    ]
    words = np.repeat(np.arange(len(known.bounds) - 1), np.diff(known.bounds))
    parts = folds_of(words, folds, seed)
    print(
        f"\nNETtalk, {len(drawn)} words to learn from, {len(dev)} to test, windows 3+1+3, "
        f"{folds} folds, seed {seed}\n\n"
        f"{'':14} {'setting':>7} {'letter %':>8} {'weights':>8} {'CPU s':>7} {'MiB':>7}"
    )
    for system in systems:
        X, Z = system.form(known.windows), system.form(asked.windows)
        report(system, X, known.phonemes, Z, asked.phonemes, parts)
    everything_made(signs(known.windows), known.phonemes, rho1=1.0)


def everything_made(X: Any, y: Array, *, rho1: float) -> None:
    """The problem of degree 2 by grafting, and with all products as columns."""
    print(f"\nrho1 {rho1:g}, degree 2: columns, objective, CPU s, MiB of the matrix")
    for name, degree, make in (("grafted", 2, lambda X: X), ("all made", 1, with_products)):
        began = time.process_time()
        columns = make(X)
        learner = CombinationClassifier(degree=degree, rho1=rho1, tol=1e-2).fit(columns, y)
        seconds = time.process_time() - began
        print(
            f"{name:14} {columns.shape[1]:8,} {learner.objective_:10.2f} {seconds:7.1f}"
            f" {mebibytes(columns):7.1f}",
            flush=True,
        )


def report(system: System, X: Any, y: Array, Z: Any, right: Array, folds: Folds) -> None:
    setting = best_setting(system, X, y, folds)
    began = time.process_time()
    learner = system.make(setting).fit(X, y)
    seconds = time.process_time() - began
    error = 100 * np.mean(learner.predict(Z) != right)
    print(
        f"{system.name:14} {setting:7.2f} {error:8.2f} {weights_of(learner):8,} {seconds:7.1f}"
        f" {mebibytes(X):7.1f}",
        flush=True,
    )


def documents(shared: Path, *, pairs: int, folds: int, seed: int) -> None:
    """F of pairs of newsgroups."""
    corpus = newsgroups(shared)
    if corpus is None:
        print(f"\n20news: skipped, {shared / '20news'} is absent")
        return
    texts, labels = np.array(corpus[0], object), corpus[1]
    names = sorted(set(labels.tolist()))
    systems = [
        System("plain L1", l1_of(1), TEXT_GRID),
        System("L1, scaled", l1_of(1, MaxAbsScaler()), TEXT_GRID),
        System("of 2, scaled", l1_of(2, MaxAbsScaler()), TEXT_GRID),
        System("L1, 0 and 1", l1_of(1, Binarizer()), TEXT_GRID),
        System("of 2, 0 and 1", l1_of(2, Binarizer()), TEXT_GRID),
        System("linear SVM", lambda C: LinearSVC(C=C, random_state=seed), (0.1, 1.0, 10.0)),
    ]
    found: dict[str, list[tuple[float, ...]]] = {one.name: [] for one in systems}
    for first, second in list(zip(names[::2], names[1::2], strict=False))[:pairs]:
        rows = np.flatnonzero((labels == first) | (labels == second))
        rows = np.random.default_rng(seed).permutation(rows)
        cut = len(rows) // 5
        vectorizer = TfidfVectorizer().fit(texts[rows[cut:]])
        X, Z = (vectorizer.transform(texts[part]) for part in (rows[cut:], rows[:cut]))
        y, right = labels[rows[cut:]] == first, labels[rows[:cut]] == first
        parts = folds_of(np.arange(len(y)), folds, seed)
        for system in systems:
            setting = best_setting(system, X, y, parts)
            began = time.process_time()
            learner = system.make(setting).fit(X, y)
            seconds = time.process_time() - began
            predicted = learner.predict(Z)
            scores = [fbeta_score(right, predicted, beta=beta) for beta in (1, 2)]
            found[system.name].append((*scores, weights_of(learner), seconds))
    tasks = min(pairs, len(names) // 2)
    print(
        f"\n20news, {tasks} pairs of groups, {folds} folds, seed {seed}, means\n\n"
        f"{'':14} {'F1 %':>6} {'F2 %':>6} {'weights':>8} {'CPU s':>7}"
    )
    for name, scores_of in found.items():
        f1, f2, size, seconds = np.mean(scores_of, axis=0)
        print(f"{name:14} {100 * f1:6.1f} {100 * f2:6.1f} {size:8,.0f} {seconds:7.1f}")


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--rows", type=int, default=2000, help="rows of made data")
    parser.add_argument("--words", type=int, default=500, help="words of NETtalk to learn from")
    parser.add_argument("--pairs", type=int, default=3, help="pairs of newsgroups")
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    warnings.simplefilter("ignore", ConvergenceWarning)
    chance = {"folds": arguments.folds, "seed": arguments.seed}
    made_data(arguments.rows, arguments.seed)
    folder = arguments.shared / "nettalk"
    if folder.is_dir():
        letters(folder, n_words=arguments.words, **chance)
    else:
        print(f"\nNETtalk: skipped, {folder} is absent")
    documents(arguments.shared, pairs=arguments.pairs, **chance)


if __name__ == "__main__":
    main()
