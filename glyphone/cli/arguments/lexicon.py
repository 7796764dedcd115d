"""Arguments of the verbs that read a lexicon to learn from it; no verb itself.

>>> parser = argparse.ArgumentParser()
>>> add_lexicon(parser)
>>> add_columns(parser.add_argument_group("the lexicon"))
>>> given(parser.parse_args(["eng.tsv", "--weight-column", "3"]), COLUMNS)
{'source_column': 1, 'target_column': 2, 'weight_column': 3, ...}
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
    source, target = (None, None) if of_model else ("codepoint", "token")
    about = "of the file (default: the model's)" if of_model else None
    group.add_argument("--source-column", type=positive, default=1, metavar="N")
    group.add_argument("--target-column", type=positive, default=2, metavar="N")
    if not of_model:
        group.add_argument("--weight-column", type=positive, metavar="N", help="such as counts")
        kinds = "of names: surname, given, male, female"
        group.add_argument("--kind-column", type=positive, metavar="N", help=kinds)
    group.add_argument("--source-unit", choices=units, default=source, help=about)
    group.add_argument("--target-unit", choices=units, default=target, help=about)


def given(arguments: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """The arguments of these names that have a value; what is not chosen is left to others."""
    values = {name: getattr(arguments, name) for name in names}
    return {name: value for name, value in values.items() if value is not None}
