"""The guides and the README are true: their Python and their commands run, with what they show."""

from __future__ import annotations

import doctest
import os
import re
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from glyphone.cli import VERBS
from glyphone.data.version import VERSION
from tests.docs import pages, shell, stand_ins
from tests.docs.pages import PAGES, ROOT, Command

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_read_from_top_to_bottom(page: Path, small_world: Path) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    steps = pages.steps(pages.read(page))
    for is_command, some in groupby(steps, key=lambda step: isinstance(step, Command)):
        # Files that the Python of a page writes are there for its commands.
        os.chdir(names.get("folder", small_world))
        if is_command:
            for command in some:
                check_command(command, page)
        else:
            test = doctest.DocTest([*some], names, page.name, str(page), 0, None)
            runner = doctest.DocTestRunner(verbose=False)
            runner.run(test, clear_globs=False)
            assert runner.failures == 0
            names = test.globs
    for picture in small_world.glob("docs/*.svg"):
        assert picture.read_bytes() == (ROOT / "docs" / picture.name).read_bytes()


def check_command(command: Command, page: Path) -> None:
    stand_ins.make_files(command.line, page.name)
    ran = shell.run(command.line)
    told = f"{page.name}:{command.number}: {command.line}\n{ran.out}{ran.err}"
    assert ran.code == command.exit_code, told
    if command.output is not None:
        assert doctest.OutputChecker().check_output(command.output, ran.out, FLAGS), told


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_the_text_of_a_page_are_there(page: Path) -> None:
    text = pages.read(page)
    for verb in re.findall(r"`glyphone ([a-z-]+)", text):
        assert verb in VERBS
    for goal in re.findall(r"`make ([a-z-]+)`", text):
        assert shell.run(f"make {goal}").code == 0, goal


def test_commands_are_found() -> None:
    text = "    make  # all\n\n```console\n$ echo a\na\n$ echo b\n```\n\n```toml\n    x = 1\n```\n"
    assert list(pages.commands(text)) == [
        Command(1, "make  # all"),
        Command(4, "echo a", "a\n"),
        Command(6, "echo b", ""),
    ]
    assert Command(1, "make  # fails: exit code 2").exit_code == 2


def test_the_readme_is_short() -> None:
    assert len(pages.read(ROOT / "README.md").splitlines()) < 120


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", pages.read(page))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_citation_has_the_version() -> None:
    assert f"\nversion: {VERSION}\n" in pages.read(ROOT / "CITATION.cff")
