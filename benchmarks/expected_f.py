"""Logistic regression trained for F, beside maximum likelihood with a threshold tuned for F.

    python benchmarks/expected_f.py [--shared ../shared/data] [--seeds 20] [--rows 7535]
                                    [--large 100000] [--messages 1500]

Every classifier sees the same rows in the same run, all with the options that they have without
being asked (five folds for the threshold, as `TunedThresholdClassifierCV` has them); columns are
standardised for all. F is of test rows, the mean over seeds; `other` is what is trained for the
other alpha. Behind it the mean of what is won over the tuned threshold, and an interval of 95 % for
it, by Student's t over seeds. CPU is that of training on one thread, the fastest of three on each
of three seeds, and its ratio to scikit-learn's LogisticRegression on the same rows. What is learnt:
see `expected_f_tasks`; all tasks that were ever tried are there.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from expected_f_tasks import TEST, TRAIN, Task, tasks
from scipy import sparse, special, stats
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer, precision_score, recall_score
from sklearn.model_selection import TunedThresholdClassifierCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from glyphone.learners.utility.classifier import UtilityLogisticRegression
from glyphone.learners.utility.objectives import Utility, WeightedRows
from glyphone.learners.utility.rational import parse_utility
from glyphone.voicemail.generator.generate import generate
from glyphone.voicemail.numbers.training import collect_examples

Array = Any
ROOT = Path(__file__).resolve().parents[1]
ALPHAS = (0.5, 0.75)
TIMED = 3


def f_score(positive: Array, decided: Array, alpha: float) -> float:
    hits = np.sum(positive & decided)
    return float(hits and hits / (alpha * positive.sum() + (1 - alpha) * decided.sum()))


def tuned(learner: Any, alpha: float, seed: int) -> Any:
    """A learner with a threshold for F, by cross-validation."""
    score = make_scorer(f_score, alpha=alpha)
    return TunedThresholdClassifierCV(learner, scoring=score, random_state=seed)


def cpu(work: Callable[..., Any], *arguments: Any) -> float:
    """Seconds, the fewest of three runs."""
    found = []
    for _ in range(3):
        began = time.process_time()
        work(*arguments)
        found.append(time.process_time() - began)
    return min(found)


def rows_of(task: Task, seeds: int) -> list[str]:
    """A row of the table for each alpha."""
    scores: Array = np.empty((len(ALPHAS), seeds, 4))
    seconds: Array = np.empty((len(ALPHAS), min(seeds, TIMED), 2))
    shares = []
    for seed in range(seeds):
        (X, y), (new_X, new_y) = task.draw(seed)
        shares.append(np.mean(y))
        likely = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
        ours = [UtilityLogisticRegression(alpha=alpha).fit(X, y) for alpha in ALPHAS]
        for k, alpha in enumerate(ALPHAS):
            learners = likely, tuned(likely, alpha, seed).fit(X, y), ours[1 - k], ours[k]
            scores[k, seed] = [f_score(new_y, one.predict(new_X), alpha) for one in learners]
            if seed < TIMED:
                seconds[k, seed] = [cpu(one.fit, X, y) for one in (likely, ours[k])]
    return [
        f"{task.name:13} {100 * np.mean(shares):5.1f} F_{alpha:<4} "
        + score_cells(scores[k], *seconds[k].mean(0))
        for k, alpha in enumerate(ALPHAS)
    ]


def score_cells(scores: Array, base: float, ours: float) -> str:
    won = scores[:, 3] - scores[:, 1]
    error = won.std(ddof=1) / np.sqrt(len(won))
    low, high = won.mean() + error * np.array(stats.t.interval(0.95, len(won) - 1))
    means = " ".join(f"{mean:7.4f}" for mean in scores.mean(axis=0))
    return (
        f"{means} {won.mean():+7.4f} {low:+7.4f} {high:+7.4f} {1e3 * base:7.1f} {ours / base:6.2f}"
    )


def large(n: int, seed: int) -> str:
    """Sparse rows of 20 numbers: one gradient, and training."""
    random, k = np.random.default_rng(seed), n // 5
    columns = np.minimum(random.zipf(1.3, 20 * n) - 1, k - 1)
    values = np.ones(20 * n)
    X = sparse.csr_array((values, (np.repeat(np.arange(n), 20), columns)), shape=(n, k))
    y = random.random(n) < special.expit(X @ random.normal(size=k) / 2 - 4)
    rows = WeightedRows.of(X, y.astype(float), np.ones(n))
    objective, theta = Utility(parse_utility("f"), 1.0), np.zeros(k + 1)
    gradient = cpu(objective, rows, theta)
    likely = LogisticRegression(max_iter=1000)
    base = cpu(likely.fit, X, y)
    ours = cpu(UtilityLogisticRegression(standardize=False).fit, X, y)
    return (
        f"{n:,} sparse rows of 20, {k:,} columns, {100 * y.mean():.1f} % positive: one gradient"
        f" {gradient:.3f} s; LogisticRegression {base:.1f} s, for F {ours / base:.2f} times that"
    )


def proposals(messages: int, seed: int) -> str:
    """Which runs of digits in made-up messages are telephone numbers: alpha weighs recall."""
    (rows, right), (new_rows, new_right) = (named(messages, one) for one in (seed, seed + 1))
    columns = DictVectorizer()
    X, new_X = columns.fit_transform(rows), columns.transform(new_rows)
    cells = []
    for alpha in (0.25, 0.5, 0.75, 0.9):
        found = UtilityLogisticRegression(alpha=alpha).fit(X, right).predict(new_X)
        recall, precision = recall_score(new_right, found), precision_score(new_right, found)
        cells.append(f"alpha {alpha}: {100 * recall:.2f} / {100 * precision:.2f}")
    head = f"telephone numbers among {len(new_right)} proposals, recall / precision: "
    return head + ", ".join(cells)


def named(messages: int, seed: int) -> tuple[list[dict[str, int]], list[bool]]:
    """The features of each proposal by name, and which are right."""
    features, known, right = collect_examples(generate(messages, seed=seed))
    names = [features.name_of(number) for number in known.numbers.tolist()]
    rows = [dict.fromkeys(names[a:b], 1) for a, b in pairwise(known.firsts.tolist())]
    return rows, right.tolist()


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--seeds", type=int, default=20, help="two or more")
    parser.add_argument("--rows", type=int, default=TRAIN + TEST, help="of a task at most")
    parser.add_argument("--large", type=int, default=100_000, help="rows of the sparse task")
    parser.add_argument("--messages", type=int, default=1500, help="with telephone numbers")
    arguments = parser.parse_args(argv)
    print(
        f"Training for F, seeds 0 to {arguments.seeds - 1}\n\n"
        f"{'':13} {'pos %':>5} {'':6} {'ML':>7} {'tuned':>7} {'other':>7} {'for F':>7} {'won':>7}"
        f" {'from':>7} {'to':>7} {'CPU ms':>7} {'ratio':>6}"
    )
    with threadpool_limits(1):
        for task in tasks(arguments.shared, arguments.seeds, arguments.rows):
            print(*rows_of(task, arguments.seeds), sep="\n", flush=True)
        print(f"\n{large(arguments.large, 0)}\n{proposals(arguments.messages, 0)}")


if __name__ == "__main__":
    main()
