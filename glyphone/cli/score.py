"""glyphone score: what a model thinks of given pairs; with --audit, which of them are odd."""

from __future__ import annotations

import argparse

from glyphone.cli.arguments.lexicon import SIDES, add_columns, given
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
        "pairs", metavar="PAIRS", nargs="?", default="-", help="WORD<TAB>PRONUNCIATION; - is stdin"
    )
    parser.add_argument("-o", "--output", default="-", help="- is stdout; .gz is compressed")
    parser.add_argument(
        "--errors", metavar="FILE", help="failed pairs (default: OUTPUT.errors.tsv, or stderr)"
    )
    parser.add_argument("--format", choices=("tsv", "jsonl"), default="tsv")
    parser.add_argument("--audit", action="store_true", help="the most surprising pairs first")
    parser.add_argument("--top", type=positive, metavar="N", help="so many of an audit")
    parser.add_argument(
        "--depth", type=positive, default=10, metavar="N", help="answers to rank (default: 10)"
    )
    add_columns(parser, of_model=True)
    parser.add_argument("--jobs", type=positive, metavar="N", help="threads (default: all cores)")


def run(arguments: argparse.Namespace) -> int:
    from glyphone import catalog
    from glyphone.score_files import ScoreJob, score_file

    job = ScoreJob(
        path=arguments.pairs,
        output=arguments.output,
        errors=arguments.errors,
        **given(arguments, SIDES),
        format=arguments.format,
        depth=arguments.depth,
        audit=arguments.audit,
        top=arguments.top,
    )
    return 1 if score_file(catalog.load(arguments.model), job, jobs=arguments.jobs) else 0
