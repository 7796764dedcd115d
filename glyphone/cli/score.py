"""glyphone score: what a model thinks of given pairs; with --audit, which of them are odd."""

from __future__ import annotations

import argparse
from typing import get_args

from glyphone.cli.apply import positive

HELP = "score words with their pronunciations, or audit a lexicon"

ABOUT = """columns: word, pronunciation, ln P, posterior, rank among the best answers, alignment;
with --audit also surprise, the model's own answer, and line. Surprise is ln P of the model's own
answer less ln P of the entry: 0 where they are the same. A model that was trained on the
entries has seen their errors too, and is less surprised than one that was not: train on a part,
and audit the other."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from glyphone.data.writing import Unit

    units = get_args(Unit)
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
    parser.add_argument("--source-column", type=positive, default=1, metavar="N")
    parser.add_argument("--target-column", type=positive, default=2, metavar="N")
    parser.add_argument("--source-unit", choices=units, help="of the file (default: the model's)")
    parser.add_argument("--target-unit", choices=units, help="of the file (default: the model's)")
    parser.add_argument("--jobs", type=positive, metavar="N", help="threads (default: all cores)")


def run(arguments: argparse.Namespace) -> int:
    from glyphone import catalog
    from glyphone.score_files import ScoreJob, score_file

    job = ScoreJob(
        path=arguments.pairs,
        output=arguments.output,
        errors=arguments.errors,
        source_column=arguments.source_column,
        target_column=arguments.target_column,
        source_unit=arguments.source_unit,
        target_unit=arguments.target_unit,
        format=arguments.format,
        depth=arguments.depth,
        audit=arguments.audit,
        top=arguments.top,
    )
    return 1 if score_file(catalog.load(arguments.model), job, jobs=arguments.jobs) else 0
