"""Japanese names for measuring: JMnedict, IPADIC and a list with counts, and how they are split.

Names are those of the reference run in the specification: surnames and given names of JMnedict, of
one to four kanji or iteration marks. Readings are kana, and for look-up their keys
(`glyphone.grammars.jpn.name_keys`): romaji without the length of vowels.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from glyphone.catalog import names as catalog_names
from glyphone.data.records import Pair
from glyphone.data.sources.japanese import JapaneseName, to_hiragana
from glyphone.data.sources.japanese_files import read_ipadic, read_personal_names, read_persons
from glyphone.data.sources.japanese_packages import BEARERS, learnt_kinds

_KANJI = re.compile(r"[\u4e00-\u9fff々]{1,4}")
# Romaji types that are asked for, and names in the dictionary of the paper.
ASKED, DICTIONARY = 1000, 27_358
# No more than one in so many is held out.
SHARE = 4


@dataclass(frozen=True)
class Name:
    """A name and a reading; `count` is that of people who bear it, 0 if nobody has counted."""

    kanji: str
    kana: str
    key: str
    kinds: tuple[str, ...]
    count: float = 0.0


def names_of(entries: Iterable[JapaneseName]) -> list[Name]:
    """Each surname or given name with each reading once."""
    kinds: dict[tuple[str, str], set[str]] = defaultdict(set)
    counts: dict[tuple[str, str], float] = {}
    for entry in entries:
        learnt = learnt_kinds(entry)
        if learnt and _KANJI.fullmatch(entry.kanji):
            place = entry.kanji, to_hiragana(entry.kana)
            kinds[place] |= learnt
            counts[place] = max(counts.get(place, 0.0), entry.weight)
    found = catalog_names.load("jpn.name_keys:KEY").answer([kana for _, kana in kinds])
    return [
        Name(*place, found.outputs[found.firsts[number]], tuple(sorted(learnt)), counts[place])
        for number, (place, learnt) in enumerate(kinds.items())
        if number not in found.failures
    ]


def jmnedict(shared: Path) -> list[Name]:
    return names_of(read_persons(shared / "jmnedict" / "persons_kanji_reading.tsv.gz"))


def ipadic(shared: Path) -> list[Name]:
    return names_of(read_ipadic(shared / "ipadic_names" / "Noun.name.csv.utf8.gz"))


def surnames_with_counts(shared: Path) -> list[Name]:
    entries = read_personal_names(shared / "jp_personal_names")
    return names_of(entry for entry in entries if "surname" in entry.kinds)


def dictionary(shared: Path, *, seed: int) -> dict[str, list[str]]:
    """A user's dictionary: names of IPADIC and of the list with counts, by key, common first."""
    listed = {(name.kanji, name.key): 0.0 for name in ipadic(shared)}
    for name in names_of(read_personal_names(shared / "jp_personal_names", popular=True)):
        listed[name.kanji, name.key] = name.count
    drawn = random.Random(seed).sample(sorted(listed), min(DICTIONARY, len(listed)))
    forms: dict[str, list[str]] = defaultdict(list)
    for kanji, key in sorted(drawn, key=lambda entry: -listed[entry]):
        forms[key].append(kanji)
    return dict(forms)


def forms_of(names: Iterable[Name]) -> dict[str, set[str]]:
    """All kanji of each key."""
    forms: dict[str, set[str]] = defaultdict(set)
    for name in names:
        forms[name.key].add(name.kanji)
    return dict(forms)


@dataclass(frozen=True, eq=False)
class Split:
    """Names to learn from, in the order of a draw, and keys to ask with their right answers."""

    train: Sequence[Name]
    asked: Mapping[str, set[str]]


def draw(keys: Iterable[str], n: int, *, seed: int) -> list[str]:
    """So many keys at random, or a part of them where there are few."""
    every = sorted(keys)
    return random.Random(seed).sample(every, min(n, -(-len(every) // SHARE)))


def by_romaji(names: Sequence[Name], *, seed: int, strict: bool = True) -> Split:
    """ASKED keys are held out; in the strict split all names that are written as these, too."""
    forms = forms_of(names)
    held = draw(forms, ASKED, seed=seed)
    asked = {key: forms[key] for key in held}
    written = set().union(*asked.values()) if strict else set()
    kept = [name for name in names if name.key not in asked and name.kanji not in written]
    random.Random(seed).shuffle(kept)
    return Split(kept, asked)


def by_string(names: Sequence[Name], *, seed: int) -> tuple[Split, list[Name]]:
    """Every tenth kanji string is held out; asked are ASKED keys of these, with all their forms.

    The names that were held out come with it.
    """
    strings = sorted({name.kanji for name in names})
    random.Random(seed).shuffle(strings)
    held = set(strings[::10])
    kept = [name for name in names if name.kanji not in held]
    random.Random(seed).shuffle(kept)
    out = [name for name in names if name.kanji in held]
    forms = forms_of(names)
    keys = draw({name.key for name in out}, ASKED, seed=seed)
    return Split(kept, {key: forms[key] for key in keys}), out


def pairs_of(
    names: Iterable[Name],
    *,
    kinds: bool = True,
    kana: bool = False,
    counts: Mapping[tuple[str, str], float] | None = None,
) -> list[Pair]:
    """Readings with kanji, once for each kind; people who are counted count as in `make models`."""
    counts = counts or {}
    found: dict[tuple[str, str, str], float] = {}
    for name in names:
        more = counts.get((name.kanji, name.kana), 0.0) / BEARERS
        for kind in name.kinds if kinds else ("",):
            read = name.kana if kana else name.key
            found[read, name.kanji, kind] = 1.0 + (more if kind in ("", "surname") else 0.0)
    return [
        Pair(tuple(read), tuple(kanji), weight, kind)
        for (read, kanji, kind), weight in found.items()
    ]
