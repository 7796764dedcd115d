"""Paths that a verb reads and writes: streams, files named twice, folders that are not there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import combinations, product

from glyphone.data.errors import FormatError, GlyphoneError


def is_stream(path: str) -> bool:
    """Whether a path is no file that could be cut back and continued: -, a pipe, /dev/null."""
    return path == "-" or (os.path.exists(path) and not os.path.isfile(path))


def same_file(one: str, other: str) -> bool:
    """Whether writing to one path would change the file at the other."""
    if is_stream(one) or is_stream(other):
        return False
    if os.path.exists(one) and os.path.exists(other):
        return os.path.samefile(one, other)
    return os.path.realpath(one) == os.path.realpath(other)


def default_errors_path(output: str) -> str:
    """The default file of failures: beside the output; "", which is stderr, beside a stream.

    >>> default_errors_path("out.tsv"), default_errors_path("-")
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

    If `shared`, a file may be read twice.
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


def check_output(path: str, *, option: str = "-o") -> None:
    """Refuses a model file that could not be written, before the long work."""
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path) or not os.path.isdir(folder):
        message = "is a folder" if os.path.isdir(path) else "lies in no folder that exists"
        raise FormatError(message, path=path, remedy=f"name another file with {option}")
    if is_stream(path):
        remedy = f"name a file with {option}"
        raise GlyphoneError("a model cannot be written to a stream", path=path, remedy=remedy)
