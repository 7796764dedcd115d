"""glyphone samples: a readable table of names and what becomes of them."""

from __future__ import annotations

import argparse

HELP = "show a list of sample names, each with the transducer named behind it"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "input", nargs="?", help="lines of NAME<TAB>GRAMMAR:RULE (default: the samples shipped)"
    )


def run(arguments: argparse.Namespace) -> int:
    from glyphone.catalog import samples

    rows, failed = samples.transliterate_samples(arguments.input)
    print(samples.align_columns(rows))
    return 1 if failed else 0
