"""Logistic regression trained for F, beside maximum likelihood with a threshold tuned for F.

    python benchmarks/expected_f.py [--shared ../shared/data] [--seeds 10]

Every classifier sees the same rows in the same run, all with the options that they have without
being asked (five folds for the threshold, as `TunedThresholdClassifierCV` has them); columns are
standardised for all. F is of test rows, the mean over seeds; behind it the mean and the standard
error of what is won over the tuned threshold. CPU is that of training on one thread, the
fastest of three, and its ratio to scikit-learn's LogisticRegression on the same rows.

- sentences: in the manner of Jansche's summaries of broadcast news, 3,535 rows to learn from, of 28
  numbers, some with long tails, and one yes or no. Sentences are of six kinds (a lead, a report, a
  quotation ...), each with features and a share of good sentences of its own: no line parts them.
- clusters: scikit-learn's `make_classification`, three clusters a class, 10 % positive.
- newsgroups: messages of one group among those of twenty, another group for each seed, by the
  logarithms of the counts of the 300 words that are most frequent.
- excerpts: CLEAR corpus, the easiest 10 or 25 % of excerpts, by seven shallow features.
- logistic: labels drawn from logistic regression itself, 10 % positive; nothing is to be won there.
"""

from __future__ import annotations

import argparse
import re
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from count_models import newsgroups
from scipy import sparse, special
from sklearn.datasets import make_classification
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import fbeta_score, make_scorer, precision_score, recall_score
from sklearn.model_selection import TunedThresholdClassifierCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from glyphone.learners.utility.classifier import UtilityLogisticRegression
from glyphone.learners.utility.objectives import Rows, Utility
from glyphone.learners.utility.rational import rational
from glyphone.voicemail.generator import generate
from glyphone.voicemail.number_training import examples, matrix

Array = Any
Drawn = tuple[Array, Array]
ROOT = Path(__file__).resolve().parents[1]
ALPHAS = (0.5, 0.75)
TRAIN = 3535
CELLS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


@dataclass(frozen=True)
class Task:
    """Rows and which are positive, drawn with a seed."""

    name: str
    draw: Callable[[int], Drawn]
    test: int


def sentences(seed: int) -> Drawn:
    """Candidates for a summary, of several kinds."""
    random, n, numbers = np.random.default_rng(seed), TRAIN + 4080, 28
    kinds = random.choice(6, n, p=[0.08, 0.3, 0.22, 0.15, 0.15, 0.1])
    lead = random.random(n) < np.where(kinds == 0, 0.9, 0.05)
    around = random.normal(size=(n, numbers))
    centres = random.normal(size=(6, numbers))
    tells = random.normal(size=(6, numbers)) / np.sqrt(numbers)
    worth = np.array([1.5, -0.5, -2.5, -3.5, -4.0, -1.0])[kinds] + (around * tells[kinds]).sum(1)
    features = centres[kinds] + around
    features[:, :10] = np.exp(0.7 * features[:, :10])  # lengths and counts
    return np.column_stack([lead, features]), random.random(n) < special.expit(worth)


def clusters(seed: int) -> Drawn:
    X, y = make_classification(
        TRAIN + 4000, 20, n_informative=6, n_redundant=4, n_clusters_per_class=3, weights=[0.9],
        flip_y=0.02, random_state=seed,
    )  # fmt: skip
    return X, y == 1


def logistic(seed: int) -> Drawn:
    random, n = np.random.default_rng(seed), TRAIN + 4000
    X = random.normal(size=(n, 20))
    return X, random.random(n) < special.expit(X @ random.normal(size=20) / 3 - 3)


def one_group(texts: list[str], names: Array) -> Callable[[int], Drawn]:
    counts = CountVectorizer(token_pattern="[a-z]+", max_features=300, dtype=np.float64)
    X, different = np.log1p(counts.fit_transform(texts).toarray()), np.unique(names)

    def draw(seed: int) -> Drawn:
        rows = np.random.default_rng(seed).permutation(len(names))[: TRAIN + 4000]
        return X[rows], names[rows] == different[2 * seed % len(different)]

    return draw


def excerpts(path: Path) -> tuple[Array, Array]:
    """Features of the CLEAR corpus's excerpts, and how easy these are to read."""
    with zipfile.ZipFile(path) as book:
        strings = [
            "".join(part.text or "" for part in item.iter(f"{CELLS}t"))
            for item in ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
        ]
        sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    head, *rows = [dict(cells(row, strings)) for row in sheet.iter(f"{CELLS}row")]
    column = {name: letters for letters, name in head.items()}
    features = [shallow(row[column["Excerpt"]]) for row in rows]
    return np.array(features), np.array([float(row[column["BT_easiness"]]) for row in rows])


def cells(row: Any, strings: list[str]) -> Iterator[tuple[str, str]]:
    """The letters of each column, and the text in it."""
    for cell in row:
        value = cell.find(f"{CELLS}v")
        if value is not None:
            text = strings[int(value.text)] if cell.get("t") == "s" else value.text
            yield cell.get("r").rstrip("0123456789"), text


def shallow(text: str) -> list[float]:
    """Words in a sentence, letters and syllables in a word, long words, different words, commas."""
    words = re.findall(r"[A-Za-z']+", text)
    sentences = max(1, sum(bool(part.strip()) for part in re.split(r"[.!?]+\s", text)))
    letters = np.array([len(word) for word in words])
    syllables = np.array([max(1, len(re.findall("[aeiouy]+", word.lower()))) for word in words])
    return [
        len(words) / sentences, letters.mean(), syllables.mean(), (letters > 6).mean(),
        (syllables > 2).mean(), len({word.lower() for word in words}) / len(words),
        text.count(",") / sentences,
    ]  # fmt: skip


def f_score(positive: Array, decided: Array, alpha: float) -> float:
    hits = np.sum(positive & decided)
    return float(hits and hits / (alpha * positive.sum() + (1 - alpha) * decided.sum()))


def tuned(learner: Any, alpha: float, seed: int) -> Any:
    """The same with a threshold for F, by cross-validation."""
    score = make_scorer(fbeta_score, beta=np.sqrt(alpha / (1 - alpha)), zero_division=0)
    return TunedThresholdClassifierCV(learner, scoring=score, random_state=seed)


def cpu(work: Callable[..., Any], *arguments: Any) -> float:
    """Seconds, the fewest of three runs."""
    found = []
    for _ in range(3):
        began = time.process_time()
        work(*arguments)
        found.append(time.process_time() - began)
    return min(found)


def row_of(task: Task, alpha: float, seeds: int) -> str:
    scores, seconds = [], []
    for seed in range(seeds):
        X, y = task.draw(seed)
        fit_X, test_X, fit_y, test_y = train_test_split(
            X, y, test_size=task.test, random_state=seed, stratify=y
        )
        likely = make_pipeline(StandardScaler(), LogisticRegression())
        learners = likely, tuned(likely, alpha, seed), UtilityLogisticRegression(alpha=alpha)
        scores.append(
            [f_score(test_y, one.fit(fit_X, fit_y).predict(test_X), alpha) for one in learners]
        )
        seconds.append([cpu(one.fit, fit_X, fit_y) for one in (likely, learners[-1])])
    table, (base, ours) = np.array(scores), np.mean(seconds, axis=0)
    won = table[:, 2] - table[:, 1]
    likely_f, tuned_f, our_f = table.mean(axis=0)
    return (
        f"{task.name:13} {100 * y.mean():5.1f} F_{alpha:<4} {likely_f:7.4f} {tuned_f:7.4f}"
        f" {our_f:7.4f} {won.mean():+7.4f} {won.std(ddof=1) / np.sqrt(seeds):6.4f}"
        f" {1e3 * base:7.1f} {ours / base:6.2f}"
    )


def large(seed: int) -> str:
    """100,000 sparse rows of 20 numbers: one gradient, and training."""
    random, n, k = np.random.default_rng(seed), 100_000, 20_000
    columns = np.minimum(random.zipf(1.3, 20 * n) - 1, k - 1)
    values = np.ones(20 * n)
    X = sparse.csr_array((values, (np.repeat(np.arange(n), 20), columns)), shape=(n, k))
    y = random.random(n) < special.expit(X @ random.normal(size=k) / 2 - 4)
    rows = Rows.of(X, y.astype(float), np.ones(n))
    objective, theta = Utility(rational("f"), 1.0), np.zeros(k + 1)
    gradient = cpu(objective, rows, theta)
    likely = LogisticRegression(max_iter=1000)
    base = cpu(likely.fit, X, y)
    ours = cpu(UtilityLogisticRegression(standardize=False).fit, X, y)
    return (
        f"{n:,} sparse rows of 20, {k:,} columns, {100 * y.mean():.1f} % positive: one gradient"
        f" {gradient:.3f} s; LogisticRegression {base:.1f} s, for F {ours / base:.2f} times that"
    )


def proposals(seed: int) -> str:
    """Which runs of digits in made-up messages are telephone numbers: alpha weighs recall."""
    rows, right = examples(generate(1500, seed=seed))
    new_rows, new_right = examples(generate(1500, seed=seed + 1))
    counts = Counter(name for row in rows for name in set(row))
    names = sorted(name for name, count in counts.items() if count > 2)
    X, new_X = (matrix(some, names) for some in (rows, new_rows))
    told = []
    for alpha in (0.25, 0.5, 0.75, 0.9):
        found = UtilityLogisticRegression(alpha=alpha).fit(X, right).predict(new_X)
        recall, precision = recall_score(new_right, found), precision_score(new_right, found)
        told.append(f"alpha {alpha}: {100 * recall:.2f} / {100 * precision:.2f}")
    head = f"telephone numbers among {len(new_right)} proposals, recall / precision: "
    return head + ", ".join(told)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--seeds", type=int, default=10)
    arguments = parser.parse_args()
    tasks = [Task("sentences", sentences, 4080), Task("clusters", clusters, 4000)]
    messages = newsgroups(arguments.shared)
    if messages is None:
        print(f"newsgroups: skipped, they are not in {arguments.shared}")
    else:
        tasks.append(Task("newsgroups", one_group(*messages), 4000))
    corpus = arguments.shared / "clear_corpus" / "CLEAR_corpus_final.xlsx"
    if corpus.exists():
        X, easiness = excerpts(corpus)
        for share in (0.10, 0.25):
            y = easiness >= np.quantile(easiness, 1 - share)
            tasks.append(Task(f"excerpts {share:.0%}", lambda _, y=y: (X, y), 1189))  # type: ignore[misc]
    else:
        print(f"excerpts: skipped, {corpus} is absent")
    tasks.append(Task("logistic", logistic, 4000))
    print(
        f"Training for F, seeds 0 to {arguments.seeds - 1}; {TRAIN} rows to learn from\n\n"
        f"{'':13} {'pos %':>5} {'':6} {'ML':>7} {'tuned':>7} {'for F':>7} {'won':>7} {'s.e.':>6}"
        f" {'CPU ms':>7} {'ratio':>6}"
    )
    with threadpool_limits(1):
        for task in tasks:
            for alpha in ALPHAS:
                print(row_of(task, alpha, arguments.seeds), flush=True)
        print(f"\n{large(0)}\n{proposals(0)}")


if __name__ == "__main__":
    main()
