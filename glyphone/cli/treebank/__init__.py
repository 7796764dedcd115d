"""glyphone treebank: transfer of treebanks to another language, and comparison of treebanks.

Public: none; a verb as all others.
"""

from __future__ import annotations

import argparse

HELP = "transfer a treebank to another language, or compare two treebanks"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from glyphone.cli.treebank import compare, several, transfer

    verbs = [
        ("best", several, several.HELP["best"]),
        ("compare", compare, compare.HELP),
        ("sample", several, several.HELP["sample"]),
        ("transfer", transfer, transfer.HELP),
    ]
    names = "|".join(name for name, _, _ in verbs)
    parsers = parser.add_subparsers(dest="subverb", required=True, metavar=names)
    for name, module, about in verbs:
        subparser = parsers.add_parser(name, help=about, description=about)
        module.add_arguments(subparser)
        subparser.set_defaults(run_subverb=module.run)


def run(arguments: argparse.Namespace) -> int:
    code: int = arguments.run_subverb(arguments)
    return code
