"""glyphone compile: a grammar into an FST archive."""

from __future__ import annotations

import argparse
import sys

from glyphone.cli.arguments.dependencies import add_dependencies
from glyphone.grammar_tools import modules
from glyphone.io.dependencies import dependencies_written

HELP = "compile a grammar into an archive of transducers (needs pynini)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("grammar", help="a module such as spa.letter_to_sound, or a .py file")
    parser.add_argument("-o", "--output", required=True, metavar="FILE.far")
    add_dependencies(parser)


def run(arguments: argparse.Namespace) -> int:
    with dependencies_written(arguments.dependencies, target=arguments.output):
        rules = modules.compile_grammar(arguments.grammar, arguments.output)
    # print would write the line end apart, and lines of processes that run at once could mix.
    sys.stderr.write(f"{arguments.output}: {' '.join(rules)}\n")
    return 0
