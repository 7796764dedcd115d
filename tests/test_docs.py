"""The guides and the README are true: examples run and print their output, commands are read."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from glyphone.cli import VERBS, parser_of

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_of_a_page(page: Path) -> None:
    failed, _ = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0


def commands_of(page: Path) -> Iterator[list[str]]:
    """The words of each `glyphone` command in the indented lines of a page."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    for line in re.findall(r"^    (?! )(.*)$", text, flags=re.MULTILINE):
        if line.split(" ")[0] not in ("glyphone", "echo", "cat", "zcat"):
            continue
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|<>")
        lexer.whitespace_split = True
        command: list[str] = []
        for word in [*lexer, "|"]:
            if not {*word} <= {*"|<>"}:
                command.append(word)
                continue
            if command[:1] == ["glyphone"]:
                yield command[1:]
            command = []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_verbs_read_the_commands_of_a_page(page: Path) -> None:
    for verb, *words in commands_of(page):
        assert verb in VERBS
        try:
            parser_of(verb).parse_args(words)
        except SystemExit:
            pytest.fail(f"{page.name}: glyphone {verb} {shlex.join(words)}")


def test_commands_are_found() -> None:
    assert len([*commands_of(ROOT / "README.md")]) > 30
