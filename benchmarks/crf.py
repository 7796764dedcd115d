"""Conditional random fields: phonemes of NETtalk, chunks of CoNLL-2000, Wapiti and CRFsuite.

    python benchmarks/crf.py [--shared ../shared/data] [--peers build/peers] [--only letters]
        [--sets "3-grm;5-grm+/sgd"] [--words 1000] [--sentences 2000] [--seed 0] [--verbose]

`letters`: template sets of Lavergne, Cappé and Yvon (2010) on NETtalk, trained on the train file,
with the letter error on the dev file, which also ends training; beside it what the paper reports
for other splits, and whether each two sets come in the paper's order. Unless told, those are sets
with choices of labels, which take minutes, not hours (or `--sets all`), beside the paper's figures
by OWL-QN, and of marks by block coordinate descent, as it has these for all of them. `wapiti`: the
same objective by Wapiti, in the same run with as many threads, on some of the words. `chunks`: the
train file of CoNLL-2000 split 90/10 by chance, beside python-crfsuite, which has one thread, with
the same templates and penalties, and the same rule to end; three rounds of stochastic descent, with
which our L-BFGS begins, are in its seconds, but not among its rounds. Seconds are of wall clock and
of CPU time.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence as Many
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from crf_letters import letters, words_of
from crf_peers import Outcome, cost_of_fit, train_crfsuite, train_wapiti, wapiti
from peers import Failed

from glyphone.data.records import Sequence
from glyphone.data.treebanks.chunks import score_phrases
from glyphone.data.treebanks.conll import read_conll
from glyphone.learners.crf.estimator import SequenceCRF
from glyphone.learners.crf.features.template_sets import template_text
from glyphone.learners.crf.files.wapiti import read_wapiti
from glyphone.learners.sequences.observations import observe_tests

ROOT = Path(__file__).resolve().parents[1]
TABLES = ("letters", "wapiti", "chunks")


def beside_wapiti(
    folder: Path, program: Path, *, words: int, jobs: int, seed: int, verbose: bool
) -> None:
    every = words_of(folder / "nettalk.train.tsv", marks=False)
    chosen = np.random.default_rng(seed).permutation(len(every))[:words]
    some = [every[k] for k in sorted(chosen.tolist())]
    print(
        f"\nNETtalk, {words} words drawn with seed {seed}, rho1 0.5, rho2 0.00001; both programs "
        f"with as many threads as they are told; times Wapiti's speed by both clocks\n{'':10} "
        f"{'':7} {'':9} {'threads':>7} {'rounds':>6} {'objective':>10} {'active':>8} {'wall s':>7}"
        f" {'CPU s':>7} {'MiB':>6} {'x wall':>6} {'x CPU':>6}   and Wapiti's objective reached"
    )
    for windows, options in (
        ("1-grm", {"optimizer": "owl-qn", "max_iter": 300, "tol": 1e-5}),
        ("3-grm", {"optimizer": "owl-qn", "max_iter": 300, "tol": 1e-5}),
        ("3-grm", {"optimizer": "bcd", "max_iter": 30, "tol": 1e-3}),
        ("5-grm+", {"optimizer": "sgd", "max_iter": 10, "tol": 0.0}),
    ):
        text = template_text(windows)
        learner = SequenceCRF(templates=text, n_jobs=jobs, verbose=verbose, **options)
        learner.fit(some[:50])  # which compiles
        usage = cost_of_fit(learner, some)
        last = learner.history_[-1]
        penalties = {"rho1": 0.5, "rho2": 1e-5}
        reached = objective(learner, some, **penalties)
        ours = Outcome(last["iteration"], reached, last["active"], usage)
        with tempfile.TemporaryDirectory() as scratch:
            theirs = train_wapiti(
                program, some, text, Path(scratch), jobs=jobs, **penalties, **options
            )
            model = read_wapiti(Path(scratch) / "wapiti.model")
        theirs = replace(theirs, objective=objective(model, some, **penalties))
        head = f"{windows:10} {options['optimizer']:7}"
        row(f"{head} {'wapiti':9} {jobs:7}", theirs)
        past = [told for told in learner.history_ if told["objective"] <= theirs.objective]
        # Stochastic descent tells what it met on the way, which is more than what it ends with.
        at_end = "   at its end" if ours.objective <= theirs.objective else "   never"
        when = f"   after {past[0]['seconds']:.1f} s" if past else at_end
        row(f"{head} {'glyphone':9} {jobs:7}", ours, beside=theirs, more=when)


def objective(
    learner: SequenceCRF, sequences: list[Sequence], *, rho1: float, rho2: float
) -> float:
    """The objective of training at the last weights, which training does not always report."""
    weights = learner.model_.weights
    penalty = rho1 * float(np.abs(weights).sum()) + rho2 / 2 * float(weights @ weights)
    return penalty - sum(learner.log_probability(sequences))


def row(head: str, found: Outcome, *, beside: Outcome | None = None, more: str = "") -> None:
    """A line of a table; `beside` is the peer that the speed is told against, in its seconds."""
    usage, ratios = found.usage, ""
    if beside is not None:
        peer = beside.usage
        ratios = f" {peer.seconds / usage.seconds:6.2f} {peer.cpu_seconds / usage.cpu_seconds:6.2f}"
    print(
        f"{head} {found.rounds:6} {found.objective:10.1f} {found.active:8,}"
        f" {usage.seconds:7.1f} {usage.cpu_seconds:7.1f} {usage.peak_mib:6.0f}{ratios}{more}",
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
        f"{seed}; times python-crfsuite's speed by both clocks\n{'':32} {'F':>6} {'rounds':>6}"
        f" {'objective':>10} {'active':>8} {'wall s':>7} {'CPU s':>7} {'MiB':>6} {'x wall':>6}"
        f" {'x CPU':>6}"
    )
    tests = []
    for some in (train, test):
        seen = observe_tests(some, CHUNKS)
        rows = [[seen.texts[k] for k in ids if k >= 0] for ids in seen.rows.tolist()]
        tests.append([rows[a:b] for a, b in zip(seen.bounds, seen.bounds[1:], strict=False)])
    labels = [sentence.labels for sentence in train]
    theirs: Outcome | None = None
    try:
        with tempfile.TemporaryDirectory() as scratch:
            options = {"c1": 0.0, "c2": 0.5, "max_iterations": 200, "delta": 1e-5, "period": 5}
            theirs, given = train_crfsuite(
                python, tests[0], labels, tests[1], Path(scratch), **options
            )
    except Failed as failure:
        print(f"python-crfsuite: skipped, {failure}")
    else:
        score = 100 * score_phrases(gold, given)[""].f
        row(f"{'python-crfsuite, l2, 1 thread':32} {score:6.2f}", theirs)
    common: dict[str, Any] = {"verbose": verbose, "max_iter": 200, "weights": "seen"}
    ridge: dict[str, Any] = {"optimizer": "lbfgs", "rho1": 0.0, "rho2": 1.0, "tol": 1e-5}
    both: dict[str, Any] = {"rho1": 0.1, "rho2": 0.1}
    for name, pairs, threads, options in (
        ("glyphone, l2, 1 thread", "b", 1, ridge),
        *((f"glyphone, l2, {n} threads", "b", n, ridge) for n in range(2, jobs + 1)),
        ("glyphone, elastic net", "b", jobs, both),
        ("glyphone, pairs with tags", PAIRS, jobs, both),
    ):
        learner = SequenceCRF(templates=f"{CHUNKS}\n{pairs}", n_jobs=threads, **common, **options)
        learner.fit(train[:60])  # which compiles
        usage = cost_of_fit(learner, train)
        last = learner.history_[-1]
        score = 100 * score_phrases(gold, learner.predict(test))[""].f
        found = Outcome(last["iteration"], last["objective"], last["active"], usage)
        row(f"{name:32} {score:6.2f}", found, beside=theirs if options is ridge else None)


def main(argv: Many[str] | None = None) -> None:
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
    given = parser.parse_args(argv)
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
