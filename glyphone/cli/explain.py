"""glyphone explain: which rule fired where, or which units a learned model put together."""

from __future__ import annotations

import argparse
import sys

from glyphone.cli.arguments.types import positive

HELP = "show which rule fired where, or the units of a learned model and what each costs"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "model", metavar="MODEL[:RULE]", help="an archive or grammar, and a rule; or a model file"
    )
    parser.add_argument("items", nargs="+", metavar="ITEM")
    parser.add_argument("--nbest", type=positive, default=1, metavar="N", help="answers per item")
    parser.add_argument("--invert", action="store_true", help="from sound to writing")


def run(arguments: argparse.Namespace) -> int:
    from glyphone.catalog import names as catalog_names
    from glyphone.data.errors import GlyphoneError, ItemError
    from glyphone.models.kinds import resolve_name

    kind = catalog_names.kind_of(arguments.model)
    if not kind.explain:
        remedy = "explain one of the models in it" if kind.name == "pipeline" else ""
        message = f"a {kind.name} has no explanations"
        raise GlyphoneError(message, path=arguments.model, remedy=remedy or None)
    if arguments.invert:
        model = catalog_names.load(arguments.model).invert()
    else:
        model = kind.load_model(arguments.model)
    explain, failed = resolve_name(kind.explain), 0
    for item in arguments.items:
        try:
            for explanation in explain(model, item, arguments.nbest):
                print(explanation)
        except ItemError as error:
            print(f"glyphone: {error}", file=sys.stderr)
            failed = 1
    return failed
