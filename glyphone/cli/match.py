"""glyphone match: whether names are one, two of them, in pairs, in a list, or of two lists."""

from __future__ import annotations

import argparse

from glyphone.cli.arguments.stream import add_stream_options, exit_code
from glyphone.cli.arguments.types import column, positive, share

HELP = "tell which names are one: two names, pairs, a list, two lists"

ABOUT = """Columns of pairs: first name, second name, the probability that they are one, their words
that are linked and why, words of either that are left over. Partners (--top, or two lists) have the
lines of both names in two columns more. Clusters: number, names in it, name, its best probability,
its lines. Two Japanese names, or --model jpn.kanji: first name, second name, score, log odds, order
(same, swapped), extent (whole, part), writing (same, old forms, different, other script), shared
readings with their probabilities, what differs if the names do not agree, and kanji that the model
does not know. Log odds compare the score with chance, in nats."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = ABOUT
    parser.add_argument(
        "first", metavar="NAME|FILE", help="a name; or pairs or a list: TSV, CSV, Parquet, -"
    )
    parser.add_argument(
        "second", metavar="NAME|FILE", nargs="?", help="the name, or list, to compare with"
    )
    parser.add_argument(
        "--top", type=positive, metavar="N", help="of a list or two: best partners (default: 1)"
    )
    parser.add_argument(
        "--clusters", action="store_true", help="of a list: names that are one, together"
    )
    parser.add_argument(
        *("--threshold", "--least"),
        type=share,
        metavar="P",
        help="leave out what is less probable (default: 0; of lists: 0.5)",
    )
    parser.add_argument("--model", help="a matcher, or jpn.kanji (default: matcher)")
    add_stream_options(parser, items="pairs")
    parser.add_argument(
        "--column", type=column, metavar="C", help="of lists: a number, or a name in the header"
    )
    for side, default in (("first", 1), ("second", 2)):
        parser.add_argument(
            f"--{side}-column",
            type=column,
            metavar="C",
            help=f"of pairs: where the {side} name stands (default: {default}); of the {side} list",
        )
    parser.add_argument(
        "--readings", type=positive, default=5, metavar="N", help="of kanji: listed (default: 5)"
    )


def run(arguments: argparse.Namespace) -> int:
    from glyphone.matching.run import MatchRequest, match

    request = MatchRequest(
        first=arguments.first,
        second=arguments.second,
        model=arguments.model,
        output=arguments.output,
        errors=arguments.errors,
        format=arguments.format,
        column=arguments.column,
        first_column=arguments.first_column,
        second_column=arguments.second_column,
        threshold=arguments.threshold,
        top=arguments.top,
        clusters=arguments.clusters,
        readings=arguments.readings,
    )
    return exit_code(match(request, jobs=arguments.jobs, resume=arguments.resume))
