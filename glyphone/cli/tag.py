"""glyphone tag: labels for tokens in columns."""

from __future__ import annotations

import argparse

HELP = "label tokens in columns with a tagger that `train --kind crf --patterns` made"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="the file of the tagger")
    parser.add_argument(
        "path", metavar="FILE", help="a token a line in the columns it learnt from, without labels"
    )
    parser.add_argument("-o", "--output", default="-", help="- is stdout; .gz is compressed")


def run(arguments: argparse.Namespace) -> int:
    from glyphone.crf.columns import tag_file

    tag_file(arguments.model, arguments.path, arguments.output)
    return 0
