"""Options of learners of labels for tokens in columns."""

from __future__ import annotations

import argparse

from glyphone.cli.arguments.types import positive, share


def add_tagger_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--patterns",
        nargs="+",
        metavar="FILE",
        help="what is looked at, in the format of CRF++ and Wapiti; the file to learn from then "
        "has tokens in columns, labels in the last; a further file adds patterns where less "
        "specific ones before turned out to matter",
    )
    group.add_argument(
        "--resume", metavar="MODEL", help="go on from the weights of a model with patterns"
    )
    group.add_argument(
        "--weights-of",
        choices=("all", "attested", "seen"),
        help="with patterns: all labels and pairs, pairs that were seen at all, or what was seen "
        "with what a pattern sees (default: seen)",
    )


def add_entity_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--scheme",
        choices=("bio", "iob1"),
        help="of labels; in iob1 an I may begin a phrase (default: bio)",
    )
    group.add_argument(
        "--learner",
        metavar="NAME",
        help="two-phase finds phrases, then their kinds; semi-markov sees segments as a whole, and "
        "the columns between token and label (default: two-phase)",
    )
    group.add_argument(
        "--max-length",
        type=positive,
        metavar="N",
        help="semi-markov: tokens of a segment at most (default: 10)",
    )
    group.add_argument(
        "--filter",
        type=share,
        metavar="P",
        help="semi-markov: segments that naive Bayes finds less probable are no candidates; 0 "
        "keeps all (default: 1e-6)",
    )
