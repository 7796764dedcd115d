"""Phonemes of NETtalk by conditional random fields, beside Lavergne, Cappé and Yvon (2010)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from crf_peers import cost_of_fit
from nettalk import entries_of

from glyphone.data.records import Sequence
from glyphone.learners.crf.estimator import SequenceCRF
from glyphone.learners.crf.features.template_sets import template_text

SGD: dict[str, Any] = {"optimizer": "sgd", "max_iter": 30, "tol": 0.0, "patience": 10}
BCD: dict[str, Any] = {"optimizer": "bcd", "max_iter": 30}


@dataclass(frozen=True)
class Setting:
    """How NETtalk is learnt; `paper` is its error, of phonemes, and its weights that are not 0.

    With `choices` a letter may have those phonemes alone that it was seen with, which the paper
    does not have: there are some thirty times fewer weights to learn.
    """

    windows: str
    pairs: str = "all"
    marks: bool = False
    choices: bool = False
    paper: tuple[float, int] = (0.0, 0)
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        bare = ", bare pairs" if self.pairs == "bare" else ""
        more = ", marks" * self.marks + ", choices" * self.choices
        return f"{self.windows}{bare}{more}"

    def learner(self, *, jobs: int, verbose: bool) -> SequenceCRF:
        common: dict[str, Any] = {"patience": 8, "n_jobs": jobs, "verbose": verbose}
        text = template_text(self.windows, pairs=self.pairs)
        choices = "u:%x[0,0]" if self.choices else None
        return SequenceCRF(templates=text, choices=choices, **common | self.options)


SETTINGS = (
    Setting("1-grm", paper=(17.79, 4_684)),
    Setting("1-grm", paper=(18.21, 3_540), options=SGD),
    Setting("1-grm", paper=(18.27, 5_017), options=BCD),
    Setting("3-grm", "bare", paper=(14.59, 0)),
    Setting("3-grm", paper=(10.74, 0)),
    Setting("5-grm", "bare", paper=(11.54, 0)),
    Setting("5-grm", paper=(8.48, 0)),
    Setting("7-grm", paper=(8.12, 38_214)),
    Setting("5-grm+", paper=(7.89, 43_429)),
    Setting("5-grm+", paper=(8.01, 34_319), options=SGD),
    Setting("5-grm+", paper=(7.91, 47_675), options=BCD),
    Setting("5-grm+", options={**SGD, "polish": 10}),
    Setting("5-grm+", marks=True, paper=(7.51, 0), options=SGD),
    Setting("5-grm++", marks=True, paper=(7.36, 0)),
    Setting("1-grm", choices=True, paper=(17.79, 4_684), options=SGD),
    Setting("3-grm", "bare", choices=True, paper=(14.59, 0), options=SGD),
    Setting("3-grm", choices=True, paper=(10.74, 0), options=SGD),
    Setting("5-grm", "bare", choices=True, paper=(11.54, 0), options=SGD),
    Setting("5-grm", choices=True, paper=(8.48, 0), options=SGD),
    Setting("7-grm", choices=True, paper=(8.12, 38_214), options=SGD),
    Setting("5-grm+", choices=True, paper=(7.89, 43_429), options=SGD),
    Setting("5-grm", marks=True, choices=True, paper=(8.06, 0), options=SGD),
    Setting("7-grm", marks=True, choices=True, paper=(7.86, 0), options=SGD),
    Setting("5-grm+", marks=True, choices=True, paper=(7.47, 0), options=SGD),
    Setting("5-grm++", marks=True, choices=True, paper=(7.36, 0), options=SGD),
)


def words_of(path: Path, *, marks: bool) -> list[Sequence]:
    """Words with a phoneme for each letter, and the mark behind it, but not behind the null."""
    found = []
    lines = path.read_text("utf-8").splitlines()
    for (word, phonemes), line in zip(entries_of(path), lines, strict=True):
        signs = line.split("\t")[2] if marks else ""
        joined = [p if p == "-" else p + m for p, m in zip(phonemes, signs, strict=False)]
        found.append(Sequence(tuple(word), {}, tuple(joined if marks else phonemes)))
    return found


def letters(folder: Path, *, sets: set[str], jobs: int, verbose: bool) -> None:
    print(
        f"\n{'NETtalk':26} {'':10} {'all weights':>13} {'active':>8} {'paper':>7} {'rounds':>6}"
        f" {'joint %':>7} {'letter %':>8} {'paper':>6} {'wall s':>7} {'CPU s':>7} {'MiB':>6}"
    )
    errors: list[tuple[Setting, float]] = []
    for one in SETTINGS:
        learner = one.learner(jobs=jobs, verbose=verbose)
        names = {str(one), f"{one}/{learner.optimizer}"}
        if not names & sets and sets != {"all"} and (sets or not one.choices):
            continue
        files = (folder / f"nettalk.{part}.tsv" for part in ("train", "dev"))
        train, dev = (words_of(path, marks=one.marks) for path in files)
        usage = cost_of_fit(learner, train, dev=dev)
        joint = 100 * (1 - learner.score(dev))
        found = [label[0] for some in learner.predict(dev) for label in some]
        right = [label[0] for word in dev for label in word.labels]
        error = 100 * float(np.mean([a != b for a, b in zip(found, right, strict=True)]))
        errors.append((one, error))
        polished = "+polish" if learner.polish else ""
        paper = [f"{one.paper[1]:,}" if one.paper[1] else "", f"{one.paper[0] or '':.5}"]
        print(
            f"{one!s:26} {learner.optimizer + polished:10} {learner.n_weights_:13,}"
            f" {len(learner.model_.weights):8,} {paper[0]:>7} {len(learner.history_):6}"
            f" {joint if one.marks else '':7.5} {error:8.2f} {paper[1]:>6} {usage.seconds:7.1f}"
            f" {usage.cpu_seconds:7.1f} {usage.peak_mib:6.0f}",
            flush=True,
        )
    told = sum(len(word.tokens) for word in words_of(folder / "nettalk.dev.tsv", marks=False))
    for marks in (False, True):
        order([(one, error) for one, error in errors if one.marks == marks], told)


def order(errors: list[tuple[Setting, float]], n_letters: int) -> None:
    """Whether of each two sets the one with fewer errors in the paper has fewer here."""
    rows = [(one.paper[0], error, str(one)) for one, error in errors if one.paper[0]]
    pairs = [two for two in combinations(sorted(rows), 2) if two[0][0] < two[1][0]]
    same = sum(better[1] < worse[1] for better, worse in pairs)
    if pairs:
        print(f"\nin the paper's order: {same} of {len(pairs)} pairs of sets")
    for better, worse in pairs:
        # As if letters were wrong independently of each other.
        share = max(better[1], worse[1]) / 100
        deviation = 100 * math.sqrt(2 * share * (1 - share) / n_letters)
        if better[1] + deviation >= worse[1]:
            told = "nearly the same" if better[1] < worse[1] else "not in this order"
            print(
                f"{told}: {better[2]} {better[1]:.3f} %, {worse[2]} {worse[1]:.3f} %, standard "
                f"deviation {deviation:.2f}; in the paper {better[0]} and {worse[0]} %"
            )
