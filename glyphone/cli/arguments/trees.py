"""Options of trees, for all verbs that grow them."""

from __future__ import annotations

import argparse

from glyphone.cli.arguments.types import natural, part, positive

# The options of a tree; what is not chosen is left to it.
CHOICES = ("left", "right", "previous", "backward", "trees", "min_leaf", "confidence")


def add_tree_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--left", type=natural, metavar="N", help="letters before the one read")
    group.add_argument("--right", type=natural, metavar="N", help="letters after it")
    group.add_argument(
        "--previous", type=natural, metavar="N", help="outputs before it; with none it is fastest"
    )
    ways = group.add_mutually_exclusive_group()
    ways.add_argument(
        "--backward", action="store_true", default=None, help="read words from their end (default)"
    )
    ways.add_argument(
        "--forward", action="store_false", dest="backward", default=None, help="from their start"
    )
    group.add_argument("--trees", type=positive, metavar="N", help="in all (default: 1)")
    group.add_argument("--min-leaf", type=positive, metavar="N", help="letters at a leaf")
    group.add_argument("--confidence", type=part, metavar="SHARE", help="of pruning")
