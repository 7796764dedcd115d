"""Names across scripts: what a language of names learns from evaluation data, beside a peer.

    python benchmarks/names.py [--shared ../shared/data] [--peers FOLDER] [--languages rus,hin]

Two sets are used as they are: netranslit_coling2018 (Merhav and Ash 2018), English names to other
scripts, and dakshina (Roark et al. 2020), words of India in Latin letters to their own. A model
learns from the train file alone and writes the dev file. Native sides are cleaned as the language's
file says, for all systems alike; accuracy is the share of names whose best answer is one of their
references, and symbol error the edit distance to the nearest over its length, summed. `published`
is word error where somebody has published it, of a transformer for Bengali and of a pair 6-gram
(reference run, other slices) for Hindi and Kannada. "wordfreq" is the same model with a word list
of that package behind it; share and floor are the defaults.
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from contest import Task, error_rates, fastest, words_of
from learned import found
from peers import Failed, System, add_environment, measure

from glyphone.data.errors import ItemError, NotInstalled
from glyphone.data.lexicons.tsv import write_lexicon
from glyphone.data.records import Pair
from glyphone.data.writing import LETTERS, Writing
from glyphone.evaluation.evaluate import evaluate
from glyphone.models.names import languages
from glyphone.models.names.script import script_of
from glyphone.training.train import train

ROOT = Path(__file__).resolve().parents[1]
NETRANSLIT = {
    "ara": "arabic",
    "heb": "hebrew",
    "jpn": "katakana",
    "kor": "korean",
    "rus": "russian",
    "zho": "chinese",
}
DAKSHINA = {
    "ben": "bn",
    "guj": "gu",
    "hin": "hi",
    "kan": "kn",
    "mal": "ml",
    "mar": "mr",
    "pan": "pa",
    "sin": "si",
    "snd": "sd",
    "tam": "ta",
    "tel": "te",
    "urd": "ur",
}
FOLDERS = {"netranslit": "netranslit_coling2018", "dakshina": "dakshina"}
# Languages of India with a list of words in the package wordfreq.
LISTED = {"ben", "hin", "tam", "urd"}
PUBLISHED = {"ben": 50.6, "hin": 53.9, "kan": 37.8}
HEAD = (
    f"{'set':11} {'language':8} {'system':22} {'train':>7} {'refused':>7} {'dev':>6} {'acc %':>6}"
    f" {'95 %':>11} {'WER %':>6} {'CER %':>6} {'train CPU s':>11} {'names/s':>8} {'published':>9}"
)


@dataclass(frozen=True)
class Result:
    set: str
    language: str
    system: str
    pairs: int
    refused: int
    names: int
    wer: float
    interval: tuple[float, float]
    per: float
    train_seconds: float
    names_per_second: float

    @property
    def accuracy(self) -> float:
        return 1 - self.wer

    def __str__(self) -> str:
        low, high = (100 * (1 - end) for end in reversed(self.interval))
        published = PUBLISHED.get(self.language, "") if self.set == "dakshina" else ""
        return (
            f"{self.set:11} {self.language:8} {self.system:22} {self.pairs:7} {self.refused:7}"
            f" {self.names:6} {100 * self.accuracy:6.2f} {low:5.2f}-{high:5.2f}"
            f" {100 * self.wer:6.2f} {100 * self.per:6.2f} {self.train_seconds:11.1f}"
            f" {self.names_per_second:8,.0f} {published:>9}"
        )


def data(shared: Path, name: str, language: str) -> tuple[list[Pair], list[Pair]]:
    """The train and dev pairs of a set, Latin letters first."""
    if name == "netranslit":
        folder, stem = shared / FOLDERS[name], f"wd_{NETRANSLIT[language]}"
        parts = [folder / f"{stem}_{size}.tsv.gz" for size in (64, 16)]
        return (list(pairs_of(parts[0], 0, 1)), list(pairs_of(parts[1], 0, 1)))
    code = DAKSHINA[language]
    parts = [
        shared / "dakshina" / "lexicons" / code / f"{code}.translit.sampled.{part}.tsv.gz"
        for part in ("train", "dev")
    ]
    return (list(pairs_of(parts[0], 1, 0)), list(pairs_of(parts[1], 1, 0)))


def pairs_of(path: Path, latin: int, native: int) -> Iterator[Pair]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = line.rstrip("\n").split("\t")
            target = LETTERS.convert(row[native].replace(" ", ""))
            yield Pair(tuple(LETTERS.convert(row[latin])), tuple(target))


def cleaned(pairs: Sequence[Pair], language: str) -> list[Pair]:
    """Native sides as the rule of the language that reads them leaves them, if it does at all."""
    script = script_of(languages.find_language(language))
    writer = script.writer
    read = script.read(["".join(pair.target) for pair in pairs])
    if writer is not None and script.reader is not None and script.writing.unit == "token":
        back = writer.answer([" ".join(r) if isinstance(r, tuple) else "" for r in read])
        read = [
            tuple(LETTERS.convert(back.outputs[back.firsts[k]]))
            if k not in back.failures and r
            else r
            for k, r in enumerate(read)
        ]
    return [
        pair if isinstance(symbols, ItemError) or not symbols else Pair(pair.source, tuple(symbols))
        for pair, symbols in zip(pairs, read, strict=True)
    ]


def ours(
    name: str, language: str, train_pairs: list[Pair], dev: list[Pair], **options: str
) -> Result:
    began = time.process_time()
    trained = train(
        train_pairs,
        kind="names",
        language=language,
        source=Writing(case="lower"),
        target=LETTERS,
        jobs=1,
        **options,
    )
    learnt = time.process_time()
    figures = evaluate(trained.model, dev, nbest=1, jobs=2)
    words = words_of(dev)
    for _ in trained.model.blocks(words * 2, jobs=2):
        pass
    started = time.perf_counter()
    for _ in trained.model.blocks(words * 4, jobs=2):
        pass
    speed = 4 * len(words) / (time.perf_counter() - started)
    return Result(
        name, language, ", ".join(["glyphone", *options.values()]), trained.counts["pairs"],
        trained.counts["refused"], figures.items, figures.wer,
        figures.intervals["wer"], figures.per, learnt - began, speed,
    )  # fmt: skip


def peers(
    system: System, name: str, language: str, train_pairs: list[Pair], dev: list[Pair]
) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        lexicon, model = Path(folder, "train.tsv"), Path(folder, "learned.model")
        words, answers = Path(folder, "words.txt"), Path(folder, "answers.tsv")
        write_lexicon(train_pairs, lexicon)
        training = measure(system.training(lexicon, model))
        items = words_of(dev)
        words.write_text("\n".join(items) + "\n", encoding="utf-8")
        usage = fastest(system.decoding(model, words, answers, jobs=1))
        verdict = error_rates(answers, Task(train_pairs, dev, LETTERS), system.phones)
    return Result(
        name, language, system.name, len(train_pairs), 0, len(items), verdict["wer"],
        verdict["wer_interval"], verdict["per"], training.cpu_seconds, len(items) / usage.seconds,
    )  # fmt: skip


def mean(results: Sequence[Result], attribute: str) -> float:
    return sum(getattr(result, attribute) for result in results) / len(results)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", default=str(ROOT.parent / "shared" / "data"))
    parser.add_argument("--peers", metavar="FOLDER", help="the virtual environment of the peers")
    parser.add_argument("--languages", default="", help="only these, by comma")
    parser.add_argument("--sets", default="netranslit,dakshina")
    arguments = parser.parse_args(argv)
    add_environment(arguments.peers)
    shared, chosen = Path(arguments.shared), set(filter(None, arguments.languages.split(",")))
    rivals = [s for s in found(arguments.peers) if s.name.startswith("phonetisaurus")]
    print(f"names across scripts, on dev; {os.cpu_count()} cores\n\n{HEAD}", flush=True)
    failures = []
    for name in arguments.sets.split(","):
        if not (shared / FOLDERS[name]).is_dir():
            print(f"{name}: skipped, {shared / FOLDERS[name]} is absent")
            continue
        results: dict[str, list[Result]] = {}
        for language in sorted(NETRANSLIT if name == "netranslit" else DAKSHINA):
            if chosen and language not in chosen:
                continue
            both = [cleaned(pairs, language) for pairs in data(shared, name, language)]
            rows = [ours(name, language, *both)]
            if name == "dakshina" and language in LISTED:
                try:
                    rows.append(ours(name, language, *both, words="wordfreq"))
                except NotInstalled as missing:
                    print(missing)
            if name == "netranslit":
                for rival in rivals:
                    try:
                        rows.append(peers(rival, name, language, *both))
                    except Failed as failure:
                        failures.append(f"{language}: {failure}")
            for row in rows:
                print(row, flush=True)
                results.setdefault(row.system, []).append(row)
        for system, rows in results.items():
            accuracy, error = mean(rows, "accuracy"), mean(rows, "per")
            print(f"{name:11} mean     {system:22} acc {100 * accuracy:.2f}  CER {100 * error:.2f}")
        print()
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
