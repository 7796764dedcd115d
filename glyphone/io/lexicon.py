"""A lexicon as verbs read it: which columns, and in which units.

>>> LexiconFile(path="eng.tsv").target.unit
'token'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from glyphone.data.errors import FormatError
from glyphone.data.lexicons.tsv import numbered_lexicon
from glyphone.data.records import Pair
from glyphone.data.writing import Unit, Writing


@dataclass(frozen=True, kw_only=True)
class LexiconFile:
    """A lexicon, and how it is read; columns count from 1."""

    path: str
    source_column: int = 1
    target_column: int = 2
    weight_column: int | None = None
    kind_column: int | None = None
    source_unit: Unit = "codepoint"
    target_unit: Unit = "token"

    @property
    def source(self) -> Writing:
        return Writing(self.source_unit)

    @property
    def target(self) -> Writing:
        return Writing(self.target_unit)

    def entries(
        self, on_error: Callable[[FormatError], None], *, other: str | None = None
    ) -> Iterator[tuple[int, Pair]]:
        """The entries with their lines; those of another file have the same columns, no weights."""
        return numbered_lexicon(
            self.path if other is None else other,
            source=self.source,
            target=self.target,
            source_column=self.source_column,
            target_column=self.target_column,
            weight_column=self.weight_column if other is None else None,
            kind_column=self.kind_column,
            on_error=on_error,
        )


def file_writing(own: Writing, unit: Unit | None) -> Writing:
    """How a side of the file is cut, where a model writes that side in its own way.

    In the same unit nothing else is settled here: a model that normalises a word itself can say
    where in it, as it was written, something is amiss. Into another unit only what is normalised
    can be cut, for what is decomposed would fall apart.
    """
    return Writing(own.unit, "none") if unit in (None, own.unit) else replace(own, unit=unit)
