"""Names that are the same: sets of pairs with gold, and names to be found in another script.

countries       English and French names of CLDR (babel) and of ISO 3166 (pycountry), two of
                one country being a right pair (spec/name-matching.md, A9)
SecondString    the sets of Cohen, Ravikumar and Fienberg (2003): pairs between the relations
                of a set, or within the one that there is, right where their keys are equal
nomenklatura    pairs of OpenSanctions, labelled one by one, people and companies
netranslit      names in Latin letters, and all names of a list in another script
"""

from __future__ import annotations

import csv
import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from glyphone.data.names.words import read_words
from glyphone.data.sources.cldr import tables_of
from glyphone.data.sources.pinned import open_member
from glyphone.evaluation.pairs import NO, YES, label_pairs

# All pairs of a set, if they are no more; else those with rare words or trigrams in common.
MOST_PAIRS = 100_000
# Without coraATDV, citations for which peers take half an hour, and ucdPeopleCluster, in which only
# 45 pairs have one key, but 380 pairs of equal names two.
SETS = (
    "animal", "birdKunkel", "birdNybirdExtracted", "birdScott1", "birdScott2", "business",
    "censusText", "gameExtracted", "parks", "restaurant", "ucdPeopleMatch", "vaUniv",
)  # fmt: skip
# The languages of the task across scripts, and their files.
SCRIPTS = {"rus": "russian", "ara": "arabic", "heb": "hebrew", "kor": "korean", "jpn": "katakana"}
QUERIES, CANDIDATES = 2_000, 10_000


@dataclass(frozen=True, eq=False)
class PairTask:
    """Names, the pairs of them that are asked about (two columns of places), and their labels.

    `positives` counts right pairs, those that are not asked about included.
    """

    name: str
    names: tuple[str, ...]
    pairs: Any
    labels: Any
    positives: int
    everything: int

    def __str__(self) -> str:
        found = int((self.labels == YES).sum())
        text = f"{self.name}: {len(self.names):,} names, {self.positives:,} right pairs"
        if len(self.pairs) == self.everything:
            return f"{text} of all {self.everything:,}"
        share = found / max(self.positives, 1)
        return (
            f"{text} of {self.everything:,}, of which {len(self.pairs):,} with rare words or "
            f"trigrams in common are asked, with {share:.1%} of the right ones"
        )


@dataclass(frozen=True)
class Case:
    """A labelled pair of names of nomenklatura."""

    first: str
    second: str
    schema: str
    same: bool
    quality: str
    category: str


@dataclass(frozen=True, eq=False)
class ScriptTask:
    """Names in Latin letters, names in another script, and for each of those the right places."""

    language: str
    queries: tuple[str, ...]
    candidates: tuple[str, ...]
    right: tuple[frozenset[int], ...]


def countries() -> PairTask:
    """661 names of countries, 567 pairs of which are names of one."""
    codes = defaultdict[str, set[str]](set)
    for locale in ("en", "fr"):
        for code, name in tables_of(locale)["territories"].items():
            if len(code) == 2:
                codes[code].add(name)
    with open_member("pycountry", "pycountry/databases/iso3166-1.json") as file:
        for row in json.load(file)["3166-1"]:
            kinds = ("name", "official_name", "common_name")
            codes[row["alpha_2"]].update(row[kind] for kind in kinds if kind in row)
    names = sorted(set().union(*codes.values()))
    places = {name: place for place, name in enumerate(names)}
    right = {
        (places[one], places[other])
        for same in codes.values()
        for one, other in combinations(sorted(same), 2)
    }
    return task_of("countries", names, combinations(range(len(names)), 2), right)


def task_of(
    name: str,
    names: Sequence[str],
    pairs: Iterable[tuple[int, int]],
    right: set[tuple[int, int]],
    everything: int | None = None,
) -> PairTask:
    asked = np.array([*pairs], np.int32).reshape(-1, 2)
    labels = label_pairs(map(tuple, asked.tolist()), right)
    return PairTask(name, tuple(names), asked, labels, len(right), everything or len(asked))


def second_string(path: Path, *, most: int = MOST_PAIRS) -> PairTask:
    """A set of SecondString: relation, key and text of each line, separated by tabs."""
    rows = [line.split("\t", 2) for line in read_text(path).split("\n") if line.strip()]
    relations = [row[0].strip() for row in rows]
    keys = [row[1].strip().strip('"').strip() for row in rows]
    names = [" ".join(row[2].split()) for row in rows]
    several = len({*relations}) > 1

    def allowed(one: int, other: int) -> bool:
        return not several or relations[one] != relations[other]

    right = {pair for pair in same_keys(path.stem, keys) if allowed(*pair)}
    counts = [relations.count(relation) for relation in {*relations}]
    everything = sum(one * other for one, other in combinations(counts, 2))
    if not several:
        everything = len(rows) * (len(rows) - 1) // 2
    if everything <= most:
        pairs = [pair for pair in combinations(range(len(rows)), 2) if allowed(*pair)]
    else:
        groups = relations if several else [str(place) for place in range(len(rows))]
        pairs = sorted(sharing_pairs(names, groups, most))
    return task_of(path.stem, names, pairs, right, everything)


def read_text(path: Path) -> str:
    """The text of a file in UTF-8, or else in Latin-1, as some of the sets are."""
    data = path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def same_keys(name: str, keys: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of equal keys; of animals, one scientific name has all words of the other."""
    groups = defaultdict[str, list[int]](list)
    for place, key in enumerate(keys):
        for part in {*key.casefold().split()} if name == "animal" else [key]:
            groups[part].append(place)
    for places in groups.values():
        for one, other in combinations(places, 2):
            if name != "animal" or is_within(keys[one], keys[other]):
                yield one, other


def is_within(one: str, other: str) -> bool:
    """Whether the words of one name are all in the other.

    >>> is_within("Felis concolor", "Felis concolor coryi"), is_within("Felis a", "Felis b")
    (True, False)
    """
    first, second = ({*key.casefold().split()} for key in (one, other))
    return first <= second or second <= first


def sharing_pairs(names: Sequence[str], groups: Sequence[str], most: int) -> set[tuple[int, int]]:
    """Pairs of names of different groups that share a word or a trigram, the rarest first.

    Features are taken by the number of names that they are in, as long as there are at most so
    many pairs.
    """
    places = defaultdict[str, list[int]](list)
    for place, name in enumerate(names):
        for feature in features_of(name):
            places[feature].append(place)
    pairs = set[tuple[int, int]]()
    for size in range(2, len(names) + 1):
        more = {
            pair
            for found in places.values()
            if len(found) == size
            for pair in combinations(found, 2)
            if groups[pair[0]] != groups[pair[1]]
        }
        if len(pairs | more) > most:
            break
        pairs |= more
    return pairs


def features_of(name: str) -> set[str]:
    """The words of a name and their trigrams, with a sign at both ends."""
    found = set[str]()
    for word in read_words(name):
        padded = f"^{word.canonical}$"
        found.add(padded)
        found.update(padded[at : at + 3] for at in range(len(padded) - 2))
    return found


def nomenklatura(path: Path) -> list[Case]:
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Case(
                row["name1"], row["name2"], row["schema"], row["is_match"] == "true",
                row["quality"] or "MEDIUM", row["category"],
            )
            for row in csv.DictReader(file)
        ]  # fmt: skip


def task_of_cases(cases: Sequence[Case]) -> PairTask:
    """The pairs as a task, each of two names of its own."""
    names = [name for case in cases for name in (case.first, case.second)]
    pairs = np.arange(len(names), dtype=np.int32).reshape(-1, 2)
    labels = np.array([YES if case.same else NO for case in cases], np.int64)
    return PairTask("nomenklatura", tuple(names), pairs, labels, int(labels.sum()), len(cases))


def across_scripts(
    folder: Path,
    language: str,
    *,
    queries: int = QUERIES,
    candidates: int = CANDIDATES,
    seed: int = 0,
) -> ScriptTask:
    """Names of the dev file in Latin letters, and names in the other script.

    The queries are drawn from the dev file (`_16`). Candidates are all their names in the other
    script, then others of the dev file, and of the training file (`_64`) where those are too few.
    A candidate is right for all names beside which either file has it.
    """
    stem = f"wd_{SCRIPTS[language]}"
    dev = list(read_netranslit(folder / f"{stem}_16.tsv.gz"))
    training = list(read_netranslit(folder / f"{stem}_64.tsv.gz"))
    rng = random.Random(seed)
    latin = sorted({one for one, _ in dev})
    asked = rng.sample(latin, min(queries, len(latin)))
    among = {*asked}
    first = sorted({native for one, native in dev if one in among})
    chosen = dict.fromkeys(first)
    for pairs in (dev, training):
        others = sorted({native for _, native in pairs} - chosen.keys())
        rng.shuffle(others)
        chosen.update(dict.fromkeys(others[: max(0, candidates - len(chosen))]))
    natives = sorted(chosen)
    places = {native: place for place, native in enumerate(natives)}
    right = defaultdict[str, set[int]](set)
    for one, native in (*dev, *training):
        if native in places:
            right[one].add(places[native])
    answers = tuple(frozenset(right[one]) for one in asked)
    return ScriptTask(language, tuple(asked), tuple(natives), answers)


def read_netranslit(path: Path) -> Iterator[tuple[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            latin, native, *_ = line.rstrip("\n").split("\t")
            yield latin, native.replace(" ", "")
