"""Ways in which people write a name of several words, given names first.

>>> chooser = Random(1)
>>> mistyped("schmidt", chooser), shortened(["anna", "maria", "paz"], chooser)
('scmidt', ['anna', 'paz'])
>>> initials(["anna", "maria", "paz"], chooser)
['anna', 'm', 'paz']
>>> titled("jean-luc d'arcy")
"Jean-Luc D'Arcy"
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from random import Random

from glyphone.data.lexicons.tsv import read_table
from glyphone.data.names.lists import FOLDER, key_of

# Scripts whose names of people are written without spaces.
UNSPACED = frozenset(("Hani", "Hang", "Hira", "Kana"))
LONG = 4
WORD = re.compile(r"[^\s'’-]+")


def written(words: Sequence[str], script: str, chooser: Random, *, changed: bool = True) -> str:
    """A name as a text; `changed` lets the order of its words change, and titles join it."""
    if script in UNSPACED:
        return "".join(words)
    name = [*words]
    roll = chooser.random() if changed else 1.0
    if len(name) > 1 and roll < 0.15:
        text = f"{name[-1]}, {' '.join(name[:-1])}"
    elif len(name) > 1 and roll < 0.25:
        text = " ".join([name[-1], *name[:-1]])
    else:
        text = " ".join(name)
    text = titled(text)
    if changed and script == "Latn" and chooser.random() < 0.08:
        text = f"{titled(chooser.choice(titles()))} {text}"
    return text.upper() if chooser.random() < 0.15 else text


def titled(text: str) -> str:
    return WORD.sub(lambda word: word[0][:1].upper() + word[0][1:], text)


@cache
def titles() -> tuple[str, ...]:
    """Titles in plain Latin letters that stand before a name."""
    rows = read_table(FOLDER / "titles.tsv", columns=3)
    return tuple(text for text, _, place in rows if place == "begin" and text.isascii())


def initials(words: list[str], chooser: Random) -> list[str]:
    """The given names, or the first or the middle ones of them, as initials."""
    last = len(words) - 1
    if last < 1:
        return words
    first = 1 if last > 1 and chooser.random() < 0.5 else 0
    stop = last if first or chooser.random() < 0.7 else 1
    dot = "." if chooser.random() < 0.7 else ""
    return [f"{x[:1]}{dot}" if first <= k < stop else x for k, x in enumerate(words)]


def shortened(words: list[str], chooser: Random) -> list[str]:
    """A name of three words or more without one of the middle ones."""
    if len(words) < 3:
        return words
    gone = chooser.randrange(1, len(words) - 1)
    return words[:gone] + words[gone + 1 :]


def joined(words: list[str], chooser: Random) -> list[str]:
    """Two neighbours as one word, or with a hyphen between them."""
    if len(words) < 2:
        return words
    at = chooser.randrange(len(words) - 1)
    sign = chooser.choice(["", "-"])
    return [*words[:at], words[at] + sign + words[at + 1], *words[at + 2 :]]


def mistyped(word: str, chooser: Random) -> str:
    """A word with a letter left out, added, changed, or two of them swapped, but for the first."""
    if len(word) < LONG:
        return word
    at = chooser.randrange(1, len(word) - 1)
    letter = chooser.choice(word)
    ways = (
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
        word[:at] + letter + word[at + 1 :],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
    )
    return chooser.choice(ways)


def mistyped_once(words: list[str], chooser: Random) -> list[str]:
    at = chooser.randrange(len(words))
    return [mistyped(word, chooser) if k == at else word for k, word in enumerate(words)]


@cache
def nicknames() -> dict[str, list[str]]:
    """Other names of the groups that a name of one word is in, if it is the full name."""
    found: dict[str, list[str]] = {}
    for names, _ in read_table(FOLDER / "nicknames.tsv", columns=2):
        full, *short = names.split()
        found.setdefault(key_of(full), []).extend(short)
    return found


def nicknamed(words: list[str], chooser: Random) -> list[str]:
    """A short form in the place of the first given name, if there is one."""
    short = nicknames().get(key_of(words[0])) if len(words) > 1 else None
    return [chooser.choice(short), *words[1:]] if short else words
