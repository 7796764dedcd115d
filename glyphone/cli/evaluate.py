"""glyphone evaluate: how often a model is right, and how far it can be believed."""

from __future__ import annotations

import argparse
import json

from glyphone.cli.apply import NAMES_ARE, PROMOTE
from glyphone.cli.arguments.lexicon import SIDES, add_columns, given_options
from glyphone.cli.arguments.types import natural, positive

HELP = "measure a model on words whose answers are known"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL[:RULE]", help="a model, archive or grammar")
    parser.add_argument(
        "test", help="WORD<TAB>PRONUNCIATION, a line for each pronunciation; - is stdin"
    )
    parser.add_argument("--nbest", type=positive, default=10, metavar="N", help="for MRR and top N")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
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
    parser.add_argument("--names-are", metavar="KIND", help=NAMES_ARE)
    parser.add_argument("--errors", type=natural, default=0, metavar="N", help="show the N worst")
    parser.add_argument("--failures", metavar="FILE", help="failed items (default: stderr)")
    parser.add_argument("--jobs", type=positive, metavar="N", help="threads (default: all cores)")
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="of the bootstrap")


def run(arguments: argparse.Namespace) -> int:
    from glyphone.catalog import names as catalog_names
    from glyphone.evaluation.files import ReferenceFile, evaluate_file

    test = ReferenceFile(
        path=arguments.test,
        **given_options(arguments, SIDES),
        failures=arguments.failures,
        slice_column=arguments.slice_column,
        slices=arguments.slices,
        lexicon=arguments.lexicon,
        weight_column=arguments.weight_column,
        promote=arguments.promote,
    )
    model = catalog_names.load(arguments.model)
    evaluation, failed = evaluate_file(
        model if arguments.names_are is None else model.of_kind(arguments.names_are),
        test,
        nbest=arguments.nbest,
        jobs=arguments.jobs,
        seed=arguments.seed,
        name=arguments.model,
    )
    if arguments.json:
        print(json.dumps(evaluation.as_dict(errors=arguments.errors), ensure_ascii=False))
    else:
        print(evaluation.page(errors=arguments.errors))
    return 1 if failed else 0
