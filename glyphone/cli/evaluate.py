"""glyphone evaluate: how often a model is right, and how far it can be believed."""

from __future__ import annotations

import argparse
import json

from glyphone.cli.apply import NAMES_ARE, PROMOTE
from glyphone.cli.arguments.lexicon import add_columns, given_options
from glyphone.cli.arguments.types import natural, positive

HELP = "measure a model on items whose answers are known"
ABOUT = """GOLD is, for a model of words, WORD<TAB>PRONUNCIATION, a line for each pronunciation; for
voicemail, messages with marks, which `glyphone voicemail generate` or `template` writes; for
taggers and entities, the columns that they learn from; for a pipeline, JSON Lines with "gold": a
list of right values, or of {"span": [begin, end], "value": "..."}."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = ABOUT
    parser.add_argument("model", metavar="MODEL[:RULE]", help="a model, archive, grammar, pipeline")
    parser.add_argument("test", metavar="GOLD", help="items with answers, see below; - is stdin")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--nbest", type=positive, metavar="N", help="answers that are looked at (words: 10)"
    )
    parser.add_argument("--errors", type=natural, default=0, metavar="N", help="show N errors")
    parser.add_argument("--wrong", metavar="FILE", help="wrong items, as TSV")
    parser.add_argument("--failures", metavar="FILE", help="failed items (default: stderr)")
    parser.add_argument("--jobs", type=positive, metavar="N", help="threads (default: all cores)")
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="of the bootstrap")
    add_word_arguments(parser.add_argument_group("models of words"))
    group = parser.add_argument_group("taggers and entities")
    group.add_argument("--scheme", choices=("bio", "iob1"), help="of gold labels (default: bio)")
    group.add_argument("--against", metavar="MODEL", help="another: which is right where one is")


def add_word_arguments(parser: argparse._ArgumentGroup) -> None:
    add_columns(parser, of_model=True)
    parser.add_argument(
        "--slice-column", type=positive, metavar="N", help="of the file, with origins of words"
    )
    parser.add_argument("--slices", metavar="FILE", help="WORD<TAB>ORIGIN, in a file of its own")
    parser.add_argument(
        "--lexicon", metavar="FILE", help="WORD<TAB>PRONUNCIATION: words to look up before MODEL"
    )
    parser.add_argument(
        "--weight-column", type=positive, metavar="N", help="of the lexicon, such as counts"
    )
    parser.add_argument("--promote", metavar="FILE", help=PROMOTE)
    parser.add_argument(
        "--relatives", metavar="LEXICON", help="that MODEL learnt from: tell words with and without"
    )
    parser.add_argument("--names-are", metavar="KIND", help=NAMES_ARE)


def run(arguments: argparse.Namespace) -> int:
    from glyphone.catalog import names as catalog_names
    from glyphone.evaluation.wrong import measure
    from glyphone.models.kinds import KINDS, kind_of_suffix, resolve_name

    kind = kind_of_suffix(arguments.model) or catalog_names.kind_of(arguments.model)
    every = sorted({option for one in KINDS.values() for option in one.measured_with})
    options = given_options(arguments, every)
    kind.check_measuring(options)
    evaluation, failed = measure(
        resolve_name(kind.measure),
        kind.load_model(arguments.model),
        arguments.test,
        name=arguments.model,
        wrong=arguments.wrong,
        failures=arguments.failures,
        jobs=arguments.jobs,
        seed=arguments.seed,
        **options,
    )
    if arguments.json:
        print(json.dumps(evaluation.as_dict(errors=arguments.errors), ensure_ascii=False))
    else:
        print(evaluation.page(errors=arguments.errors))
    return 1 if failed else 0
