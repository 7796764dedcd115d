"""Options of models of voicemail."""

from __future__ import annotations

import argparse


def add_caller_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--callers",
        metavar="FORM",
        help="cuts: start, words and end of phrases; crf: labels of words; or both, each with half "
        "of the weight (default: both)",
    )
