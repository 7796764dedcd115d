"""Lists of words in names that are no names themselves: titles, forms of companies, particles.

The lists stand beside this module as TSV, one row each; a file of the same name in a folder of the
user adds rows. A list row has a place: the word has its role at the `begin` of a name, at its
`end`, `inside` it, or at `any` place.

>>> lists = read_lists()
>>> lists.entries["ооо"], lists.entries["jointstockcompany"]
((Entry(role='company form', canonical='llc', place='any', kind='limited'),), \
(Entry(role='company form', canonical='jsc', place='any', kind='stock'),))
>>> lists.words["intl"], lists.numbers["third"]
('international', '3')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

from glyphone.data.errors import FormatError
from glyphone.data.lexicons.tsv import read_table
from glyphone.data.names.letters import plain_letters

Role = Literal["word", "title", "company form", "particle", "initial", "number"]
Place = Literal["any", "begin", "end", "caps", "inside", "small"]
FOLDER = Path(__file__).parent
COLUMNS = {"forms": 4, "titles": 3, "particles": 3, "abbreviations": 2, "numbers": 2}
_ROLES: dict[str, Role] = {"forms": "company form", "titles": "title", "particles": "particle"}


@dataclass(frozen=True)
class Entry:
    """A role that a word has at a place, and the text that it shares with its equivalents."""

    role: Role
    canonical: str
    place: Place
    kind: str = ""


@dataclass(frozen=True, eq=False)
class NameLists:
    """Entries by key, a key being the letters of a word or of several without what is between.

    `known` are words that abbreviations stand for, and these. `several` are keys of several words,
    `openings` all beginnings of keys; `attached` are forms and titles of scripts without spaces,
    which stand at the name without one, the longest first; `kinds` are those of legal forms.
    """

    entries: Mapping[str, tuple[Entry, ...]]
    words: Mapping[str, str]
    numbers: Mapping[str, str]
    known: frozenset[str] = frozenset()
    several: frozenset[str] = frozenset()
    openings: frozenset[str] = frozenset()
    attached: tuple[str, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)


@dataclass
class _Draft:
    entries: dict[str, tuple[Entry, ...]] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    several: set[str] = field(default_factory=set)
    attached: set[str] = field(default_factory=set)

    def add(self, name: str, row: tuple[str, ...], path: Path) -> None:
        key, canonical = key_of(row[0]), plain_letters(row[1])
        if len(plain_letters(row[0]).split()) > 1:
            self.several.add(key)
        if name in ("abbreviations", "numbers"):
            (self.words if name == "abbreviations" else self.numbers)[key] = canonical
            return
        place = next((one for one in get_args(Place) if one == row[-1]), None)
        if place is None:
            remedy = f"the last column is one of {', '.join(get_args(Place))}"
            raise FormatError(f"{row[0]!r} has no place {row[-1]!r}", path=path, remedy=remedy)
        entry = Entry(_ROLES[name], canonical, place, row[2] if name == "forms" else "")
        others = (
            old for old in self.entries.get(key, ()) if (old.role, old.place) != (entry.role, place)
        )
        self.entries[key] = (*others, entry)
        if (name == "titles" or len(key) > 1) and all(map(unspaced, key)):
            self.attached.add(key)


def key_of(text: str) -> str:
    """The letters and digits of a text, which dots and spaces between do not matter to.

    >>> key_of("Sp. z o.o."), key_of("SP Z OO")
    ('spzoo', 'spzoo')
    """
    return "".join(filter(str.isprintable, plain_letters(text).translate(_BETWEEN)))


_BETWEEN = dict.fromkeys(map(ord, " .'-/()&,"))


def unspaced(letter: str) -> bool:
    """Whether a letter is of Chinese, Japanese or Korean, whose words stand without spaces.

    >>> unspaced("株"), unspaced("ー"), unspaced("주"), unspaced("a")
    (True, True, True, False)
    """
    return (
        "\u3005" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7a3" or letter >= "\U00020000"
    )


@lru_cache(maxsize=8)
def read_lists(*folders: Path) -> NameLists:
    """Our lists, and rows of files of the same names in folders of the user, which come first."""
    draft = _Draft()
    for name, columns in COLUMNS.items():
        for path in (FOLDER / f"{name}.tsv", *(folder / f"{name}.tsv" for folder in folders)):
            if path.is_file():
                for row in read_table(path, columns=columns):
                    draft.add(name, row, path)
    keys = [*draft.entries, *draft.words]
    return NameLists(
        draft.entries,
        draft.words,
        draft.numbers,
        frozenset((*draft.words, *draft.words.values())),
        frozenset(draft.several),
        frozenset(beginnings(keys)),
        tuple(sorted(draft.attached, key=lambda text: (-len(text), text))),
        {one.canonical: one.kind for row in draft.entries.values() for one in row if one.kind},
    )


def beginnings(keys: Iterable[str]) -> Iterable[str]:
    return (key[:end] for key in keys for end in range(1, len(key) + 1))
