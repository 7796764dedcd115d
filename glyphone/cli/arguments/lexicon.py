"""Arguments of the verbs that read a lexicon to learn from it; no verb itself.

>>> parser = argparse.ArgumentParser()
>>> add_lexicon(parser)
>>> add_columns(parser.add_argument_group("the lexicon"))
>>> given_options(parser.parse_args(["eng.tsv", "--weight-column", "3"]), COLUMNS)
{'weight_column': 3}
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any, get_args

from glyphone.cli.arguments.types import positive

SIDES = ("source_column", "target_column", "source_unit", "target_unit")
COLUMNS = (
    "source_column",
    "target_column",
    "weight_column",
    "kind_column",
    "source_unit",
    "target_unit",
)


def add_lexicon(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "lexicon", metavar="LEXICON", help="WORD<TAB>PRONUNCIATION, .gz too; - is stdin"
    )


def add_columns(group: argparse._ActionsContainer, *, of_model: bool = False) -> None:
    """Which columns are taken, and how; what a model is held against is in its own units."""
    from glyphone.data.writing import Unit

    units = get_args(Unit)
    about = ("of the file (default: the model's)",) * 2
    if not of_model:
        about = ("(default: codepoint)", "(default: token)")
    group.add_argument("--source-column", type=positive, metavar="N", help="(default: 1)")
    group.add_argument("--target-column", type=positive, metavar="N", help="(default: 2)")
    if not of_model:
        group.add_argument("--weight-column", type=positive, metavar="N", help="such as counts")
        kinds = "of names: surname, given, male, female"
        group.add_argument("--kind-column", type=positive, metavar="N", help=kinds)
    group.add_argument("--source-unit", choices=units, help=about[0])
    group.add_argument("--target-unit", choices=units, help=about[1])


def add_reading(group: argparse._ArgumentGroup) -> None:
    """Adds options of a lexicon to train on, and of its failures."""
    from glyphone.data.writing import NormalForm

    add_columns(group)
    group.add_argument(
        "--normal-form",
        choices=("auto", *get_args(NormalForm)),
        help="of both sides; auto is NFC, or NFD for words if they are learnt better so "
        "(default: auto)",
    )
    group.add_argument(
        "--calibrate",
        action=argparse.BooleanOptionalAction,
        help="fit posteriors to the dev words (default: yes, with --dev)",
    )
    group.add_argument(
        "--errors", metavar="FILE", help="refused entries (default: MODEL.errors.tsv)"
    )
    group.add_argument("--name", help="of the model, for messages")


def given_options(arguments: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """The arguments of these names that have a value; defaults of the others are set elsewhere."""
    values = {name: getattr(arguments, name) for name in names}
    return {name: value for name, value in values.items() if value is not None}
