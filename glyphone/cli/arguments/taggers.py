"""Options of learners of labels for tokens in columns."""

from __future__ import annotations

import argparse

from glyphone.cli.arguments.types import positive, share


def add_tagger_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--learner",
        metavar="NAME",
        help="of taggers crf, latent, semi-markov or markov (default: crf); of entities two-phase, "
        "or semi-markov, which sees segments as a whole (default: two-phase)",
    )
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
    group.add_argument(
        "--clusters",
        metavar="FILE",
        help="word classes, as --kind clusters writes them: patterns then have a column `cluster`, "
        "entities look at classes, too",
    )

    group.add_argument(
        "--states", type=positive, metavar="N", help="latent: of each label (default: 4)"
    )
    group.add_argument(
        "--starts",
        type=positive,
        metavar="N",
        help="latent: the best goes on (default: 3)",
    )
    group.add_argument(
        "--decoder",
        choices=("labels", "hidden", "marginals"),
        help="latent: labels that are the best together, those of the best hidden path, or the "
        "best of each token (default: labels)",
    )


def add_entity_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--scheme",
        choices=("bio", "iob1"),
        help="of labels; in iob1 an I may begin a phrase (default: bio)",
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


def add_class_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--classes", type=positive, metavar="N", help="of words, at most (default: 200)"
    )
    group.add_argument(
        "--read",
        choices=("text", "columns"),
        help="what is learnt from: a sentence a line, or tokens in the first of several columns "
        "(default: columns if its name ends in .conll)",
    )
