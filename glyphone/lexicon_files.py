"""What verbs that read a lexicon share: how it is read, and what is told of lines that fail.

>>> refused = FormatError("column 2 is missing", path="eng.tsv", line=3, item="phi")
>>> print(nothing_in("eng.tsv", [unread(refused)]))
eng.tsv: line 3: item 'phi': column 2 is missing; none of 1 lines can be used (write ...)
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TypeVar

from tqdm import tqdm

from glyphone import rows
from glyphone.data.errors import FormatError, GlyphoneError, ItemError
from glyphone.data.lexicon import numbered_lexicon
from glyphone.data.lines import TextOutput
from glyphone.data.records import Pair
from glyphone.data.writing import Unit, Writing

ENTRY = "write WORD<TAB>PRONUNCIATION, one pronunciation a line"

# Messages of one kind that are shown before the others are only counted.
SHOWN = 10

# A line, what stands there, and why it cannot be used.
Failure = tuple[int, str, ItemError]
Item = TypeVar("Item")


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


def is_stream(path: str) -> bool:
    """Whether a path is no file that could be cut back and continued: -, a pipe, /dev/null."""
    return path == "-" or (os.path.exists(path) and not os.path.isfile(path))


def same_file(one: str, other: str) -> bool:
    """Whether writing to one path would change what is read or written at the other."""
    if is_stream(one) or is_stream(other):
        return False
    if os.path.exists(one) and os.path.exists(other):
        return os.path.samefile(one, other)
    return os.path.realpath(one) == os.path.realpath(other)


def beside(output: str) -> str:
    """Where what fails is listed, if nothing else is said: "", that is stderr, beside a stream.

    >>> beside("out.tsv"), beside("-")
    ('out.tsv.errors.tsv', '')
    """
    return "" if is_stream(output) else f"{output}.errors.tsv"


def check_distinct(
    *,
    read: Sequence[str | None],
    written: Sequence[str | None],
    what: str,
    options: str,
    shared: bool = False,
) -> None:
    """Refuses a file that is named twice, and to read stdin twice.

    What is `shared` may be read twice if it is a file.
    """
    sources = [path for path in read if path]
    targets = [path for path in written if path]
    pairs = [*product(sources, targets), *combinations(targets, 2)]
    pairs += [] if shared else combinations(sources, 2)
    twice = [one for one, other in pairs if same_file(one, other)]
    if twice or read.count("-") > 1:
        raise GlyphoneError(
            f"{what} must be different files",
            path=twice[0] if twice else "-",
            remedy=f"name other files with {options}",
        )


def progress(items: Iterable[Item], name: str, *, total: int | None = None) -> Iterable[Item]:
    """The same items, with a bar on a terminal and nothing elsewhere."""
    return tqdm(
        items,
        desc=name,
        total=total,
        unit=" pairs",
        unit_scale=True,
        disable=not sys.stderr.isatty(),
        file=sys.stderr,
    )


def unread(error: FormatError) -> Failure:
    """A line that is no entry, as a failure among others."""
    failure = ItemError(
        error.message,
        stage="reading",
        symbol=error.symbol,
        offset=error.offset,
        remedy=error.remedy,
    )
    return error.line or 0, error.item or "", failure


def nothing_in(path: str, failures: Sequence[Failure], *, remedy: str = ENTRY) -> FormatError:
    """What is wrong with a file that holds nothing to work on; of failures the first says why."""
    if not failures:
        return FormatError("holds no entries", path=path, remedy=remedy)
    line, item, error = failures[0]
    return FormatError(
        f"{error.message}; none of {len(failures)} lines can be used",
        path=path,
        line=line,
        item=item,
        symbol=error.symbol,
        offset=error.offset,
        remedy=error.remedy or remedy,
    )


def list_failures(failures: list[Failure], path: str, errors: TextOutput | None) -> None:
    """Tells of every failure in the order of lines, in the file for them or on stderr."""
    failures.sort(key=lambda failure: failure[0])
    if errors is not None:
        errors.write(rows.ERROR_HEADER + "".join(rows.error_row(*failure) for failure in failures))
        return
    for failure in failures:
        print(sentence(path)(*failure), end="", file=sys.stderr)


def sentence(path: str) -> Callable[[int, str, ItemError], str]:
    """The text of a failure for people, with its place in a file.

    >>> sentence("pairs.tsv")(3, "phi", ItemError("is odd"))
    "glyphone: pairs.tsv: line 3: item 'phi': is odd\\n"
    """

    def told(line: int, item: str, error: ItemError) -> str:
        error.path, error.line, error.item = path, line, item
        return f"glyphone: {error}\n"

    return told


def tell(errors: Sequence[GlyphoneError], what: str) -> None:
    """The first messages, and how many there are."""
    for error in errors[:SHOWN]:
        say(str(error))
    if errors:
        hidden = f", of which {SHOWN} are shown" if len(errors) > SHOWN else ""
        say(f"{len(errors)} {what}{hidden}")


def say(message: str) -> None:
    print(f"glyphone: {message}", file=sys.stderr)
