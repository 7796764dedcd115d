"""Options of joint models, and of ensembles of them."""

from __future__ import annotations

import argparse

from glyphone.cli.arguments.types import not_negative, positive


def add_joint_arguments(group: argparse._ArgumentGroup) -> None:
    methods = ("modified-kneser-ney", "kneser-ney", "witten-bell", "katz", "absolute")
    group.add_argument(
        "--order", type=positive, metavar="N", help="units in an n-gram (default: 8)"
    )
    group.add_argument(
        "--windows",
        action=argparse.BooleanOptionalAction,
        help="learn from the letters around, too (default: where every unit reads one letter)",
    )
    group.add_argument("--smoothing", choices=methods, help="(default: modified-kneser-ney)")
    group.add_argument("--max-source", type=positive, metavar="N", help="letters of a unit")
    group.add_argument("--max-target", type=positive, metavar="N", help="phones of a unit")


def add_ensemble_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--members", type=positive, metavar="N", help="joint models of an ensemble (default: 3)"
    )
    group.add_argument(
        "--margin",
        type=not_negative,
        metavar="NATS",
        help="how far behind its best a member of an ensemble still proposes (default: 6 up to "
        "12,000 words, else 2, by which new words are answered sooner)",
    )
    group.add_argument(
        "--judges",
        metavar="NAMES",
        help="models of other kinds that judge in an ensemble: crf, trees, spelling, or several "
        "with commas, or none (default: all, spelling up to 10,000 words)",
    )
    group.add_argument(
        "--unlabelled",
        metavar="FILE",
        help="words without answers, one a line: an ensemble learns from those too whose answer "
        "none of its models doubts",
    )
    group.add_argument(
        "--reranker",
        action=argparse.BooleanOptionalAction,
        help="features of whole outputs in an ensemble (default: if they help)",
    )
