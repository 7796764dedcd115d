"""Which files a compiled grammar was made from, in the language of make.

>>> print(rule("build/x.far", ["grammars/x.py", "grammars/x y#.tsv"]))
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
from collections.abc import Iterable, Mapping
from pathlib import Path

from glyphone.fst.rules.cascade import Cascade

# What an archive is made by; all else in glyphone stands around it.
ROOMS = ("glyphone.data", "glyphone.fst", "glyphone.grammars")


def sources(rules: Mapping[str, Cascade]) -> list[str]:
    """Word lists and imported modules, those of the compiler included, relative to here."""
    here = Path.cwd()
    foreign = [Path(folder).resolve() for folder in sysconfig.get_paths().values()]
    paths = {path.resolve() for cascade in rules.values() for path in cascade.paths()}
    for module in list(sys.modules.values()):
        file, package = getattr(module, "__file__", None), getattr(module, "__package__", None)
        if file and (not str(package).startswith("glyphone") or str(package).startswith(ROOMS)):
            paths.add(Path(file).resolve())
            if str(package).startswith("glyphone.grammars."):
                text = Path(file).read_text(encoding="utf-8")
                lists = Path(file).resolve().parent.glob("*.tsv")
                paths.update(path for path in lists if path.name in text)
    return sorted(
        os.path.relpath(path)
        for path in paths
        if path.is_relative_to(here) and not any(map(path.is_relative_to, foreign))
    )


def rule(target: str, paths: Iterable[str]) -> str:
    """A rule for make; the empty rules let a source be deleted without an error."""
    names = list(map(escaped, paths))
    empty = "".join(f"{name}:\n" for name in names)
    return f"{escaped(target)}: {' '.join(names)}\n{empty}"


def escaped(path: str) -> str:
    """A file name that make reads as one."""
    return re.sub(r"([ #:])", r"\\\1", path).replace("$", "$$")


def write(path: str, *, target: str, rules: Mapping[str, Cascade]) -> None:
    Path(path).write_text(rule(target, sources(rules)), encoding="utf-8")
