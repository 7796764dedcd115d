"""glyphone treebank best and sample: several trees for each sentence, the best or random ones."""

from __future__ import annotations

import argparse

from glyphone.cli.arguments.types import positive
from glyphone.cli.treebank import transfer

WAYS = {"best": "best", "sample": "sampled"}
HELP = {
    "best": "impute the best trees for each sentence, with their probabilities",
    "sample": "impute several trees for each sentence, drawn by their probabilities",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    transfer.add_arguments(parser)
    parser.add_argument(
        "-n",
        "--trees",
        type=positive,
        default=10,
        metavar="N",
        help="trees of each sentence (default: 10)",
    )


def run(arguments: argparse.Namespace) -> int:
    return transfer.run_transfer(arguments, WAYS[arguments.subverb], arguments.trees)
