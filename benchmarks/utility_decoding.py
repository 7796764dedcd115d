"""Labels of largest expected F: time, what a beam loses, and what comes of it on real data.

    python benchmarks/utility_decoding.py [--shared ../shared/data] [--seeds 3] [--labels 100000]

Time is CPU time on one thread, the fastest of three, compiled kernels warm, beside the quadratic
algorithm of Ye, Chai, Lee and Chieu (2012), in NumPy here, for F1 only; `difference` is the largest
between the two curves of expected F. Beams are Jansche's (2007), four runs for each n from 1 to 15:
how often the best hypothesis is found, and the largest loss of expected F. CLEAR corpus: all test
rows are decoded at once with the probabilities of maximum likelihood, beside the labels of maximum
likelihood, with a tuned threshold too, and of training for F; the figures are means.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from expected_f import cpu, f_score, tuned
from expected_f_tasks import excerpts
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from glyphone.learners.utility.classifier import UtilityLogisticRegression
from glyphone.learners.utility.decoding import (
    decode_f,
    decode_f_by_beam,
    expected_f,
    prefix_scores,
)

Array = Any
ROOT = Path(__file__).resolve().parents[1]


def quadratic(p: Array) -> Array:
    """Expected F1 of all prefixes: expected values of 1 / (k + hits + ones behind), from behind."""
    n = len(p)
    ones = [np.ones(1)]
    for one in p:
        before = ones[-1]
        ones.append(np.append(before * (1 - one), 0) + np.append(0, before * one))
    inverse, found = np.append(0, 1 / np.arange(1, 2 * n + 1)), np.empty(n + 1)
    for k in range(n, 0, -1):
        found[k] = 2 * (np.arange(k + 1) * ones[k] * inverse[k : 2 * k + 1]).sum()
        inverse = (1 - p[k - 1]) * inverse[:-1] + p[k - 1] * inverse[1:]
    found[0] = np.prod(1 - p)
    return found


def times(most: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    decode_f(random.random(min(20_001, most)))  # compiles
    print(
        f"{'labels':>8} {'p':>12} {'CPU s':>8} {'quadratic s':>11} {'ratio':>6} {'difference':>10}"
    )
    for n in (n for n in (400, 2000, 10_000, 100_000) if n <= most):
        for name, p in (
            ("uniform", random.random(n)),
            ("all 1/2", np.full(n, 0.5)),
            ("Beta(.1, 1)", random.beta(0.1, 1, n)),
        ):
            ours, peer = cpu(decode_f, p), ""
            if n <= 4000:
                order = -np.sort(-p)
                theirs = cpu(quadratic, order)
                apart = np.abs(quadratic(order) - prefix_scores(order, 0.5)).max()
                peer = f"{theirs:11.3f} {theirs / ours:6.1f} {apart:10.1e}"
            print(f"{n:8,} {name:>12} {ours:8.4f} {peer}", flush=True)
    for n in (100, 400):
        chain = random.random((n, 2))
        decode_f(chain)
        print(f"{n:8,} {'Markov':>12} {cpu(decode_f, chain):8.4f}", flush=True)


def beams(seed: int) -> None:
    random = np.random.default_rng(seed)
    drawn = {
        "uniform": [random.random(n) for n in range(1, 16) for _ in range(4)],
        "Beta(1/2, 1/2)": [random.beta(0.5, 0.5, n) for n in range(1, 16) for _ in range(4)],
    }
    print(f"\n{'beam':>8} {'p':>15} {'found %':>8} {'mean loss':>9} {'largest':>8}")
    for name, runs in drawn.items():
        for beam, width in (("1", 0), ("2n", 2), ("4n", 4)):
            losses = []
            for p in runs:
                labels = decode_f_by_beam(p, beam=width * len(p) or 1).labels
                losses.append(max(decode_f(p).value - expected_f(labels, p), 0.0))
            found = 100 * np.mean(np.array(losses) < 1e-12)
            mean, largest = np.mean(losses), max(losses)
            print(f"{beam:>8} {name:>15} {found:8.0f} {mean:9.4f} {largest:8.4f}", flush=True)


def corpus(path: Path, seeds: int) -> None:
    X, easiness = excerpts(path)
    print(
        f"\n{'CLEAR, easiest':15} {'':6} {'decoded':>8} {'expected':>8} {'threshold':>9} {'ML':>6}"
        f" {'tuned':>6} {'for F':>6}"
    )
    for share in (0.25, 0.10):
        y = easiness >= np.quantile(easiness, 1 - share)
        for alpha in (0.5, 0.75):
            found = []
            for seed in range(seeds):
                fit_X, test_X, fit_y, test_y = train_test_split(
                    X, y, test_size=min(1189, len(y) // 2), random_state=seed, stratify=y
                )
                likely = make_pipeline(StandardScaler(), LogisticRegression()).fit(fit_X, fit_y)
                p = likely.predict_proba(test_X)[:, 1]
                others = tuned(likely, alpha, seed), UtilityLogisticRegression(alpha=alpha)
                decision = decode_f(p, alpha=alpha)
                found.append([
                    f_score(test_y, decision.labels, alpha), decision.value,
                    p[decision.labels].min(), f_score(test_y, p > 0.5, alpha),
                    *(f_score(test_y, x.fit(fit_X, fit_y).predict(test_X), alpha) for x in others),
                ])  # fmt: skip
            decoded, value, threshold, plain, moved, trained = np.mean(found, axis=0)
            print(
                f"{share:15.0%} F_{alpha:<4} {decoded:8.3f} {value:8.3f} {threshold:9.3f}"
                f" {plain:6.3f} {moved:6.3f} {trained:6.3f}",
                flush=True,
            )


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--labels", type=int, default=100_000, help="decoded at once, at most")
    parser.add_argument("--seed", type=int, default=0, help="of the probabilities that are drawn")
    arguments = parser.parse_args(argv)
    path = arguments.shared / "clear_corpus" / "CLEAR_corpus_final.xlsx"
    with threadpool_limits(1):
        times(arguments.labels, arguments.seed)
        beams(arguments.seed)
        if path.exists():
            corpus(path, arguments.seeds)
        else:
            print(f"CLEAR corpus: skipped, {path} is absent")


if __name__ == "__main__":
    main()
