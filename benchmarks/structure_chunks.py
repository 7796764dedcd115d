"""Noun phrases of CoNLL-2000 by chains and by latent states, and how labels are chosen.

`train` alone is used: its last tenth is for testing, and nothing was chosen by it; settings were
compared on other parts of it. Words have weights where a test is true more than ten times, as Sun,
Morency, Okanohara and Tsujii (2008) have it; patterns are theirs. Labels are those of noun phrases;
an I behind an O begins a phrase. Seconds are those of the clock, on all cores; sentences per second
are those of the second of two runs on one core. `p` is McNemar's, of tokens, against the best label
path of the first latent row of a table. `proved` is the share of sentences whose labels are sure to
be the most probable.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from glyphone.data.parallel import available_cores
from glyphone.data.records import Sequence
from glyphone.data.treebanks.chunks import bio_of_iob1, score_phrases
from glyphone.data.treebanks.conll import read_conll
from glyphone.io.tables import format_table
from glyphone.learners.counts.mcnemar import mcnemar
from glyphone.learners.latent.estimator import DECODERS, LatentCRF

PAPER = {
    "words": (
        ("CRF", 88.08),
        ("best label path", 89.61),
        ("best path", 89.22),
        ("marginals", 89.44),
    ),
    "words and tags": (("best label path", 94.34),),
}
COLUMNS = ("token %", "P", "R", "F", "proved %", "sentences/s", "p")
NAMES = {"labels": "best label path", "hidden": "best hidden path", "marginals": "marginals"}
WORD_PLACES = ((-2,), (-1,), (0,), (1,), (2,), (-1, 0), (0, 1))
TAG_PLACES = (
    *((-1,), (0,), (1,), (-2, -1), (-1, 0), (0, 1), (1, 2)),
    *((-2, -1, 0), (-1, 0, 1), (0, 1, 2)),
)  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """A model of a table: its name, and options of `LatentCRF`."""

    name: str
    options: dict[str, Any]


CHAIN = {"states": 1}
SETTINGS = {
    "words": (
        Setting("chain", CHAIN),
        Setting("4 states", {"states": 4}),
        Setting("3 states, second order", {"states": 3, "order": 2}),
    ),
    "words and tags": (
        Setting("chain", CHAIN),
        Setting("4 states", {"states": 4}),
    ),
}


def patterns_of(kind: str) -> str:
    """The patterns of words, or of words and tags.

    >>> patterns_of("words").splitlines()[5]
    '*-1/0.0:%x[-1,0]/%x[0,0]'
    """
    lines = [window(0, places) for places in WORD_PLACES]
    if kind != "words":
        lines += [window(1, places) for places in TAG_PLACES]
    return "\n".join([*lines, "B"])


def window(column: int, places: tuple[int, ...]) -> str:
    cells = "/".join(f"%x[{place},{column}]" for place in places)
    return f"*{'/'.join(map(str, places))}.{column}:{cells}"


def noun_phrases(path: Path, *, most: int | None = None) -> list[Sequence]:
    """Sentences with tags and the labels of noun phrases."""
    found = [
        Sequence(
            one.tokens,
            {"1": one.columns["pos"]},
            tuple(label if label.endswith("-NP") else "O" for label in one.labels),
        )
        for one in read_conll(path, columns=("token", "pos", "label"))
    ]
    return found[:most]


@dataclass(frozen=True)
class ChunkResult:
    """The labels that a model gives to test sentences, one behind the other, and their figures."""

    name: str
    decoder: str
    labels: list[str]
    cells: tuple[str, ...]


def show_chunks(folder: Path, *, most: int | None = None, iterations: int | None = None) -> None:
    """A table of words alone, and one of words and tags."""
    sentences = noun_phrases(folder / "train.txt.gz", most=most)
    cut = len(sentences) * 9 // 10
    train, test = sentences[:cut], sentences[cut:]
    gold = [*chain.from_iterable(one.labels for one in test)]
    print(f"CoNLL-2000: {len(train):,} sentences to learn from, {len(test):,} to test")
    for kind, settings in SETTINGS.items():
        results, told = list[ChunkResult](), list[str]()
        for setting in settings:
            options = setting.options | ({} if iterations is None else {"max_iter": iterations})
            learner = LatentCRF(
                templates=patterns_of(kind), min_count=11, n_jobs=available_cores(), **options
            )
            began = time.perf_counter()
            learner.fit(train)
            seconds = time.perf_counter() - began
            told.append(
                f"{setting.name}: {seconds:,.0f} s, {learner.n_weights_:,} weights, "
                f"{len(learner.history_)} iterations, {learner.ended_}"
            )
            results += chunk_results(setting.name, learner, test)
        base = next(one for one in results if one.name != settings[0].name)
        rows = [("", "", *COLUMNS)]
        for one in results:
            p_value = mcnemar(gold, base.labels, one.labels).p_value
            rows.append(
                (one.name, one.decoder, *one.cells, "" if one is base else f"{p_value:.1g}")
            )
        rows += [("paper", name, "", "", "", f"{f:.2f}", "", "", "") for name, f in PAPER[kind]]
        print(f"\n{kind}\n\n{format_table(rows, '<<' + '>' * len(COLUMNS))}\n")
        print("\n".join(told))


def chunk_results(name: str, learner: LatentCRF, test: list[Sequence]) -> Iterator[ChunkResult]:
    """The labels and figures of each way to choose labels, on one core."""
    gold = [one.labels for one in test]
    alone = LatentCRF(templates=learner.templates)
    alone.model_, alone.classes_ = learner.model_, learner.classes_
    for decoder in DECODERS if learner.states > 1 else DECODERS[:1]:
        alone.predict(test, decoder=decoder)
        began = time.perf_counter()
        found = alone.predict(test, decoder=decoder)
        speed = len(test) / (time.perf_counter() - began)
        flat = [*chain.from_iterable(found)]
        right = np.array([*chain.from_iterable(gold)]) == np.array(flat)
        score = score_phrases(gold, [*map(bio_of_iob1, found)])[""]
        shares = [f"{100 * x:.2f}" for x in (right.mean(), score.precision, score.recall, score.f)]
        proved = ""
        if decoder == DECODERS[0]:
            proved = f"{100 * np.mean(alone.predict_proved(test)[1]):.1f}"
        cells = (*shares, proved, f"{speed:,.0f}")
        yield ChunkResult(name, NAMES[decoder], flat, cells)
