"""glyphone treebank best: the best trees for each sentence, with their probabilities."""

from __future__ import annotations

import argparse

from glyphone.cli.arguments.types import positive
from glyphone.cli.treebank import transfer

HELP = "impute the best trees for each sentence, with their probabilities"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    transfer.add_arguments(parser)
    parser.add_argument(
        "-n", "--trees", type=positive, default=10, metavar="N", help="a sentence (default: 10)"
    )


def run(arguments: argparse.Namespace) -> int:
    return transfer.transfer(arguments, "best", arguments.trees)
