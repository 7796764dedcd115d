"""The option of verbs that make files: the files that they read, for make."""

from __future__ import annotations

import argparse


def add_dependencies(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--dependencies", metavar="FILE", help="write a rule of make: modules and files used"
    )
