"""Systems on one task: each learns the same words, transcribes the same others, and is measured.

Word error is the share of words whose answer equals none of their pronunciations; phone error is
the edit distance to the nearest pronunciation over that one's length, summed; a word without an
answer is wrong with all its phones. What a system is asked for is measured from outside, start-up
included: wall clock, CPU time, memory of the largest process. Words per second are what is left
when the time for a single word is taken off, `load s`; for both, the fastest of some runs counts.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from peers import Command, Failed, System, Usage, measure
from relatives import columns

from glyphone.data.lexicons.tsv import write_lexicon
from glyphone.data.records import Pair
from glyphone.data.writing import LETTERS, PHONES, Writing
from glyphone.evaluation import measures, verdicts
from glyphone.evaluation.relatives import Relation, errors_by_relatives

ROUNDS = 3


@dataclass(frozen=True)
class Decoding:
    jobs: int
    words_per_second: float
    load_seconds: float
    usage: Usage


@dataclass(frozen=True)
class Result:
    """The costs of a system, and its errors."""

    system: str
    version: str
    train_words: int
    train_entries: int
    training: Usage
    model_mib: float
    decodings: tuple[Decoding, ...]
    unanswered: int
    wer: float
    wer_interval: tuple[float, float]
    per: float
    # For lexicons of letters and phones, whose words have inflected forms: see relatives.py.
    by_relatives: dict[Relation, tuple[int, float]]


@dataclass(frozen=True)
class Task:
    """Pairs to learn from, and pairs to ask for."""

    train: Sequence[Pair] = field(repr=False)
    test: Sequence[Pair] = field(repr=False)
    target: Writing = PHONES


def words_of(pairs: Iterable[Pair]) -> list[str]:
    return list(dict.fromkeys("".join(pair.source) for pair in pairs))


def result_of(system: System, task: Task, folder: Path, *, rounds: int = ROUNDS) -> Result:
    """Train a system, have it transcribe the test words, and hold the answers to the entries."""
    lexicon, model, answers = folder / "train.tsv", folder / "learned.model", folder / "answers.tsv"
    write_lexicon(task.train, lexicon)
    training = measure(system.training(lexicon, model))
    items = words_of(task.test)
    one, all_words = folder / "word.txt", folder / "words.txt"
    one.write_text(items[0] + "\n", encoding="utf-8")
    all_words.write_text("\n".join(items * system.copies) + "\n", encoding="utf-8")
    decodings = []
    for jobs in system.jobs:
        load = fastest(system.decoding(model, one, answers, jobs=jobs), rounds).seconds
        usage = fastest(system.decoding(model, all_words, answers, jobs=jobs), rounds)
        if usage.seconds <= load:
            raise Failed("all words took no longer than one")
        speed = (len(items) * system.copies - 1) / (usage.seconds - load)
        decodings.append(Decoding(jobs, speed, load, usage))
    train_words = len({pair.source for pair in task.train})
    return Result(
        system.name, system.version, train_words, len(task.train), training,
        model.stat().st_size / 2**20, tuple(decodings), **error_rates(answers, task, system.phones),
    )  # fmt: skip


def fastest(command: Command, rounds: int = ROUNDS) -> Usage:
    """The run, of a few, that other work on the machine has disturbed least."""
    return min((measure([command]) for _ in range(rounds)), key=lambda usage: usage.seconds)


def error_rates(answers: Path, task: Task, column: int) -> dict[str, Any]:
    """Word and phone error of the best answers in a file, the word in its first column."""
    rows = [line.split("\t") for line in answers.read_text(encoding="utf-8").splitlines()]
    outputs = {row[0]: tuple(row[column].split()) for row in rows if len(row) > column}
    items, _ = verdicts.gather_items(task.test, LETTERS, task.target)
    found = [outputs.get(item.text) for item in items]
    judgements = verdicts.judge_answers(
        items,
        [
            verdicts.Answer(output, math.nan, int(output in item.references))
            for item, output in zip(items, found, strict=True)
        ],
    )
    outcomes = measures.Outcomes.of(
        (v.answer.rank, v.edits, len(v.nearest), v.f_score, v.answer.posterior) for v in judgements
    )
    figures = measures.figures(outcomes.sums())
    return {
        "unanswered": found.count(None),
        "wer": float(figures["wer"]),
        "wer_interval": measures.intervals(outcomes)["wer"],
        "per": float(figures["per"]),
        "by_relatives": {}
        if task.target != PHONES
        else errors_by_relatives(
            words_of(task.train), {v.item.text: v.answer.rank != 1 for v in judgements}
        ),
    }


HEAD = (
    f"{'system':30} {'words':>7} {'train s':>8} {'CPU s':>8} {'MiB':>6} {'model':>6}"
    f" {'WER %':>6} {'95 %':>11} {'PER %':>6} {'jobs':>4} {'words/s':>8} {'load s':>6} {'MiB':>5}"
)


def lines(result: Result) -> Iterator[str]:
    training, (low, high) = result.training, result.wer_interval
    left = (
        f"{result.system:30} {result.train_words:7} {training.seconds:8.1f}"
        f" {training.cpu_seconds:8.1f} {training.peak_mib:6.0f} {result.model_mib:6.1f}"
        f" {100 * result.wer:6.2f} {100 * low:5.2f}-{100 * high:5.2f} {100 * result.per:6.2f}"
    )
    for decoding in result.decodings:
        yield (
            f"{left} {decoding.jobs:4} {decoding.words_per_second:8,.0f}"
            f" {decoding.load_seconds:6.2f} {decoding.usage.peak_mib:5.0f}"
        )
        left = " " * len(left)
    if result.by_relatives:
        with_them, alone, n_alone = columns(result.by_relatives)
        yield (
            f"{'':22} word error with relatives in training {with_them} %, without {alone} %"
            f" ({n_alone} words)"
        )
    if result.unanswered:
        yield f"{'':30} words without an answer: {result.unanswered}"


def comparison(ours: Result, peer: Result) -> str:
    """Ours beside a peer that learnt the same words."""
    speeds = ", ".join(
        f"{d.words_per_second / peer.decodings[0].words_per_second:.1f} times (--jobs {d.jobs})"
        for d in ours.decodings
    )
    return (
        f"{ours.system} beside {peer.system}, {ours.train_words} words: word error "
        f"{100 * (ours.wer - peer.wer):+.2f} points; training "
        f"{ours.training.cpu_seconds / peer.training.cpu_seconds:.2f} of the CPU time, "
        f"{ours.training.peak_mib / peer.training.peak_mib:.2f} of the memory; words/s {speeds}"
    )


def table(
    systems: Iterable[System], task: Task, *, rounds: int = ROUNDS
) -> tuple[list[Result], list[str]]:
    """The results of systems on one task, printed as they become known, and the failures."""
    print(f"\n{HEAD}", flush=True)
    results, failures = [], []
    for system in systems:
        try:
            with tempfile.TemporaryDirectory() as folder:
                results.append(result_of(system, task, Path(folder), rounds=rounds))
        except Failed as failure:
            failures.append(f"{system.name}: {failure}")
            print(failures[-1], flush=True)
        else:
            print("\n".join(lines(results[-1])), flush=True)
    for ours in results:
        for peer in results:
            if ours.system.startswith("glyphone") and not peer.system.startswith("glyphone"):
                print(comparison(ours, peer))
    return results, failures
