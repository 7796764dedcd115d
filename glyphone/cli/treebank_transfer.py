"""glyphone treebank transfer: a treebank of one language in the words and orders of another."""

from __future__ import annotations

import argparse
from typing import Any

from glyphone.cli.apply import positive
from glyphone.cli.evaluate import natural

HELP = "impute a treebank of a language that has text but no trees"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SOURCE", help="trees of another language, in CoNLL-U")
    parser.add_argument(
        "--text", required=True, metavar="TARGET", help="a sentence a line, or CoNLL-U"
    )
    parser.add_argument("--model", required=True, metavar="FILE", help="a transfer file, in TOML")
    parser.add_argument(
        "-o", "--output", required=True, metavar="OUT", help="the treebank, CoNLL-U"
    )
    parser.add_argument(
        "--iterations", type=positive, default=40, metavar="N", help="(default: 40)"
    )
    parser.add_argument("--chains", type=positive, default=2, metavar="N", help="(default: 2)")
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="(default: 0)")
    parser.add_argument(
        "--resume", action="store_true", help="go on where the same command was stopped"
    )


def run(arguments: argparse.Namespace) -> int:
    return transfer(arguments, "frequent", 1)


def transfer(arguments: argparse.Namespace, way: Any, n_trees: int) -> int:
    from glyphone.treebank.sampling import SamplingOptions
    from glyphone.treebank.transfer_files import TransferJob, transfer_files

    options = SamplingOptions(
        iterations=arguments.iterations, chains=arguments.chains, seed=arguments.seed
    )
    job = TransferJob(
        source=arguments.source,
        text=arguments.text,
        model=arguments.model,
        output=arguments.output,
        options=options,
        way=way,
        n_trees=n_trees,
        resume=arguments.resume,
    )
    return 1 if transfer_files(job) else 0
