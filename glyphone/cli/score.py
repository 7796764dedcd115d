"""glyphone score: what a model thinks of given pairs; with --audit, which of them are odd."""

from __future__ import annotations

import argparse

from glyphone.cli.arguments.lexicon import SIDES, add_columns, given_options
from glyphone.cli.arguments.stream import add_stream_options, exit_code, files_of
from glyphone.cli.arguments.types import positive

HELP = "score words with their pronunciations, or audit a lexicon"

ABOUT = """columns: word, pronunciation, ln P, posterior, rank among the best answers, alignment;
with --audit also surprise, the model's own answer, and line. Surprise is ln P of the model's own
answer less ln P of the entry: 0 where they are the same. A model that was trained on the
entries has seen their errors too, and is less surprised than one that was not: train on a part,
and audit the other."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = ABOUT
    parser.add_argument("model", metavar="MODEL[:RULE]", help="a model, archive or grammar")
    parser.add_argument(
        "pairs",
        metavar="PAIRS",
        nargs="?",
        default="-",
        help="WORD<TAB>PRONUNCIATION, or Parquet with such columns; - is stdin",
    )
    add_stream_options(parser, items="pairs")
    parser.add_argument("--audit", action="store_true", help="the most surprising pairs first")
    parser.add_argument("--top", type=positive, metavar="N", help="so many of an audit")
    parser.add_argument(
        "--depth", type=positive, default=10, metavar="N", help="answers to rank (default: 10)"
    )
    add_columns(parser, of_model=True)


def run(arguments: argparse.Namespace) -> int:
    from glyphone.catalog import names as catalog_names
    from glyphone.evaluation.scoring_files import ScoreJob, score_file

    job = ScoreJob(
        **files_of(arguments, arguments.pairs),
        model=arguments.model,
        **given_options(arguments, SIDES),
        depth=arguments.depth,
        audit=arguments.audit,
        top=arguments.top,
    )
    model = catalog_names.load(arguments.model)
    return exit_code(score_file(model, job, jobs=arguments.jobs, resume=arguments.resume))
