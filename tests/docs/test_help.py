"""The help of the command line: it fits a screen, and its examples run."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.cli import JOBS, VERBS
from glyphone.cli.examples import EXAMPLES
from tests.docs import shell, stand_ins
from tests.glyphone.support import glyphone

SCREEN = 55


@pytest.mark.parametrize("verb", VERBS)
def test_help_fits_a_screen_and_ends_with_two_examples(
    verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    lines = glyphone(verb, "--help").out.splitlines()
    assert len(lines) <= SCREEN
    assert max(map(len, lines)) <= 100
    assert lines[-3:] == ["examples:", *(f"  {line}" for line in EXAMPLES[verb])]


@pytest.mark.parametrize("verb", VERBS)
def test_examples_of_help_run(verb: str, small_world: Path) -> None:
    for line in EXAMPLES[verb]:
        assert f"glyphone {verb} " in f"{line} "
        stand_ins.make_files(line, "help")
        ran = shell.run(line)
        assert ran.code == 0, f"{line}\n{ran.err}"


def test_verbs_are_listed_by_their_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    told = glyphone("--help").out
    places = [told.index(f"\n{job}:\n") for job in JOBS]
    assert places == sorted(places)
    assert max(map(len, told.splitlines())) <= 100
    assert len(told.splitlines()) <= SCREEN


def test_versions_of_what_matters_are_told() -> None:
    told = glyphone("--version").out
    for name in ("glyphone 0", "Python 3", "numpy ", "numba ", "pynini"):
        assert name in told
