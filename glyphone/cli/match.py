"""glyphone match: whether two Japanese names, in any script, can be those of one person."""

from __future__ import annotations

import argparse

from glyphone.cli.arguments.stream import add_stream_options, exit_code, files_of
from glyphone.cli.arguments.types import positive, share

HELP = "compare Japanese names in kanji, kana and romaji by all their readings"

ABOUT = """columns: first name, second name, score, log odds, order (same, swapped), extent (whole,
part), writing (same, old forms, different, other script), shared readings with their
probabilities, what differs if the names do not agree, and kanji that the model does not know, if
there are any: they may be read as anything. The score is the probability that both
are read alike, from 0 to 1; log odds compare that with chance, in nats: names that
many people have agree more often by chance."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = ABOUT
    parser.add_argument(
        "first", metavar="NAME|PAIRS", help="a name, or pairs in TSV or Parquet; - is stdin"
    )
    parser.add_argument("second", metavar="NAME", nargs="?", help="the name to compare it with")
    parser.add_argument(
        "--model", default="jpn.kanji", help="a model of Japanese names (default: jpn.kanji)"
    )
    add_stream_options(parser, items="pairs")
    for side, column in (("first", 1), ("second", 2)):
        parser.add_argument(
            f"--{side}-column",
            type=positive,
            default=column,
            metavar="N",
            help=f"of pairs: where the {side} name stands (default: {column})",
        )
    parser.add_argument(
        "--readings", type=positive, default=5, metavar="N", help="readings listed (default: 5)"
    )
    parser.add_argument(
        "--least", type=share, default=0.0, metavar="P", help="leave out pairs of a lower score"
    )


def run(arguments: argparse.Namespace) -> int:
    from glyphone.catalog import names as catalog_names
    from glyphone.models.kanji.matching.files import MatchJob, match_file

    job = MatchJob(
        **files_of(arguments, arguments.first if arguments.second is None else "-"),
        names=None if arguments.second is None else (arguments.first, arguments.second),
        model=arguments.model,
        first_column=arguments.first_column,
        second_column=arguments.second_column,
        readings=arguments.readings,
        least=arguments.least,
    )
    model = catalog_names.load(arguments.model)
    return exit_code(match_file(model, job, jobs=arguments.jobs, resume=arguments.resume))
