"""Messages of verbs to people, on stderr: figures, and the lines that fail.

>>> refused = FormatError("column 2 is missing", path="eng.tsv", line=3, item="phi")
>>> print(nothing_usable("eng.tsv", [unread_failure(refused)]))
eng.tsv: line 3: item 'phi': column 2 is missing; none of 1 lines can be used (write ...)
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from glyphone.data.errors import FormatError, GlyphoneError, ItemError
from glyphone.data.lines import TextOutput
from glyphone.io import rows

ENTRY = "write WORD<TAB>PRONUNCIATION, one pronunciation a line"


# Messages of one kind that are shown before the others are only counted.
SHOWN = 10


# A line, what stands there, and why it cannot be used.
Failure = tuple[int, str, ItemError]


def unread_failure(error: FormatError) -> Failure:
    """A line that is no entry, as a failure among others."""
    failure = ItemError(
        error.message,
        stage="reading",
        symbol=error.symbol,
        offset=error.offset,
        remedy=error.remedy,
    )
    return error.line or 0, error.item or "", failure


def nothing_usable(path: str, failures: Sequence[Failure], *, remedy: str = ENTRY) -> FormatError:
    """The error of a file without a usable line; its reason is that of the first failure."""
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
    """Writes every failure in the order of lines, to the file for them or to stderr."""
    failures.sort(key=lambda failure: failure[0])
    if errors is not None:
        errors.write(rows.ERROR_HEADER + "".join(rows.error_row(*failure) for failure in failures))
        return
    for failure in failures:
        print(failure_text(path)(*failure), end="", file=sys.stderr)


def failure_text(path: str) -> Callable[[int, str, ItemError], str]:
    """The text of a failure for people, with its place in a file.

    >>> failure_text("pairs.tsv")(3, "phi", ItemError("is odd"))
    "glyphone: pairs.tsv: line 3: item 'phi': is odd\\n"
    """

    def text_of(line: int, item: str, error: ItemError) -> str:
        error.path, error.line, error.item = path, line, item
        return f"glyphone: {error}\n"

    return text_of


def report_errors(errors: Sequence[GlyphoneError], what: str) -> None:
    """Prints the first messages, and how many there are."""
    for error in errors[:SHOWN]:
        print_message(str(error))
    if errors:
        hidden = f", of which {SHOWN} are shown" if len(errors) > SHOWN else ""
        print_message(f"{len(errors)} {what}{hidden}")


def print_message(message: str) -> None:
    print(f"glyphone: {message}", file=sys.stderr)


def cost_text(seconds: float) -> str:
    try:
        import resource
    except ImportError:  # not on Windows
        return f"{seconds:.1f} s"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    mebibytes = peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return f"{seconds:.1f} s, {mebibytes:.0f} MiB at most"
