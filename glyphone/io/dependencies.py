"""Files that a command reads, as a rule of make: modules of a checkout, and data files in it.

>>> print(make_rule("build/x.far", ["grammars/x.py", "grammars/x y#.tsv"]))
build/x.far: grammars/x.py grammars/x\\ y\\#.tsv
grammars/x.py:
grammars/x\\ y\\#.tsv:
<BLANKLINE>
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# Folders of Python's own modules, and of packages; others of its folders can hold anything.
OF_PYTHON = ("stdlib", "platstdlib", "purelib", "platlib")
_reading: list[set[str]] = []
_hooked = False


@contextmanager
def dependencies_written(
    path: str | None, *, target: str, without: Sequence[str] = ()
) -> Iterator[None]:
    """Writes a rule of make for `target` to `path`, when the block has ended without an error.

    Its prerequisites are the modules that are imported by then, and the files that were opened in
    the block, for reading only, as far as they lie below the current folder. Packages `without`
    influence on the result are left out. Without a path nothing is recorded.
    """
    if path is None:
        yield
        return
    with files_read() as opened:
        yield
    used = {*files_below_here([*opened, *module_files(without)])} - {os.path.relpath(target)}
    Path(path).write_text(make_rule(target, sorted(used)), encoding="utf-8")


@contextmanager
def files_read() -> Iterator[set[str]]:
    """A set to which every file is added that this process opens for reading in the block.

    Files that libraries open without Python are not seen.
    """
    global _hooked
    if not _hooked:
        sys.addaudithook(note_opened)  # which stays for the rest of the process
        _hooked = True
    opened = set[str]()
    _reading.append(opened)
    try:
        yield opened
    finally:
        _reading.pop()


def note_opened(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook that adds the paths of files opened for reading to the sets in use."""
    if event != "open" or not _reading:
        return
    path, mode, flags = arguments
    writing = flags & (os.O_WRONLY | os.O_RDWR) if mode is None else {*"wax+"} & {*mode}
    if not writing and isinstance(path, str | bytes | os.PathLike):
        for opened in _reading:
            opened.add(os.path.abspath(os.fsdecode(path)))


def module_files(without: Sequence[str] = ()) -> list[str]:
    """The files of all modules that are imported, but for some packages, and for this module."""
    files = []
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        left_out = any(f"{name}.".startswith(f"{package}.") for package in (*without, __name__))
        if file and name != "glyphone" and not left_out:
            files.append(file)
    return files


def files_below_here(paths: Iterable[str]) -> list[str]:
    """Paths relative to the current folder, without caches and files that come with Python."""
    here = Path.cwd()
    foreign = [Path(sysconfig.get_path(name)).resolve() for name in OF_PYTHON]
    resolved = {Path(path).resolve() for path in paths}
    return sorted(
        os.path.relpath(path)
        for path in resolved
        if path.is_relative_to(here)
        and path.is_file()
        and "__pycache__" not in path.parts
        and not any(map(path.is_relative_to, foreign))
    )


def make_rule(target: str, paths: Iterable[str]) -> str:
    """A rule for make; the empty rules let a source be deleted without an error."""
    names = list(map(escape_name, paths))
    empty = "".join(f"{name}:\n" for name in names)
    return f"{escape_name(target)}: {' '.join(names)}\n{empty}"


def escape_name(path: str) -> str:
    """A file name that make reads as one."""
    return re.sub(r"([ #:])", r"\\\1", path).replace("$", "$$")
