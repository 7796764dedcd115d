"""The costs of training by the size of the lexicon; above that of the data, it is generated."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from peers import Failed, System, Usage, measure

from glyphone.data.lexicons.splits import point_of_word
from glyphone.data.lexicons.tsv import write_lexicon
from glyphone.data.records import Pair


def first_words(pairs: Sequence[Pair], n: int, *, seed: int) -> list[Pair]:
    """The entries of n words: a fair sample, and each sample holds all smaller ones."""
    words = {pair.source for pair in pairs}
    chosen = set(sorted(words, key=lambda word: (point_of_word(word, seed=seed), word))[:n])
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


@dataclass(frozen=True)
class Size:
    """The costs of training on a lexicon of some size."""

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
