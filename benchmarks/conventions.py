"""The list that a grammar is held against, and how both are brought to one convention."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from glyphone.data.errors import NotInstalled
from glyphone.data.sources.pinned import PINNED, source_file

Phones = tuple[str, ...]


def two_columns(path: Path) -> Iterator[tuple[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            word, phones = line.rstrip("\n").split("\t")
            yield word, phones


def segments(text: str) -> Phones:
    """Phones without stress and word boundaries."""
    return tuple(phone for phone in text.split() if phone not in "ˈˌ|")


@dataclass(frozen=True)
class Task:
    """A grammar, a list, and the phones of both in one convention.

    The list is a file below the folder of shared data, or `package:file` in an installed package,
    or in the file of a package that glyphone fetches.
    What a reference or an output becomes is what is compared; by default that is its phones
    without stress and word boundaries. `read` gives words and transcriptions.
    """

    grammar: str
    path: str
    reference: Callable[[str], Phones] = segments
    output: Callable[[str], Phones] = segments
    read: Callable[[Path], Iterator[tuple[str, str]]] = two_columns
    note: str = ""

    def source(self, shared: Path) -> Path:
        """Where the list would be; a package that cannot be had gives a path that is absent."""
        package, colon, file = self.path.partition(":")
        if not colon:
            return shared / self.path
        if package in PINNED:
            try:
                return source_file(package)
            except NotInstalled:
                return Path(package, file)
        spec = find_spec(package)
        folders = list(spec.submodule_search_locations or []) if spec else []
        return Path(folders[0] if folders else package, file)
