"""glyphone convert: a joint model, or a tagger, from one format to another."""

from __future__ import annotations

import argparse
import sys

HELP = (
    "turn a joint model into another format: .glyphone, .arpa, .fst, .far; "
    "or a tagger: .glyphone, .wapiti, .crfsuite"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from typing import get_args

    from glyphone.cli.arguments.types import not_negative
    from glyphone.data.writing import Unit

    units = get_args(Unit)
    parser.add_argument("input", metavar="IN", help="FILE.glyphone, .arpa, .fst, .far[:KEY] ...")
    parser.add_argument("output", metavar="OUT", help="FILE.glyphone, .arpa, .fst, .far ...")
    parser.add_argument(
        "--chunks",
        action="store_true",
        help="transducers of whole chunks, for Phonetisaurus, instead of single symbols",
    )
    parser.add_argument(
        "--prune",
        type=not_negative,
        metavar="THRESHOLD",
        help="leave out n-grams whose loss raises the perplexity by a smaller share, such as 1e-7",
    )
    parser.add_argument(
        "--patterns",
        nargs="+",
        default=(),
        metavar="FILE",
        help="what a tagger looks at, if its file does not say so",
    )
    group = parser.add_argument_group("how tokens and symbols are written in files of other tools")
    group.add_argument(
        "--pair", default="}", help="between letters and phones (default: %(default)s)"
    )
    group.add_argument(
        "--tie", default="|", help="between symbols of a side (default: %(default)s)"
    )
    group.add_argument("--empty", default="_", help="for a side of none (default: %(default)s)")
    group.add_argument("--space", default="", metavar="CHARACTER", help="for blanks in symbols")
    group.add_argument(
        "--source-unit", choices=units, help="default: token if a symbol is long, else codepoint"
    )
    group.add_argument("--target-unit", choices=units, default="token")


def run(arguments: argparse.Namespace) -> int:
    if any(path.endswith((".wapiti", ".crfsuite")) for path in (arguments.input, arguments.output)):
        return tagger(arguments)
    from glyphone.catalog.conversion import Conversion, convert_model
    from glyphone.fst.joint.tokens import Notation

    notation = Notation(
        pair=arguments.pair, tie=arguments.tie, empty=arguments.empty, space=arguments.space
    )
    options = Conversion(
        notation=notation,
        source_unit=arguments.source_unit,
        target_unit=arguments.target_unit,
        chunks=arguments.chunks,
        prune=arguments.prune,
    )
    model = convert_model(arguments.input, arguments.output, options)
    size = (
        f"{len(model.units)} units, {model.ngrams.n_ngrams} n-grams of order {model.ngrams.order}"
    )
    print(f"{arguments.output}: {size}", file=sys.stderr)
    return 0


def tagger(arguments: argparse.Namespace) -> int:
    from glyphone.tagging.conversion import convert_tagger

    learner = convert_tagger(arguments.input, arguments.output, patterns=arguments.patterns)
    size = f"{len(learner.classes_)} labels, {len(learner.model_.weights)} weights"
    print(f"{arguments.output}: {size}", file=sys.stderr)
    return 0
