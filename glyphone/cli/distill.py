"""glyphone distill: a small model that answers as a large one does, with a certificate."""

from __future__ import annotations

import argparse

from glyphone.cli.arguments.lexicon import given_options
from glyphone.cli.arguments.trees import CHOICES, add_tree_arguments
from glyphone.cli.arguments.types import natural, part, positive

HELP = "learn a small, fast model from the answers of a large one"

ABOUT = """The certificate has the agreement of both models on words that were held out, their
accuracy on gold words, bytes, words per second on one core, and where they differ, the most
frequent pattern first. Words that differ go to a file of their own, whose first two columns are a
lexicon of exceptions: glyphone apply TREE WORDS --lexicon TREE.differences.tsv."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = ABOUT
    parser.add_argument("model", metavar="MODEL[:RULE]", help="a model, archive or grammar")
    parser.add_argument(
        "--words", required=True, metavar="FILE", help="one word a line, .gz too; - is stdin"
    )
    parser.add_argument("-o", "--output", required=True, metavar="TREE", help="the model file")
    parser.add_argument("--gold", metavar="LEXICON", help="WORD<TAB>PRONUNCIATION, to measure both")
    parser.add_argument(
        "--held-out",
        type=part,
        default=0.1,
        metavar="SHARE",
        help="of the words, not learnt from but compared (default: 0.1)",
    )
    parser.add_argument(
        "--invent",
        type=natural,
        metavar="N",
        help="words made of parts of the others, to learn from too (default: 3 for each)",
    )
    parser.add_argument("--kind", default="tree", help="of the small model (default: tree)")
    parser.add_argument("--name", default="", help="of the small model, for messages")
    parser.add_argument(
        "--differences",
        metavar="FILE",
        help="words that differ (default: TREE.differences.tsv)",
    )
    parser.add_argument(
        "--errors",
        metavar="FILE",
        help="words without an answer, or not learnt (default: TREE.errors.tsv)",
    )
    parser.add_argument(
        "--patterns", type=natural, default=10, metavar="N", help="of differences to show"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--jobs", type=positive, metavar="N", help="threads (default: all cores)")
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="(default: 0)")
    group = parser.add_argument_group("the tree")
    add_tree_arguments(group)
    group.add_argument("--smoothing", type=float, metavar="M", help="of the m-estimate")


def run(arguments: argparse.Namespace) -> int:
    from glyphone.distillation.files import DistillJob, distill_file

    job = DistillJob(
        teacher=arguments.model,
        words=arguments.words,
        output=arguments.output,
        gold=arguments.gold,
        differences=arguments.differences,
        errors=arguments.errors,
        kind=arguments.kind,
        name=arguments.name,
        held_out=arguments.held_out,
        invent=arguments.invent,
        patterns=arguments.patterns,
        as_json=arguments.json,
        seed=arguments.seed,
    )
    _, failed = distill_file(
        job, given_options(arguments, (*CHOICES, "smoothing")), jobs=arguments.jobs
    )
    return 1 if failed else 0
