"""Who of a list of customers called: `glyphone voicemail --customers` beside RapidFuzz.

    python benchmarks/voicemail_customers.py [--names census] [--customers 1000] [--messages 2000]

Names of customers are drawn at random, and so are callers: half of them customers, half strangers
with names of the same lists. They say their names as callers of generated messages do, half
of them the first name alone, and a recogniser gets none, 10 % or 23 % of the words wrong, and three
times as many of names; wrong words sound like right ones, or are written like them. The caller is
found by eng.voicemail: RapidFuzz gets the likeliest name, ours this one alone, or all that the
model holds likely.

Of messages of customers in which a name is found: the caller is first among those who are listed
(right), anywhere among them (listed), or another is first (wrong); else nobody is listed. Of
strangers: somebody is listed. RapidFuzz lists all names of the best score from a cut-off on, the
one with the most right less wrong, and less strangers or a third of these, on messages of another
seed. Behind the rows of ours is the mean probability that is told of customers who are listed
first, and the share of them who called.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rapidfuzz import fuzz, process, utils

from glyphone.catalog import names as catalog_names
from glyphone.catalog.defaults import ENGLISH, MATCHER, VOICEMAIL
from glyphone.matching import file as matcher_file
from glyphone.matching.comparer import Comparer
from glyphone.matching.name_lists import NameList
from glyphone.matching.partners import HeardNames, PartnerFinder
from glyphone.matching.phones import Phones
from glyphone.voicemail.customers import IMPROBABLE, NAMES
from glyphone.voicemail.generator.confusions import confusions_of
from glyphone.voicemail.generator.draws import Draws
from glyphone.voicemail.generator.messages import draw_message
from glyphone.voicemail.generator.noise import Noise, add_noise
from glyphone.voicemail.generator.people import LISTS, NameLists, People, people_of
from glyphone.voicemail.generator.templates import MessageTemplates
from glyphone.voicemail.model import load
from glyphone.voicemail.records.messages import Message
from glyphone.voicemail.records.transcripts import Transcript

NOISES = (None, Noise(rate=0.1), Noise(rate=0.23), Noise(rate=0.23, by="letters"))
THRESHOLDS = (0.1, 0.5)
CUTOFFS = range(50, 101)
# What a stranger for whom somebody is listed costs, when a cut-off is chosen.
COSTS = (1.0, 1 / 3)
TEST, DEV = 2, 3


@dataclass(frozen=True)
class Caller(People):
    """A caller, who says as much of a name as a message wants."""

    name: tuple[str, ...]

    def draw_name(self, draws: Draws, length: int) -> tuple[str, ...]:
        first, last = self.name
        middle = super().draw_name(draws, length)[1:-1]
        return (first,) if length == 1 else (first, *middle, last)


@dataclass(frozen=True)
class Call:
    """The place of the caller among the customers, None for a stranger; the name that was found;
    and the likeliest names, with their probabilities."""

    place: int | None
    heard: str
    names: HeardNames


def customers_of(people: People, n: int) -> list[tuple[str, ...]]:
    """Different names of two words."""
    draws, found = Draws("customers"), dict[tuple[str, ...], None]()
    while len(found) < n:
        found[people.draw_name(draws, 2)] = None
    return [*found]


def calls_of(
    customers: Sequence[tuple[str, ...]], names: NameLists, noise: Noise | None, n: int, seed: int
) -> list[Call]:
    """n messages with names of callers, as the default model hears them."""
    rows: list[tuple[int | None, Message]] = []
    for place, message in callers(customers, names, seed):
        if noise is not None:
            heard = Draws(f"{message.id} heard")
            message = add_noise(message, noise, confusions_of("test", names, noise.by), heard)
        rows.append((place, message))
        if len(rows) == n:
            break
    found = load(VOICEMAIL).find([Transcript(message.words) for _, message in rows], names=NAMES)
    return [Call(place, one.name, one.names) for (place, _), one in zip(rows, found, strict=True)]


def callers(
    customers: Sequence[tuple[str, ...]], names: NameLists, seed: int
) -> Iterator[tuple[int | None, Message]]:
    people, templates = people_of("test", names), MessageTemplates("test", names)
    known, number = {*customers}, 0
    while True:
        draws, number = Draws(f"caller {seed} {number}"), number + 1
        place = draws.between(0, 2 * len(customers) - 1)
        name = customers[place] if place < len(customers) else people.draw_name(draws, 2)
        while place >= len(customers) and name in known:
            name = people.draw_name(draws, 2)
        templates.people = Caller(people.first, people.last, name)
        whole, phrase, span = draw_message(draws, templates)
        if span is not None:
            message = Message(
                id=f"{seed} {number}",
                words=whole.words,
                caller_phrase=phrase,
                caller_name=span,
                numbers=whole.numbers,
            )
            yield place if place < len(customers) else None, message


# The places of the customers who are listed for each call, the likeliest first.
Listed = list[list[int]]
Counts = tuple[float, float, float, float, float]


def counts_of(calls: Sequence[Call], listed: Listed) -> Counts:
    """In percent: right, listed, wrong, nobody; strangers for whom somebody is listed."""
    pairs = [*zip(calls, listed, strict=True)]
    known = [(call.place, row) for call, row in pairs if call.place is not None and call.heard]
    strangers = [bool(row) for call, row in pairs if call.place is None and call.heard]
    right = [row[:1] == [place] for place, row in known]
    among = [place in row for place, row in known]
    wrong = [bool(row) and row[0] != place for place, row in known]
    nobody = [not row for _, row in known]
    shares = [float(100 * np.mean(x)) for x in (right, among, wrong, nobody, strangers)]
    return tuple(shares)  # type: ignore[return-value]


def by_scorer(scorer: Callable[..., float], customers: Sequence[str], texts: Sequence[str]) -> Any:
    return process.cdist(
        texts, customers, scorer=scorer, processor=utils.default_process, dtype=np.float32
    )


def listed_from(table: Any, cutoff: float, calls: Sequence[Call]) -> Listed:
    best = table.max(1)
    return [
        np.flatnonzero(row == most).tolist() if most >= cutoff and call.heard else []
        for row, most, call in zip(table, best, calls, strict=True)
    ]


def best_cutoff(table: Any, calls: Sequence[Call], cost: float) -> int:
    def worth(cutoff: int) -> float:
        right, _, wrong, _, strangers = counts_of(calls, listed_from(table, cutoff, calls))
        return right - wrong - cost * strangers

    return max(CUTOFFS, key=worth)


def row(name: str, counts: Counts, more: str = "") -> None:
    print(f"  {name:34}" + " ".join(f"{value:8.1f}" for value in counts) + more, flush=True)


def rows_of_peers(customers: Sequence[str], dev: Sequence[Call], test: Sequence[Call]) -> None:
    for scorer in (fuzz.WRatio, fuzz.token_sort_ratio, fuzz.ratio):
        learnt, table = (
            by_scorer(scorer, customers, [call.heard for call in calls]) for calls in (dev, test)
        )
        for cutoff in sorted({best_cutoff(learnt, dev, cost) for cost in COSTS}):
            counts = counts_of(test, listed_from(table, cutoff, test))
            row(f"RapidFuzz {scorer.__name__} >= {cutoff}", counts)


def rows_of_finder(name: str, finder: PartnerFinder, most: int, calls: Sequence[Call]) -> None:
    began = time.process_time()
    heard = [[name for name in call.names[:most] if name[1] >= IMPROBABLE] for call in calls]
    found = finder.find(heard)
    seconds = time.process_time() - began
    for threshold in THRESHOLDS:
        listed = [
            [one.lines[0] for one in partners if one.probability >= threshold] for partners in found
        ]
        firsts = [
            (partners[0].probability, places[0] == call.place)
            for call, partners, places in zip(calls, found, listed, strict=True)
            if places
        ]
        told, right = np.mean(firsts, 0) if firsts else (np.nan, np.nan)
        more = f"  {told:.2f} {right:.2f} {len(calls) / seconds:5.0f} messages/CPU s"
        row(f"{name} >= {threshold}", counts_of(calls, listed), more)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--names", choices=LISTS, default="census")
    parser.add_argument("--customers", type=int, default=1000)
    parser.add_argument("--messages", type=int, default=2000)
    arguments = parser.parse_args(argv)
    customers = customers_of(people_of("test", arguments.names), arguments.customers)
    names = [*map(" ".join, customers)]
    listed = NameList(names, [(place,) for place in range(len(names))], [])
    comparer = Comparer(matcher_file.load_named(MATCHER))
    letters, sounds = (
        PartnerFinder(comparer, listed, phones=phones, least=min(THRESHOLDS))
        for phones in (None, Phones(catalog_names.load(ENGLISH)))
    )
    head = " ".join(f"{word:>8}" for word in ("right", "listed", "wrong", "nobody", "strangers"))
    print(f"{len(customers)} customers, names of {arguments.names}; percent of messages")
    print(f"  {'':34}{head}")
    for noise in NOISES:
        dev, test = (
            calls_of(customers, arguments.names, noise, arguments.messages, seed)
            for seed in (DEV, TEST)
        )
        told = "clean" if noise is None else f"{noise.rate:.0%} wrong, by {noise.by}"
        n_heard = sum(bool(call.heard) for call in test)
        print(f"{told}: {n_heard} of {len(test)} messages have a name that is found")
        rows_of_peers(names, dev, test)
        rows_of_finder("likeliest name, letters", letters, 1, test)
        rows_of_finder("likeliest name, sounds", sounds, 1, test)
        rows_of_finder("names, sounds", sounds, NAMES, test)


if __name__ == "__main__":
    main()
