"""Groups of words that may stand for each other: forms of given names, and translations.

>>> same_by_nickname("Bill", "William"), same_by_nickname("Саша", "Александр")
(True, True)
>>> same_by_nickname("Bill", "Robert"), same_by_nickname("Jean-Claude", "JC")
(False, True)
>>> same_by_translation("Îles", "Islands"), same_by_translation("Norte", "Sud")
(True, False)

A row of a list is a group, and two words are of one group or not: Sasha may be an Alexander or an
Alexandra, but Alexander is no Alexandra.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from glyphone.data.lexicons.tsv import read_table
from glyphone.data.names.lists import FOLDER, key_of

Grouped = Literal["nicknames", "translations"]


@dataclass(frozen=True, eq=False)
class WordGroups:
    """The groups that each word is in, by their numbers."""

    groups: Mapping[str, frozenset[int]]

    def same(self, one: str, other: str) -> bool:
        """Whether the words are equal or of one group; case and marks do not matter."""
        first, second = key_of(one), key_of(other)
        if first == second:
            return bool(first)
        none = frozenset[int]()
        return not self.groups.get(first, none).isdisjoint(self.groups.get(second, none))


@lru_cache(maxsize=8)
def read_groups(name: Grouped, *folders: Path) -> WordGroups:
    """Our groups, and those of files of the same name in folders of the user."""
    groups: dict[str, set[int]] = {}
    number = 0
    for path in (folder / f"{name}.tsv" for folder in (FOLDER, *folders)):
        if path.is_file():
            for words, _ in read_table(path, columns=2):
                number += 1
                for word in words.split():
                    groups.setdefault(key_of(word), set()).add(number)
    return WordGroups({word: frozenset(numbers) for word, numbers in groups.items()})


def same_by_nickname(one: str, other: str) -> bool:
    """Whether two given names are equal or, by our list, forms of one."""
    return read_groups("nicknames").same(one, other)


def same_by_translation(one: str, other: str) -> bool:
    """Whether two words are equal or, by our list, mean the same."""
    return read_groups("translations").same(one, other)
