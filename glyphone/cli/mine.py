"""glyphone mine: pairs of names for training, from data that installs."""

from __future__ import annotations

import argparse
import os

from glyphone.cli.arguments.dependencies import add_dependencies, record_dependencies
from glyphone.cli.arguments.types import natural, positive

HELP = "mine pairs of names from lists of places"

ABOUT = """Lines are LATIN<TAB>NATIVE<TAB>WEIGHT<TAB>SOURCE<TAB>KEY. Candidates come from
GeoNames and CLDR, which are fetched; kept are those that a model of the others
finds among its n best. The report has what was dropped, and why."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = ABOUT
    parser.add_argument("language", metavar="LANGUAGE", help="a code, or a file LANGUAGE.toml")
    parser.add_argument("-o", "--output", required=True, metavar="PAIRS", help="TSV; - is stdout")
    parser.add_argument("--dev", metavar="FILE", help="for a tenth of the words, kept apart")
    parser.add_argument("--report", metavar="FILE", help="as text, or as JSON if it ends in .json")
    parser.add_argument(
        "--rounds", type=positive, default=4, metavar="N", help="at most (default: 4)"
    )
    parser.add_argument(
        "--nbest", type=positive, default=10, metavar="N", help="to be among (default: 10)"
    )
    parser.add_argument(
        "--population",
        type=int,
        choices=(15000, 5000, 1000, 500),
        default=500,
        help="of the smallest places (default: 500)",
    )
    parser.add_argument("--jobs", type=positive, metavar="N", help="threads (default: all cores)")
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="(default: 0)")
    add_dependencies(parser)


def run(arguments: argparse.Namespace) -> int:
    from glyphone.models.names.mining.filter import FilterOptions
    from glyphone.models.names.mining.mine import MineJob, mine_file

    job = MineJob(
        language=arguments.language,
        output=arguments.output,
        dev=arguments.dev,
        report=arguments.report,
        population=arguments.population,
        options=FilterOptions(nbest=arguments.nbest, rounds=arguments.rounds, seed=arguments.seed),
    )
    with record_dependencies(arguments):
        mine_file(job, jobs=arguments.jobs or os.cpu_count() or 1)
    return 0
