"""The tables of "Re-Engineering Letter-to-Sound Rules" (Jansche 2001), for French.

    python benchmarks/reengineering.py [--shared ../shared/data] [--parts rules,wikipron]
                                       [--samples 3] [--words 18000] [--peers FOLDER]

A tree learns from aligned words, with and without the pairs of strings that the rules of the French
grammar mention (`glyphone.fst.rules.rule_pairs`), for contexts of 0 to 5 letters on each side.
Parts are

- `rules`: the grammar is run over a list of words, as in the paper. Scores are relative to what it
  says, but for the last column, the share of words that the list has so too, in any variant.
- `wikipron`, `gruut`: the same for the pronunciations of dictionaries.
- `reference`: what the specification has from a reference run, and ours; see reference_run.py.

Figures are means over samples of 18,000 words (french_lexicons.py), 90 % of them to learn from;
behind word accuracy stand the least and the greatest, and that of words with relatives in training
and of words without (relatives.py). P and R are precision and recall of what is written, nothing
left aside; kB are what a tree needs to answer; seconds are of CPU time, for all.
Trees ask as C4.5 does, as in the paper, or for one of two sets of letters. C4.5 merges the values
of a column step by step; what it comes to near the root can be poor and depends on the sample.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean

import reference_run
from french_lexicons import (
    GRUUT,
    SAMPLE,
    WIKIPRON,
    Lexicon,
    accepted_share,
    french,
    listed_in,
    said_by_rules,
)
from peers import add_environment
from relatives import percent
from slot_trees import BAG, BAG_WITH_RULES, C45, Row, experiment

from glyphone.data.records import Pair
from glyphone.evaluation.relatives import errors_by_relatives
from glyphone.fst.rules.rule_pairs import rule_pairs
from glyphone.learners.trees.growing import GrowingOptions

ROOT = Path(__file__).resolve().parents[1]
CONTEXTS = range(6)
TREES = {"C4.5": C45, "two sets": replace(C45, splits="binary")}
PARTS: dict[str, Callable[[Path, int, int], Lexicon]] = {
    "rules": said_by_rules,
    "wikipron": lambda *sizes: listed_in(WIKIPRON, *sizes),
    "gruut": lambda *sizes: listed_in(GRUUT, *sizes),
}


def halves(sample: Sequence[Pair]) -> tuple[Sequence[Pair], Sequence[Pair]]:
    """Nine tenths to learn from, and one to test."""
    cut = len(sample) * 9 // 10
    return sample[:cut], sample[cut:]


def table(lexicon: Lexicon, rules: Sequence[Pair]) -> None:
    pairs = sum(map(len, lexicon.samples)) // len(lexicon.samples)
    print(
        f"{lexicon.title}: {len(lexicon.samples)} samples of {pairs} words;"
        f" {len(rules)} pairs from rules\n"
    )
    if lexicon.accepted is not None:
        own = mean(accepted_share(lexicon, halves(sample)[1]) for sample in lexicon.samples)
        print(f"the grammar itself says {own:.1f} % of the test words as the list does\n")
    print(
        f"{'tree':8} {'rules':5} {'context':>7} {'acc %':>6} {'P %':>6} {'R %':>6} {'word %':>6}"
        f" {'least-most':>11} {'with %':>6} {'alone %':>7} {'nodes':>6} {'kB':>5} {'CPU s':>5}"
        + ("  list %" if lexicon.accepted else "")
    )
    for name, growing in TREES.items():
        for some in ((), rules):
            for size in CONTEXTS:
                print(f"{name:8} {'yes' if some else 'no':5} {size:7}", end=" ")
                print(line(lexicon, some, size, growing), flush=True)
    print()


def line(lexicon: Lexicon, rules: Sequence[Pair], size: int, growing: GrowingOptions) -> str:
    """The means over samples."""
    rows: list[Row] = []
    for sample in lexicon.samples:
        alignment = BAG_WITH_RULES if rules else BAG
        training, test = halves(sample)
        rows.append(
            experiment(training, test, size=size, rules=rules, alignment=alignment, growing=growing)
        )
    parts = [
        right_by_relatives(*halves(sample), row.answers)
        for sample, row in zip(lexicon.samples, rows, strict=True)
    ]
    with_relatives, alone = (mean(right) for right in zip(*parts, strict=True))
    accuracy, precision, recall, words = zip(*(row.scores for row in rows), strict=True)
    shown = (
        f"{mean(accuracy):6.2f} {mean(precision):6.2f} {mean(recall):6.2f} {mean(words):6.2f}"
        f" {f'{min(words):.1f}-{max(words):.1f}':>11}"
        f" {percent(with_relatives):>6} {percent(alone):>7}"
        f" {mean(row.nodes for row in rows):6.0f}"
        f" {mean(row.kilobytes for row in rows):5.0f} {mean(row.seconds for row in rows):5.1f}"
    )
    if lexicon.accepted is None:
        return shown
    return f"{shown} {mean(accepted_share(lexicon, row.answers) for row in rows):7.1f}"


def right_by_relatives(
    training: Sequence[Pair], test: Sequence[Pair], answers: Sequence[Pair]
) -> tuple[float, float]:
    """How many words in a hundred are right, of those with relatives in training, and without."""
    wrong = {
        "".join(gold.source): gold.target != answer.target
        for gold, answer in zip(test, answers, strict=True)
    }
    found = errors_by_relatives(("".join(pair.source) for pair in training), wrong)
    with_relatives, alone = (
        100 * (1 - found[relation][1]) if relation in found else math.nan
        for relation in ("relatives", "none")
    )
    return with_relatives, alone


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--parts", default=",".join([*PARTS, "reference"]))
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument("--words", type=int, default=SAMPLE, help="of a sample")
    parser.add_argument("--peers", metavar="FOLDER", help="an environment with gruut-lang-fr")
    arguments = parser.parse_args(argv)
    add_environment(arguments.peers)
    parts = arguments.parts.split(",")
    if unknown := set(parts) - {*PARTS, "reference"}:
        sys.exit(f"no part {', '.join(sorted(unknown))}: {', '.join([*PARTS, 'reference'])}")
    rules = rule_pairs(french())
    for part in parts:
        task = GRUUT if part == "gruut" else WIKIPRON
        source = task.source(arguments.shared)
        if part == "reference":
            reference_run.page(arguments.shared, arguments.words)
        elif source.exists():
            table(PARTS[part](arguments.shared, arguments.samples, arguments.words), rules)
        else:
            print(f"{part}: skipped, {source.name} is absent\n")


if __name__ == "__main__":
    main()
