"""glyphone check: faults of grammars."""

from __future__ import annotations

import argparse
import sys

HELP = "lint grammars: dead rules, holes, ambiguity, unused symbols, size (needs pynini)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("grammars", nargs="*", help="modules or .py files (default: all of ours)")
    parser.add_argument(
        "--sizes", default="build/sizes.json", metavar="FILE", help="sizes at the last check"
    )


def run(arguments: argparse.Namespace) -> int:
    from glyphone.grammar_tools import check as grammar_tools_check

    sound = True
    for verdict in grammar_tools_check.check_grammars(arguments.grammars, sizes=arguments.sizes):
        print(verdict, flush=True)
        sound = sound and verdict.is_sound
    if not sound:
        print("glyphone: there are findings; see above", file=sys.stderr)
    return 0 if sound else 1
