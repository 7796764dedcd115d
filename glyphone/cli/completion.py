"""glyphone completion: scripts by which shells complete verbs, options and their values."""

from __future__ import annotations

import argparse

HELP = "print a script by which a shell completes verbs, options, their values and names of models"
SHELLS = ("bash", "zsh", "fish")
ABOUT = """For bash, `source` the script in ~/.bashrc, or put it into
~/.local/share/bash-completion/completions/glyphone; for zsh, put it as _glyphone into a folder of
$fpath; for fish, into ~/.config/fish/completions/glyphone.fish."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = ABOUT
    parser.add_argument("shell", choices=SHELLS, help="the shell that reads the script")


def run(arguments: argparse.Namespace) -> int:
    from glyphone.cli import completion_scripts

    print(completion_scripts.script_for(arguments.shell), end="")
    return 0
