"""glyphone treebank: trees of one language taken into another, and treebanks compared."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Any

HELP = "take a treebank into another language, or compare two"
SUBVERBS = ("best", "compare", "sample", "transfer")


def module_of(subverb: str) -> Any:
    return import_module(f"glyphone.cli.treebank_{subverb}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parsers = parser.add_subparsers(dest="subverb", required=True, metavar="|".join(SUBVERBS))
    for subverb in SUBVERBS:
        module = module_of(subverb)
        module.add_arguments(parsers.add_parser(subverb, help=module.HELP, description=module.HELP))


def run(arguments: argparse.Namespace) -> int:
    code: int = module_of(arguments.subverb).run(arguments)
    return code
