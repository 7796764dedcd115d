"""Short and pet forms of given names: which two names one person may have.

>>> same_by_nickname("Bill", "William"), same_by_nickname("Саша", "Александр")
(True, True)
>>> same_by_nickname("Bill", "Robert"), same_by_nickname("Jean-Claude", "JC")
(False, True)

A row of the list is a group of names, and two names are of one group or not: Sasha may be an
Alexander or an Alexandra, but Alexander is no Alexandra.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from glyphone.data.lexicons.tsv import read_table
from glyphone.data.names.lists import FOLDER, key_of


@dataclass(frozen=True, eq=False)
class Nicknames:
    """The groups that each name is in, by their numbers."""

    groups: Mapping[str, frozenset[int]]

    def same(self, one: str, other: str) -> bool:
        """Whether the names are equal or of one group; case and marks do not matter."""
        first, second = key_of(one), key_of(other)
        if first == second:
            return bool(first)
        none = frozenset[int]()
        return not self.groups.get(first, none).isdisjoint(self.groups.get(second, none))


@lru_cache(maxsize=8)
def read_nicknames(*folders: Path) -> Nicknames:
    """Our groups, and those of files `nicknames.tsv` in folders of the user."""
    groups: dict[str, set[int]] = {}
    number = 0
    for path in (folder / "nicknames.tsv" for folder in (FOLDER, *folders)):
        if path.is_file():
            for names, _ in read_table(path, columns=2):
                number += 1
                for name in names.split():
                    groups.setdefault(key_of(name), set()).add(number)
    return Nicknames({name: frozenset(numbers) for name, numbers in groups.items()})


def same_by_nickname(one: str, other: str) -> bool:
    """Whether two given names are equal or, by our list, forms of one."""
    return read_nicknames().same(one, other)
