"""NETtalk (Sejnowski and Rosenberg 1987): letters to phonemes, one for each letter, by hand.

    python benchmarks/nettalk.py [--shared ../shared/data] [--folds 4]

Letter error of trees and ensembles, trained on the train file and tested on the dev file; stress is
not predicted. Settings were chosen by cross-validation over the words of the train file, which
gives the column before those of the dev file. `previous` phonemes are attributes too: true ones in
training, the predicted ones in testing, each word from its last letter to its first and without
going back. Seconds are of CPU time, for training on the whole train file.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from relatives import percent

from glyphone.evaluation.relatives import errors_by_relatives
from glyphone.learners.trees.ensembles import SymbolicBoosting, SymbolicForest
from glyphone.learners.trees.estimator import SymbolicTree
from glyphone.learners.trees.letter_windows import letter_windows

Array = Any
Entry = tuple[str, str]
ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Setting:
    """A learner, the letters before and behind that it sees, and the phonemes."""

    name: str
    learner: Any
    letters: int
    previous: int = 0


def settings(seed: int) -> list[Setting]:
    """The best tree and the best ensemble by cross-validation, and what they are better than."""
    questions: dict[str, Any] = {"splits": "questions", "min_leaf": 1, "smoothing": 1.0}
    tree = SymbolicTree(**questions, random_state=seed)
    many: dict[str, Any] = {"n_trees": 20, "min_leaf": 1, "confidence": None, "smoothing": 1.0}
    boosting = SymbolicBoosting(**many, max_attributes=6, random_state=seed)
    return [
        Setting("tree, C4.5's options", SymbolicTree(random_state=seed), 3),
        Setting("tree, questions", tree, 3),
        Setting("tree, questions", tree, 3, 2),
        Setting("tree, questions", tree, 3, 3),
        Setting("tree, questions", tree, 4, 3),
        Setting("forest of 20", SymbolicForest(**many, max_attributes=6, random_state=seed), 4, 3),
        Setting("boosting, 20 trees", boosting, 4),
        Setting("boosting, 20 trees", boosting, 4, 3),
    ]


@dataclass(frozen=True, eq=False)
class Rows:
    """Entries, turned round, as rows of letters, with their phonemes and where words begin."""

    windows: Array
    phonemes: Array
    bounds: Array
    previous: int

    @classmethod
    def of(cls, entries: Sequence[Entry], setting: Setting) -> Rows:
        bounds = np.cumsum([0, *(len(word) for word, _ in entries)])
        letters, phonemes = ("".join(entry[side][::-1] for entry in entries) for side in (0, 1))
        labels = np.array([ord(letter) for letter in letters], np.int32)
        size = setting.letters
        windows = letter_windows(labels, bounds, left=size, right=size)
        return cls(windows, np.array([*map(ord, phonemes)]), bounds, setting.previous)

    def with_phonemes(self, places: Array, phonemes: Array) -> Array:
        """Rows at some places, with the phonemes written before each, 0 before the first."""
        begins = np.repeat(self.bounds[:-1], np.diff(self.bounds))[places]
        columns = [self.windows[places]]
        for back in range(1, self.previous + 1):
            known = np.where(places - back >= begins, phonemes[np.maximum(places - back, 0)], 0)
            columns.append(known[:, None])
        return np.hstack(columns)

    def predicted(self, learner: Any) -> Array:
        """The phonemes that a learner gives; all words at once, letter by letter."""
        found, lengths = np.zeros_like(self.phonemes), np.diff(self.bounds)
        if not self.previous:
            return learner.predict(self.windows)
        for nth in range(lengths.max()):
            places = self.bounds[:-1][lengths > nth] + nth
            found[places] = learner.predict(self.with_phonemes(places, found))
        return found


@dataclass(frozen=True)
class Result:
    """Errors in percent, those of words with relatives in training and without, and what training
    took."""

    letters: float
    words: float
    with_relatives: float
    alone: float
    nodes: int
    seconds: float


def result_of(setting: Setting, train: Sequence[Entry], test: Sequence[Entry]) -> Result:
    began = time.process_time()
    rows = Rows.of(train, setting)
    every = rows.with_phonemes(np.arange(len(rows.phonemes)), rows.phonemes)
    learner = setting.learner.fit(every, rows.phonemes)
    seconds = time.process_time() - began
    trees = learner.trees_
    asked = Rows.of(test, setting)
    wrong = asked.predicted(learner) != asked.phonemes
    words = np.add.reduceat(wrong, asked.bounds[:-1]) > 0
    nodes = sum(len(tree.nodes) for tree in trees)
    of_words = {word: bool(error) for (word, _), error in zip(test, words, strict=True)}
    parts = errors_by_relatives((word for word, _ in train), of_words)
    with_relatives, alone = (
        100 * parts[relation][1] if relation in parts else math.nan
        for relation in ("relatives", "none")
    )
    errors = 100 * float(wrong.mean()), 100 * float(words.mean())
    return Result(*errors, with_relatives, alone, nodes, seconds)


def cross_validated(setting: Setting, entries: Sequence[Entry], *, folds: int, seed: int) -> float:
    """The mean letter error over parts of the words, each tested with a learner of the others."""
    words, of_entry = np.unique([word for word, _ in entries], return_inverse=True)
    parts = (np.random.default_rng(seed).permutation(len(words)) % folds)[of_entry]
    errors = []
    for part in range(folds):
        inside = [entry for entry, of in zip(entries, parts, strict=True) if of != part]
        outside = [entry for entry, of in zip(entries, parts, strict=True) if of == part]
        errors.append(result_of(setting, inside, outside).letters)
    return float(np.mean(errors))


def entries_of(path: Path) -> list[Entry]:
    """Words and phonemes, one for each letter; `-` is a phoneme like the others."""
    lines = path.read_text("utf-8").splitlines()
    entries = [(word, phonemes) for word, phonemes, *_ in (line.split("\t") for line in lines)]
    for word, phonemes in entries:
        if len(word) != len(phonemes):
            raise SystemExit(f"{path}: {word!r} has {len(phonemes)} phonemes, not {len(word)}")
    return entries


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--folds", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    folder = arguments.shared / "nettalk"
    if not folder.is_dir():
        print(f"NETtalk: skipped, {folder} is absent")
        return
    train, dev = (entries_of(folder / f"nettalk.{part}.tsv") for part in ("train", "dev"))
    print(
        f"NETtalk, {len(train)} words to learn from, {len(dev)} to test, seed {arguments.seed}\n\n"
        f"{'':20} {'letters':>8} {'previous':>8} {'letter % CV':>11} {'letter %':>8} {'word %':>7}"
        f" {'with %':>7} {'alone %':>7} {'nodes':>7} {'CPU s':>6}"
    )
    for one in settings(arguments.seed):
        inner = cross_validated(one, train, folds=arguments.folds, seed=arguments.seed)
        found = result_of(one, train, dev)
        print(
            f"{one.name:20} {f'{one.letters}+1+{one.letters}':>8} {one.previous:8}"
            f" {inner:11.2f} {found.letters:8.2f} {found.words:7.2f}"
            f" {percent(found.with_relatives):>7} {percent(found.alone):>7} {found.nodes:7}"
            f" {found.seconds:6.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
