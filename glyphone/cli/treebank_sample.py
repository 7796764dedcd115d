"""glyphone treebank sample: several random trees for each sentence, as probable as they are."""

from __future__ import annotations

import argparse

from glyphone.cli import treebank_transfer
from glyphone.cli.arguments.types import positive

HELP = "impute several random trees for each sentence, as probable as they are"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    treebank_transfer.add_arguments(parser)
    parser.add_argument(
        "-n", "--trees", type=positive, default=10, metavar="N", help="a sentence (default: 10)"
    )


def run(arguments: argparse.Namespace) -> int:
    return treebank_transfer.transfer(arguments, "sampled", arguments.trees)
