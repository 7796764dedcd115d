"""Letter-to-sound for many languages and little data, with what the library does by default.

    python benchmarks/sigmorphon.py [--shared ../shared/data] [--levels low,medium,high]
                                    [--languages ady,ice] [--kind joint] [--judges none]
                                    [--margin 2]

The data are those of the SIGMORPHON 2021 shared task (Ashby et al. 2021): 800 words for a language
of level low, 8,000 for medium, 33,000 for high. A model is trained on the train file alone, which
also decides its normal form, and transcribes the dev file. Word error is the share of words whose
best answer is not the one listed; phone error is the edit distance to it over its length, summed;
ECE is the expected calibration error of the best answers. "with" and "alone" are word error on
words with relatives in training and on those without, of which the last column has the number: see
relatives.py. The last line of a level has the means
over its languages, each counted once, beside the dev figure published for the neural baseline of
the task. Errors in wrong words are in a second table, see sigmorphon_errors.py.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sigmorphon_errors as errors
from relatives import columns

from glyphone.data.lexicons.tsv import read_lexicon
from glyphone.evaluation.evaluate import evaluate
from glyphone.evaluation.relatives import Relation, errors_by_relatives
from glyphone.training.train import train

ROOT = Path(__file__).resolve().parents[1]
FOLDER = "sigmorphon2021_g2p"
LEVELS = ("low", "medium", "high")
# Mean word error on dev, in %, as the task published it.
NEURAL = {"low": 22.4, "medium": 9.35, "high": 45.1}
HEAD = (
    f"{'level':7} {'language':10} {'train':>6} {'refused':>7} {'form':>4} {'dev':>5} {'WER %':>6}"
    f" {'PER %':>6} {'ECE %':>6} {'train s':>7} {'dev s':>6}"
    f" {'with %':>6} {'alone %':>7} {'alone':>5}"
)


@dataclass(frozen=True)
class Result:
    """How right a language is; seconds are of CPU time, `classes` shares of words that are wrong
    in this or that."""

    level: str
    language: str
    pairs: int
    refused: int
    form: str
    words: int
    wer: float
    per: float
    calibration_error: float
    train_seconds: float
    dev_seconds: float
    classes: dict[str, float]
    by_relatives: dict[Relation, tuple[int, float]]

    def __str__(self) -> str:
        with_them, alone, n_alone = columns(self.by_relatives)
        return (
            f"{self.level:7} {self.language:10} {self.pairs:6} {self.refused:7} {self.form:>4}"
            f" {self.words:5} {100 * self.wer:6.2f} {100 * self.per:6.2f}"
            f" {100 * self.calibration_error:6.2f} {self.train_seconds:7.1f}"
            f" {self.dev_seconds:6.1f} {with_them:>6} {alone:>7} {n_alone:5}"
        )


def lexicons(folder: Path, level: str, chosen: set[str]) -> Iterator[tuple[str, Path, Path]]:
    """The languages of a level with their train and dev files."""
    for path in sorted(Path(folder, level).glob("*_train.tsv")):
        language = path.name.removesuffix("_train.tsv")
        if not chosen or language in chosen:
            yield language, path, path.with_name(f"{language}_dev.tsv")


def result_of(
    level: str, language: str, lexicon: Path, dev: Path, *, kind: str, seed: int, **options: Any
) -> Result:
    began = time.process_time()
    trained = train(str(lexicon), kind=kind, best_form=True, seed=seed, jobs=1, **options)
    learnt = time.process_time()
    sides = {"source": trained.model.source.writing, "target": trained.model.target.writing}
    found = evaluate(trained.model, list(read_lexicon(dev, **sides)), jobs=1)
    wrong_words = {v.item.text: v.answer.rank != 1 for v in found.verdicts}
    done = time.process_time()
    counts, form = trained.counts, trained.model.source.writing.normal_form
    learnt_pairs = [*read_lexicon(lexicon, **sides)]
    letters = {letter for pair in learnt_pairs for letter in pair.source}
    learnt_words = (sides["source"].join(pair.source) for pair in learnt_pairs)
    wrong = errors.classes_of(found, trained.model, letters)
    return Result(
        level, language, counts["pairs"], counts["refused"], form, found.items, found.wer,
        found.per, found.calibration_error, learnt - began, done - learnt,
        {name: count / found.items for name, count in wrong.items()},
        errors_by_relatives(learnt_words, wrong_words),
    )  # fmt: skip


def mean(level: str, results: list[Result]) -> str:
    n = len(results)
    wer, per, calibration = (
        100 * sum(getattr(one, name) for one in results) / n
        for name in ("wer", "per", "calibration_error")
    )
    seconds = sum(one.train_seconds for one in results), sum(one.dev_seconds for one in results)
    return (
        f"{level:7} {'mean of ' + str(n):10} {'':26} {wer:6.2f} {per:6.2f} {calibration:6.2f}"
        f" {seconds[0]:7.1f} {seconds[1]:6.1f}   neural baseline of all: {NEURAL[level]}\n"
    )


def error_rows(level: str, results: list[Result]) -> Iterator[str]:
    """The second table."""
    n = len(results)
    for one in results:
        yield errors.line(level, one.language, one.wer, one.classes)
    classes = {
        name: sum(one.classes.get(name, 0.0) for one in results) / n for name in errors.CLASSES
    }
    yield errors.line(level, f"mean of {n}", sum(one.wer for one in results) / n, classes) + "\n"


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", default=str(ROOT.parent / "shared" / "data"))
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--languages", default="", help="such as ady,ice (default: all)")
    parser.add_argument("--kind", default="auto", help="of model: joint or ensemble")
    parser.add_argument("--judges", help="of ensembles, such as crf,trees (default: all)")
    parser.add_argument("--margin", type=float, help="of ensembles: see `glyphone train`")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    folder = Path(arguments.shared, FOLDER)
    if not folder.is_dir():
        print(f"SIGMORPHON 2021: skipped, {folder} is absent")
        return
    given = {"judges": arguments.judges, "margin": arguments.margin}
    options = {name: value for name, value in given.items() if value is not None}
    chosen = {name for name in arguments.languages.split(",") if name}
    print(
        f"letter-to-sound for many languages: SIGMORPHON 2021, {arguments.kind} models, "
        f"seed {arguments.seed}\n\n{HEAD}"
    )
    table, found = [f"words that are wrong, in % of all\n\n{errors.HEAD}"], 0
    for level in arguments.levels.split(","):
        results = []
        for language, lexicon, dev in lexicons(folder, level, chosen):
            results.append(
                result_of(
                    level, language, lexicon, dev, kind=arguments.kind, seed=arguments.seed,
                    **options,
                )
            )  # fmt: skip
            print(results[-1], flush=True)
        if results:
            print(mean(level, results), flush=True)
            table += error_rows(level, results)
        found += len(results)
    if not found:
        sys.exit(f"no language of {arguments.languages or 'any name'} in {arguments.levels}")
    print("\n".join(table))


if __name__ == "__main__":
    main()
