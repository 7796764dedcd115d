"""French words and their pronunciations, by the grammar and by dictionaries, in equal samples.

Words are the first pronunciation of each lower-case alphabetic word of two letters or more,
shuffled as by random.seed(0); samples stand one after the other, 18,000 words each if not told.
"""

from __future__ import annotations

import importlib
import random
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from conventions import Phones, Task, segments
from lists import fra

from glyphone.catalog import names as catalog_names
from glyphone.data.records import Pair
from glyphone.fst.rules.cascade import Cascade

SAMPLE = 18_000
WIKIPRON, GRUUT = fra.TASKS


@dataclass(frozen=True)
class Lexicon:
    """Samples of entries; `accepted` are pronunciations by which answers are judged once more."""

    title: str
    samples: list[list[Pair]]
    accepted: dict[str, list[Phones]] | None = None


def french() -> Cascade:
    """The grammar of the first list, which is that of all."""
    module, rule = WIKIPRON.grammar.split(":")
    grammar: Cascade = getattr(importlib.import_module(f"glyphone.grammars.{module}"), rule)
    return grammar


def entries_of(task: Task, shared: Path) -> Iterator[tuple[str, str]]:
    for word, phones in task.read(task.source(shared)):
        yield unicodedata.normalize("NFC", word), unicodedata.normalize("NFC", phones)


def shuffled(entries: Iterable[tuple[str, str]]) -> list[Pair]:
    """Words with their first pronunciations, in the order of the specification."""
    first: dict[str, Phones] = {}
    for word, phones in entries:
        if word.isalpha() and word.islower() and len(word) >= 2:
            first.setdefault(word, segments(phones))
    pairs = [Pair(tuple(word), phones) for word, phones in first.items()]
    random.Random(0).shuffle(pairs)
    return pairs


def samples_of(pairs: Sequence[Pair], n: int, words: int) -> list[list[Pair]]:
    """Up to n samples; one of what there is, if that is less than a sample."""
    n = max(1, min(n, len(pairs) // words))
    return [list(pairs[words * k : words * (k + 1)]) for k in range(n)]


def said_by_rules(shared: Path, n: int, words: int) -> Lexicon:
    """The answers of the grammar to the words of WikiPron, which lists other accepted answers."""
    model = catalog_names.load(WIKIPRON.grammar)
    samples = []
    for sample in samples_of(shuffled(entries_of(WIKIPRON, shared)), n, words):
        found = model.apply(["".join(pair.source) for pair in sample], jobs=1)
        answered = zip(sample, found, strict=True)
        samples.append([Pair(pair.source, one.symbols) for pair, one in answered if one])
    accepted: dict[str, list[Phones]] = {}
    for word, phones in entries_of(WIKIPRON, shared):
        accepted.setdefault(word, []).append(WIKIPRON.reference(phones))
    title = f"what {WIKIPRON.grammar} says for words of {WIKIPRON.path}"
    return Lexicon(title, samples, accepted)


def listed_in(task: Task, shared: Path, n: int, words: int) -> Lexicon:
    """The entries of a dictionary."""
    samples = samples_of(shuffled(entries_of(task, shared)), n, words)
    return Lexicon(f"what {task.path} lists", samples)


def accepted_share(lexicon: Lexicon, pairs: Sequence[Pair]) -> float:
    """How many words in a hundred are said in an accepted way."""
    accepted = lexicon.accepted or {}
    right = sum(
        WIKIPRON.output(" ".join(pair.target)) in accepted["".join(pair.source)] for pair in pairs
    )
    return 100 * right / len(pairs)
