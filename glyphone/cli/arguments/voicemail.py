"""Options of models of voicemail."""

from __future__ import annotations

import argparse


def add_caller_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--callers",
        metavar="FORM",
        help="cuts: where phrases start and how they go on; crf: labels of words; or both, of "
        "which each has half a say (default: both)",
    )
