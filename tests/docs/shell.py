"""A shell of a few programs, each run inside the test: `glyphone`, and what goes before it."""

from __future__ import annotations

import gzip
import io
import re
import runpy
import shlex
import sys
import tomllib
from contextlib import redirect_stdout
from itertools import groupby
from pathlib import Path
from unittest import mock

from glyphone.data.sources.pinned import PINNED
from tests.docs.pages import ROOT
from tests.glyphone.support import Ran, glyphone

SIGNS = {"|", "<", ">", ">>"}


def words_of(line: str) -> list[str]:
    """The words and signs of a command line, without its comment."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|<>")
    lexer.whitespace_split = True
    return list(lexer)


def run(line: str) -> Ran:
    """The exit code of the last program of a line, its output, and all that went to stderr."""
    ran, told = Ran(0, "", ""), ""
    parts = groupby(words_of(line), key=lambda word: word == "|")
    for program in (list(words) for is_pipe, words in parts if not is_pipe):
        ran = run_program(program, ran.out.encode())
        told += ran.err
    return Ran(ran.code, ran.out, told)


def run_program(words: list[str], given: bytes) -> Ran:
    """A program with its files of `<`, `>` and `>>`."""
    files = {}
    while len(words) > 2 and words[-2] in SIGNS:
        *words, sign, files_name = words
        files[sign] = Path(files_name)
    if "<" in files:
        given = files["<"].read_bytes()
    ran = PROGRAMS[words[0]](words[1:], given)
    for sign, mode in ((">", "w"), (">>", "a")):
        if sign in files:
            with files[sign].open(mode, encoding="utf-8") as file:
                file.write(ran.out)
            ran = Ran(ran.code, "", ran.err)
    return ran


def run_glyphone(words: list[str], given: bytes) -> Ran:
    return glyphone(*words, stdin=given)


def run_echo(words: list[str], given: bytes) -> Ran:
    return Ran(0, " ".join(words) + "\n", "")


def run_cat(words: list[str], given: bytes) -> Ran:
    return Ran(0, "".join(Path(word).read_text(encoding="utf-8") for word in words), "")


def run_zcat(words: list[str], given: bytes) -> Ran:
    return Ran(0, "".join(gzip.open(word, "rt", encoding="utf-8").read() for word in words), "")


def run_python(words: list[str], given: bytes) -> Ran:
    """A script of the project; tests are not run, but they must be there."""
    if words[:2] == ["-m", "pytest"]:
        missing = [word for word in words if "/" in word and not (ROOT / word).exists()]
        return Ran(1 if missing else 0, "", f"no {missing}" if missing else "")
    out = io.StringIO()
    with mock.patch.object(sys, "argv", words), redirect_stdout(out):
        runpy.run_path(str(ROOT / words[0]), run_name="__main__")
    return Ran(0, out.getvalue(), "")


def find_target(words: list[str], given: bytes) -> Ran:
    """`make` is not run, but what it is asked for must be there."""
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    goals = [word for word in words if not word.startswith("-") and "=" not in word]
    return Ran(0, "", "") if {*goals} <= {*targets} else Ran(2, "", f"no rule for {goals}")


def find_extras(words: list[str], given: bytes) -> Ran:
    """`pip` is not run, but must be asked for us and extras that we have, or for a source."""
    if words[0] == "download":
        pins = {f"{one.package}=={one.version}" for one in PINNED.values()}
        return Ran(0 if pins & {*words} else 1, "", "")
    asked = re.fullmatch(r"(?:\.|glyphone)(?:\[([\w,-]+)\])?(?:.* @ git\+.*)?", words[-1])
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    extras = asked[1].split(",") if asked and asked[1] else []
    if words[0] != "install" or not asked or not {*extras} <= {*known}:
        return Ran(1, "", f"pip does not know {words}")
    return Ran(0, "", "")


def find_activation(words: list[str], given: bytes) -> Ran:
    """`.` is given the script that activates the environment of `make`, and nothing else."""
    return Ran(0 if words == [".venv/bin/activate"] else 1, "", "")


def find_clone(words: list[str], given: bytes) -> Ran:
    """`git` is asked for a clone, and nothing else."""
    return Ran(0 if words[0] == "clone" else 1, "", "")


PROGRAMS = {
    "glyphone": run_glyphone,
    "echo": run_echo,
    "cat": run_cat,
    ".": find_activation,
    "zcat": run_zcat,
    "python": run_python,
    "make": find_target,
    "pip": find_extras,
    "git": find_clone,
}
