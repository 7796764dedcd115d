"""Completion scripts: bash runs its own; the others have the same words."""

from __future__ import annotations

import shlex
import shutil
import subprocess

import pytest

from glyphone.cli import VERBS
from tests.glyphone.support import glyphone


@pytest.fixture(scope="module")
def bash_script() -> str:
    if shutil.which("bash") is None:
        pytest.skip("there is no bash")
    return glyphone("completion", "bash").out


def completed(script: str, *words: str) -> list[str]:
    """The words that bash offers for the last of some."""
    line = " ".join(map(shlex.quote, words))
    asked = f"COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _glyphone\n"
    ran = subprocess.run(
        ["bash", "--norc", "-u"],
        input=f'{script}{asked}printf "%s\\n" "${{COMPREPLY[@]-}}"\n',
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert ran.stderr == ""
    return ran.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["glyphone", "comp"], ["compile", "compile-tree", "completion"]),
        (["glyphone", "apply", "--na"], ["--names-are"]),
        (["glyphone", "apply", "spa.letter_to_sound:CASTILIAN", "--unknown", "p"], ["pass"]),
        (["glyphone", "apply", "spa.l"], ["spa.letter_to_sound"]),
        (["glyphone", "explain", "rus.n"], ["rus.names"]),
        (["glyphone", "apply", "rus", "spa.l"], []),  # files
        (["glyphone", "treebank", "t"], ["transfer"]),
        (["glyphone", "treebank", "transfer", "--burn"], ["--burn-in"]),
        (["glyphone", "completion", ""], ["bash", "zsh", "fish"]),
        (["glyphone", "no-such-verb", "--"], []),
    ],
)
def test_bash_completes(bash_script: str, words: list[str], offered: list[str]) -> None:
    assert completed(bash_script, *words) == offered


def test_bash_completes_all_verbs(bash_script: str) -> None:
    assert completed(bash_script, "glyphone", "") == [*VERBS, "--help", "--version"]


def test_zsh_has_what_bash_has(bash_script: str) -> None:
    told = glyphone("completion", "zsh").out
    assert told.startswith("#compdef glyphone\n")
    assert told.endswith(bash_script)


def test_fish_has_verbs_options_and_values() -> None:
    lines = glyphone("completion", "fish").out.splitlines()
    in_apply = 'complete -c glyphone -n "__fish_seen_subcommand_from apply"'
    assert f"{in_apply} -l unknown -x -a 'fail pass skip'" in lines
    for verb in VERBS:
        assert any(f"-a {verb} -d " in line for line in lines)


def test_no_such_shell() -> None:
    ran = glyphone("completion", "tcsh")
    assert (ran.code, ran.out) == (2, "")
    assert "invalid choice: 'tcsh'" in ran.err
