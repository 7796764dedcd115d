"""glyphone tag: labels for tokens in columns."""

from __future__ import annotations

import argparse

from glyphone.cli.arguments.types import positive

HELP = "label tokens in columns with a tagger that `train --kind crf --patterns` made"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="the file of the tagger")
    parser.add_argument(
        "path",
        metavar="FILE",
        help="a token a line in the columns it learnt from, without labels; - is stdin",
    )
    parser.add_argument("-o", "--output", default="-", help="- is stdout; .gz is compressed")
    parser.add_argument(
        "--format",
        choices=("tsv", "jsonl"),
        default="tsv",
        help="columns, or an object for each sentence (default: tsv)",
    )
    parser.add_argument("--jobs", type=positive, metavar="N", help="threads (default: all cores)")
    parser.add_argument(
        "--errors", metavar="FILE", help="failed sentences (default: OUTPUT.errors.tsv, or stderr)"
    )
    parser.add_argument("--resume", action="store_true", help="go on where a stopped run ended")


def run(arguments: argparse.Namespace) -> int:
    from glyphone.batch.job import Files
    from glyphone.tagging.files import tag_file

    files = Files(
        source=arguments.path,
        output=arguments.output,
        errors=arguments.errors,
        model=arguments.model,
        format=arguments.format,
    )
    return 1 if tag_file(files, jobs=arguments.jobs, resume=arguments.resume) else 0
