"""glyphone tag: labels for tokens in columns."""

from __future__ import annotations

import argparse

from glyphone.cli.arguments.stream import add_stream_options, exit_code, files_of

HELP = "label tokens in columns with a tagger or a recogniser of entities"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="the file of the tagger")
    parser.add_argument(
        "path",
        metavar="FILE",
        nargs="?",
        default="-",
        help="a token a line in the columns it learnt from, without labels, or Parquet with a "
        "sentence a row; - is stdin",
    )
    add_stream_options(parser, items="sentences")
    parser.add_argument(
        "--language",
        metavar="CODE",
        help="FILE is running text in a language (eng, spa ...), which is cut into sentences and "
        "tokens; for taggers that look at words alone",
    )
    parser.add_argument(
        "--columns",
        metavar="NAMES",
        help="of Parquet: lists of tokens and of what stands beside them, with commas "
        "(default: all lists of text)",
    )


def run(arguments: argparse.Namespace) -> int:
    from glyphone.tagging.files import TagJob, tag_file

    job = TagJob(
        **files_of(arguments, arguments.path),
        model=arguments.model,
        language=arguments.language,
        columns=() if arguments.columns is None else tuple(arguments.columns.split(",")),
    )
    return exit_code(tag_file(job, jobs=arguments.jobs, resume=arguments.resume))
