"""The option of verbs that make files: the files that they read, for make."""

from __future__ import annotations

import argparse
from contextlib import AbstractContextManager

# Its modules have no influence on the files that are made.
COMMAND_LINE = __name__.partition(".arguments")[0]


def add_dependencies(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--dependencies", metavar="FILE", help="write a rule of make: modules and files used"
    )


def record_dependencies(
    arguments: argparse.Namespace, target: str | None = None
) -> AbstractContextManager[None]:
    """Records the files that a verb uses for its output, or another target, if it is asked to."""
    from glyphone.io.dependencies import dependencies_written

    return dependencies_written(
        arguments.dependencies, target=target or arguments.output, without=[COMMAND_LINE]
    )
