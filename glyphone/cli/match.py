"""glyphone match: whether two Japanese names, in any script, can be those of one person."""

from __future__ import annotations

import argparse

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
        "first", metavar="NAME|PAIRS", help="a name, or a TSV file of pairs; - is stdin"
    )
    parser.add_argument("second", metavar="NAME", nargs="?", help="the name to compare it with")
    parser.add_argument(
        "--model", default="jpn.kanji", help="a model of Japanese names (default: jpn.kanji)"
    )
    parser.add_argument("-o", "--output", default="-", help="- is stdout; .gz is compressed")
    parser.add_argument(
        "--errors", metavar="FILE", help="failed pairs (default: OUTPUT.errors.tsv, or stderr)"
    )
    parser.add_argument("--format", choices=("tsv", "jsonl"), default="tsv")
    parser.add_argument("--resume", action="store_true", help="go on where a stopped run ended")
    parser.add_argument("--first-column", type=positive, default=1, metavar="N")
    parser.add_argument("--second-column", type=positive, default=2, metavar="N")
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
        source=arguments.first,
        names=None if arguments.second is None else (arguments.first, arguments.second),
        output=arguments.output,
        errors=arguments.errors,
        model=arguments.model,
        first_column=arguments.first_column,
        second_column=arguments.second_column,
        format=arguments.format,
        readings=arguments.readings,
        least=arguments.least,
    )
    return 1 if match_file(catalog_names.load(arguments.model), job, resume=arguments.resume) else 0
