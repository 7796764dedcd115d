"""glyphone align: every entry of a lexicon cut into units of letters and phones."""

from __future__ import annotations

import argparse

from glyphone.cli.arguments.lexicon import COLUMNS, add_columns, add_lexicon, given_options
from glyphone.cli.arguments.types import natural, positive

HELP = "align the words of a lexicon with their pronunciations"

# The options of the aligner; what is not chosen is left to it.
CHOICES = (
    "max_source",
    "max_target",
    "many_to_many",
    "deletions",
    "insertions",
    "method",
    "initial",
    "starts",
    "rounds",
    "seed",
    "weights",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_lexicon(parser)
    parser.add_argument("-o", "--output", default="-", help="- is stdout; .gz is compressed")
    parser.add_argument(
        "--errors", metavar="FILE", help="failed entries (default: OUTPUT.errors.tsv, or stderr)"
    )
    parser.add_argument("--format", choices=("tsv", "jsonl"), default="tsv")
    parser.add_argument(
        "--nbest", type=positive, default=1, metavar="N", help="alignments per entry"
    )
    parser.add_argument("--jobs", type=positive, metavar="N", help="threads (default: all cores)")
    add_columns(parser.add_argument_group("the lexicon"))
    add_model_arguments(parser.add_argument_group("units and their probabilities"))


def add_model_arguments(group: argparse._ArgumentGroup) -> None:
    flag = argparse.BooleanOptionalAction
    group.add_argument("--max-source", type=positive, metavar="N", help="symbols (default: 2)")
    group.add_argument("--max-target", type=positive, metavar="N", help="symbols (default: 2)")
    group.add_argument("--many-to-many", action=flag, help="several on both sides (default: no)")
    group.add_argument("--deletions", action=flag, help="silent source symbols (default: yes)")
    group.add_argument(
        "--insertions", type=natural, metavar="N", help="target symbols in each gap (default: 0)"
    )
    group.add_argument(
        "--one-to-one", action="store_true", help="one symbol or none a side; one in each gap"
    )
    group.add_argument("--method", choices=("soft", "viterbi"), help="of EM (default: soft)")
    group.add_argument(
        "--initial", choices=("bag", "uniform", "random"), help="first guess (default: bag)"
    )
    group.add_argument("--starts", type=positive, metavar="N", help="keep the best (default: 1)")
    group.add_argument(
        "--rounds", type=natural, metavar="N", help="of EM at most (default: 20; one-to-one: 10)"
    )
    group.add_argument("--seed", type=natural, metavar="N", help="of random starts (default: 0)")
    group.add_argument("--rules", metavar="FILE", help="rule pairs, LETTERS<TAB>PHONES")
    group.add_argument(
        "--weights",
        type=float,
        nargs=3,
        metavar=("RULES", "LEXICON", "UNIFORM"),
        help="shares of three distributions, with the sum 1 (default with --rules: 0.9 0.09 0.01)",
    )


def run(arguments: argparse.Namespace) -> int:
    from glyphone.alignments.align import aligner_options
    from glyphone.alignments.files import AlignJob, align_file

    job = AlignJob(
        path=arguments.lexicon,
        output=arguments.output,
        errors=arguments.errors,
        rules=arguments.rules,
        n=arguments.nbest,
        one_to_one=arguments.one_to_one,
        format=arguments.format,
        **given_options(arguments, COLUMNS),
    )
    options = aligner_options(one_to_one=arguments.one_to_one, **given_options(arguments, CHOICES))
    return 1 if align_file(job, options, jobs=arguments.jobs) else 0
