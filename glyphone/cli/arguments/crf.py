"""Options of conditional random fields."""

from __future__ import annotations

import argparse

from glyphone.cli.arguments.types import natural, not_negative, positive


def add_crf_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--templates",
        metavar="NAME",
        help="windows of letters: 1-grm, 3-grm, 5-grm, 5-grm+, 5-grm++, 7-grm ... "
        "(default: 9-grm++)",
    )
    group.add_argument(
        "--pairs",
        metavar="NAME",
        help="windows that go with pairs of labels: all, bare, or those in a set (default: 3-grm+)",
    )
    group.add_argument(
        "--min-count", type=positive, metavar="N", help="windows seen so often have weights"
    )
    group.add_argument(
        "--optimizer", choices=("owl-qn", "sgd", "bcd", "lbfgs"), help="(default: sgd)"
    )
    group.add_argument(
        "--rho1", type=not_negative, metavar="R", help="what weights cost (default: 0.5)"
    )
    group.add_argument(
        "--rho2", type=not_negative, metavar="R", help="what squares of weights cost, by half"
    )
    group.add_argument("--iterations", type=positive, metavar="N", help="at most")
    group.add_argument(
        "--polish", type=natural, metavar="N", help="iterations without R1 at the end (default: 0)"
    )
    group.add_argument(
        "--watched",
        type=not_negative,
        metavar="SHARE",
        help="of the words: nothing is learnt of them, and training ends where their error falls "
        "no more (default: 0)",
    )
    group.add_argument("--memory", type=not_negative, metavar="GB", help="(default: what is free)")
