"""glyphone compile-tree: a tree into an archive of transducers."""

from __future__ import annotations

import argparse
import sys

from glyphone.cli.arguments.types import positive

HELP = "turn a model that is one tree into transducers that answer alike"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from glyphone.models.trees.compiling.compile import BUDGET, RULE

    parser.add_argument("model", metavar="MODEL", help="of --kind tree, with --previous 0")
    parser.add_argument("-o", "--output", required=True, metavar="FILE.far")
    parser.add_argument("--rule", default=RULE, help=f"its name in the archive (default: {RULE})")
    parser.add_argument(
        "--budget",
        type=positive,
        default=BUDGET,
        metavar="N",
        help=f"most arcs (default: {BUDGET})",
    )
    parser.add_argument(
        "--stages",
        action="store_true",
        help="a cascade of small transducers, one for each letter of the window (default: one)",
    )


def run(arguments: argparse.Namespace) -> int:
    from glyphone.catalog import names as catalog_names
    from glyphone.models.trees.compiling import compile as compiling_compile

    model = catalog_names.load(arguments.model)
    sizes = compiling_compile.compile_model(
        model,
        arguments.output,
        rule=arguments.rule,
        stages=arguments.stages,
        budget=arguments.budget,
    )
    print(f"{arguments.output}:{arguments.rule}: {sizes}", file=sys.stderr)
    return 0
