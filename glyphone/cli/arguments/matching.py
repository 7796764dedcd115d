"""Options of matchers of names."""

from __future__ import annotations

import argparse

from glyphone.cli.arguments.types import not_negative


def add_matcher_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--strength",
        type=not_negative,
        metavar="S",
        help="of weights: the inverse of what their squares cost (default: 0.1)",
    )
