"""glyphone treebank compare: orders of constructions and agreement of two treebanks."""

from __future__ import annotations

import argparse
import sys

from glyphone.cli.arguments.types import natural

HELP = "compare the orders of two treebanks, and the sentences that are in both"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first", metavar="A", help="a treebank: .conllu, .mrg, .ptb or .trees")
    parser.add_argument("second", metavar="B", help="the treebank that A should be like")
    parser.add_argument(
        "--source",
        metavar="FILE",
        help="the source of A, which is compared with B as well",
    )
    parser.add_argument(
        "--read",
        choices=("conllu", "brackets"),
        help="the form of all treebanks (default: by their names)",
    )
    parser.add_argument(
        "--least",
        type=natural,
        default=20,
        metavar="N",
        help="leave out constructions that A or B has fewer times (default: 20)",
    )
    parser.add_argument("--format", choices=("page", "tsv", "json"), default="page")


def run(arguments: argparse.Namespace) -> int:
    from glyphone.treebank import compare

    job = compare.CompareJob(
        path=arguments.first,
        target=arguments.second,
        source=arguments.source,
        form=arguments.read,
        least=arguments.least,
    )
    comparison, refused = compare.compare_files(job)
    written = {
        "page": compare.comparison_page,
        "tsv": compare.comparison_tsv,
        "json": compare.comparison_json,
    }
    sys.stdout.write(written[arguments.format](comparison).rstrip("\n") + "\n")
    return 1 if refused else 0
