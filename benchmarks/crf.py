"""Conditional random fields: phonemes of NETtalk, chunks of CoNLL-2000, Wapiti and CRFsuite.

    python benchmarks/crf.py [--shared ../shared/data] [--peers build/peers] [--only letters]
        [--sets "3-grm;5-grm+/sgd"] [--words 1000] [--sentences 2000] [--seed 0] [--verbose]

`letters`: template sets of Lavergne, Cappé and Yvon (2010) on NETtalk, trained on the train file,
with the letter error on the dev file, which also ends training; beside it what the paper reports
for other splits; unless told, those sets with choices of labels, which take minutes, not hours (or
`--sets all`). `wapiti`: the same objective by Wapiti, in the same run with as many threads, on
some of the words. `chunks`: the train file of CoNLL-2000 split 90/10 by chance, beside
python-crfsuite with the same templates and penalties. Seconds are of wall clock and of CPU time.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from crf_peers import Outcome, train_crfsuite, train_wapiti, wapiti
from nettalk import entries_of
from peers import Usage

from glyphone.data.chunks import scores
from glyphone.data.conll import read_conll
from glyphone.data.records import Sequence
from glyphone.learners.crf.estimator import SequenceCRF
from glyphone.learners.crf.observations import observed
from glyphone.learners.crf.template_sets import templates

ROOT = Path(__file__).resolve().parents[1]
TABLES = ("letters", "wapiti", "chunks")
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
        text = templates(self.windows, pairs=self.pairs)
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
    Setting("1-grm", choices=True, paper=(18.21, 3_540), options=SGD),
    Setting("3-grm", "bare", choices=True, paper=(14.59, 0), options=SGD),
    Setting("3-grm", choices=True, paper=(10.74, 0), options=SGD),
    Setting("5-grm", "bare", choices=True, paper=(11.54, 0), options=SGD),
    Setting("5-grm", choices=True, paper=(8.48, 0), options=SGD),
    Setting("7-grm", choices=True, paper=(8.12, 38_214), options=SGD),
    Setting("5-grm+", choices=True, paper=(8.01, 34_319), options=SGD),
    Setting("5-grm+", marks=True, choices=True, paper=(7.51, 0), options=SGD),
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
        f"\n{'NETtalk':20} {'':6} {'all weights':>13} {'active':>8} {'paper':>7} {'rounds':>6}"
        f" {'joint %':>7} {'letter %':>8} {'paper':>6} {'wall s':>7} {'CPU s':>7} {'MiB':>6}"
    )
    for one in SETTINGS:
        learner = one.learner(jobs=jobs, verbose=verbose)
        names = {str(one), f"{one}/{learner.optimizer}"}
        if not names & sets and sets != {"all"} and (sets or not one.choices):
            continue
        files = (folder / f"nettalk.{part}.tsv" for part in ("train", "dev"))
        train, dev = (words_of(path, marks=one.marks) for path in files)
        began = time.perf_counter(), time.process_time()
        learner.fit(train, dev=dev)
        wall, cpu = time.perf_counter() - began[0], time.process_time() - began[1]
        joint = 100 * (1 - learner.score(dev))
        found = [label[0] for some in learner.predict(dev) for label in some]
        right = [label[0] for word in dev for label in word.labels]
        error = 100 * float(np.mean([a != b for a, b in zip(found, right, strict=True)]))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        polished = "+polish" if learner.polish else ""
        paper = [f"{one.paper[1]:,}" if one.paper[1] else "", f"{one.paper[0] or '':.5}"]
        print(
            f"{one!s:20} {learner.optimizer}{polished:6} {learner.n_weights_:13,}"
            f" {len(learner.model_.weights):8,} {paper[0]:>7} {len(learner.history_):6}"
            f" {joint if one.marks else '':7.5} {error:8.2f} {paper[1]:>6} {wall:7.1f} {cpu:7.1f}"
            f" {peak:6.0f}",
            flush=True,
        )


def beside_wapiti(
    folder: Path, program: Path, *, words: int, jobs: int, seed: int, verbose: bool
) -> None:
    every = words_of(folder / "nettalk.train.tsv", marks=False)
    chosen = np.random.default_rng(seed).permutation(len(every))[:words]
    some = [every[k] for k in sorted(chosen.tolist())]
    print(
        f"\nNETtalk, {words} words drawn with seed {seed}, {jobs} threads, rho1 0.5, rho2 0.00001\n"
        f"{'':10} {'':7} {'':9} {'rounds':>6} {'objective':>10} {'active':>8} {'wall s':>7}"
        f" {'CPU s':>7} {'MiB':>6}"
    )
    for windows, options in (
        ("1-grm", {"optimizer": "owl-qn", "max_iter": 300, "tol": 1e-4}),
        ("3-grm", {"optimizer": "owl-qn", "max_iter": 300, "tol": 1e-4}),
        ("3-grm", {"optimizer": "bcd", "max_iter": 30, "tol": 1e-3}),
        ("5-grm+", {"optimizer": "sgd", "max_iter": 10, "tol": 0.0}),
    ):
        text = templates(windows)
        learner = SequenceCRF(templates=text, n_jobs=jobs, verbose=verbose, **options)
        learner.fit(some[:50])  # which compiles
        began = time.perf_counter(), time.process_time()
        learner.fit(some)
        wall, cpu = time.perf_counter() - began[0], time.process_time() - began[1]
        last = learner.history_[-1]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        ours = Outcome(last["iteration"], last["objective"], last["active"], Usage(wall, cpu, peak))
        penalties = {"rho1": 0.5, "rho2": 1e-5}
        with tempfile.TemporaryDirectory() as scratch:
            theirs = train_wapiti(
                program, some, text, Path(scratch), jobs=jobs, **penalties, **options
            )
        for name, found in (("glyphone", ours), ("wapiti", theirs)):
            row(f"{windows:10} {options['optimizer']:7} {name:9}", found)


def row(head: str, found: Outcome) -> None:
    usage = found.usage
    print(
        f"{head} {found.rounds:6} {found.objective:10.1f} {found.active:8,}"
        f" {usage.seconds:7.1f} {usage.cpu_seconds:7.1f} {usage.peak_mib:6.0f}",
        flush=True,
    )


CHUNKS = "\n".join(
    ["u:%x[0,0]", *(f"u{k}:%x[{k},0]" for k in (-2, -1, 1, 2)), "u-:%x[-1,0]/%x[0,0]"]
    + ["u+:%x[0,0]/%x[1,0]", *(f"up{k}:%x[{k},pos]" for k in (-2, -1, 0, 1, 2))]
    + [f"upp{k}:%x[{k},pos]/%x[{k + 1},pos]" for k in (-2, -1, 0, 1)]
    + [f"uppp{k}:%x[{k},pos]/%x[{k + 1},pos]/%x[{k + 2},pos]" for k in (-2, -1, 0)]
)
PAIRS = "b\n*p:%x[0,pos]\n*pp:%x[-1,pos]/%x[0,pos]"


def chunks(
    path: Path, python: str, *, most: int | None, jobs: int, seed: int, verbose: bool
) -> None:
    sentences = [*read_conll(path, columns=("token", "pos", "label"))]
    order = np.random.default_rng(seed).permutation(len(sentences)).tolist()[:most]
    cut = len(order) * 9 // 10
    train, test = ([sentences[k] for k in part] for part in (order[:cut], order[cut:]))
    gold = [sentence.labels for sentence in test]
    print(
        f"\nCoNLL-2000, {len(train)} sentences to learn from, {len(test)} to test, split with seed "
        f"{seed}, {jobs} threads\n{'':32} {'F':>6} {'rounds':>6} {'objective':>10} {'active':>8}"
        f" {'wall s':>7} {'CPU s':>7} {'MiB':>6}"
    )
    common: dict[str, Any] = {"verbose": verbose, "max_iter": 200, "weights": "seen"}
    for name, pairs, options in (
        ("glyphone, l2", "b", {"optimizer": "lbfgs", "rho1": 0.0, "rho2": 1.0, "tol": 1e-5}),
        ("glyphone, elastic net", "b", {"rho1": 0.1, "rho2": 0.1}),
        ("glyphone, pairs with tags", PAIRS, {"rho1": 0.1, "rho2": 0.1}),
    ):
        learner = SequenceCRF(templates=f"{CHUNKS}\n{pairs}", n_jobs=jobs, **common, **options)
        learner.fit(train[:20])  # which compiles
        began = time.perf_counter(), time.process_time()
        learner.fit(train)
        wall, cpu = time.perf_counter() - began[0], time.process_time() - began[1]
        last = learner.history_[-1]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        score = 100 * scores(gold, learner.predict(test))[""].f
        found = Outcome(
            last["iteration"], last["objective"], last["active"], Usage(wall, cpu, peak)
        )
        row(f"{name:32} {score:6.2f}", found)
    tests = []
    for some in (train, test):
        seen = observed(some, CHUNKS)
        rows = [[seen.texts[k] for k in ids if k >= 0] for ids in seen.rows.tolist()]
        tests.append([rows[a:b] for a, b in zip(seen.bounds, seen.bounds[1:], strict=False)])
    labels = [sentence.labels for sentence in train]
    with tempfile.TemporaryDirectory() as scratch:
        options = {"c1": 0.0, "c2": 0.5, "max_iterations": 200, "delta": 1e-5, "period": 5}
        theirs, given = train_crfsuite(
            python, tests[0], labels, tests[1], Path(scratch), **options
        )  # fmt: skip
    row(f"{'python-crfsuite, l2, 1 thread':32} {100 * scores(gold, given)[''].f:6.2f}", theirs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--peers", type=Path, default=ROOT / "build" / "peers")
    parser.add_argument("--only", choices=TABLES)
    parser.add_argument(
        "--sets", default="", help="of `letters` those alone, divided by semicolons"
    )
    parser.add_argument("--words", type=int, default=1000, help="of `wapiti`")
    parser.add_argument("--sentences", type=int, help="of `chunks`; all, if it is not said")
    parser.add_argument("--jobs", type=int, default=1, help="threads of all programs that have any")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    common: dict[str, Any] = {"jobs": given.jobs, "verbose": given.verbose}
    for table in (given.only,) if given.only else TABLES:
        folder = given.shared / ("conll2000" if table == "chunks" else "nettalk")
        if not folder.is_dir():
            print(f"{table}: skipped, {folder} is absent")
        elif table == "letters":
            letters(folder, sets={*filter(None, given.sets.split(";"))}, **common)
        elif table == "chunks":
            python = str(given.peers / "bin" / "python")
            most = given.sentences
            chunks(folder / "train.txt.gz", python, most=most, seed=given.seed, **common)
        elif program := wapiti(given.peers):
            beside_wapiti(folder, program, words=given.words, seed=given.seed, **common)
        else:
            print("wapiti: skipped, it could not be had or built")


if __name__ == "__main__":
    main()
