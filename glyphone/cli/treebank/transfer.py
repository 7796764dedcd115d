"""glyphone treebank transfer: a treebank of one language in the words and orders of another."""

from __future__ import annotations

import argparse
import os
from typing import Any

from glyphone.cli.arguments.types import natural, positive

HELP = "impute a treebank of a language that has text but no trees"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source", metavar="SOURCE", help="trees of another language, CoNLL-U or .trees"
    )
    parser.add_argument(
        "--text",
        required=True,
        metavar="TARGET",
        help="text of the target language: a sentence a line, or CoNLL-U",
    )
    parser.add_argument("--model", required=True, metavar="FILE", help="a transfer file, in TOML")
    parser.add_argument(
        "-o", "--output", required=True, metavar="OUT", help="the treebank, in the source's format"
    )
    parser.add_argument(
        "--iterations",
        type=positive,
        default=40,
        metavar="N",
        help="sweeps of each chain (default: 40)",
    )
    parser.add_argument("--chains", type=positive, default=2, metavar="N", help="(default: 2)")
    parser.add_argument(
        "--burn-in", type=natural, metavar="N", help="sweeps to leave out (default: half of them)"
    )
    parser.add_argument(
        "--thin", type=positive, default=1, metavar="N", help="keep every Nth sweep (default: 1)"
    )
    parser.add_argument(
        "--jobs", type=positive, metavar="N", help="chains at once (default: all cores)"
    )
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="(default: 0)")
    parser.add_argument(
        "--resume", action="store_true", help="go on where the same command was stopped"
    )


def run(arguments: argparse.Namespace) -> int:
    return run_transfer(arguments, "frequent", 1)


def run_transfer(arguments: argparse.Namespace, way: Any, n_trees: int) -> int:
    from glyphone.treebank.sampling.chains import SamplingOptions
    from glyphone.treebank.transfer.files import TransferJob, transfer_files

    options = SamplingOptions(
        iterations=arguments.iterations,
        chains=arguments.chains,
        seed=arguments.seed,
        burn_in=arguments.burn_in,
        thin=arguments.thin,
    )
    job = TransferJob(
        source=arguments.source,
        text=arguments.text,
        model=arguments.model,
        output=arguments.output,
        options=options,
        way=way,
        n_trees=n_trees,
        jobs=arguments.jobs or os.cpu_count() or 1,
        resume=arguments.resume,
    )
    return 1 if transfer_files(job) else 0
