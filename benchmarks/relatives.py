"""Word error on words that have relatives among those learnt from, and on words that have none.

    python benchmarks/relatives.py [--train cmudict:train] [--test cmudict:test] [--kind joint]

A split by word leaves most words with relatives in training: *talked* is tested where *talker* was
learnt. A word that is new to a language, as most that people ask for are, comes without.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Mapping, Sequence

from glyphone.data.lexicons.tsv import read_lexicon
from glyphone.data.records import Pair, Symbols
from glyphone.data.writing import Writing
from glyphone.evaluation.evaluate import evaluate
from glyphone.evaluation.relatives import Relation, relations_to
from glyphone.training.train import train

LOWER = Writing(case="lower")


def parted(learnt: Iterable[Symbols], tested: Iterable[Pair]) -> tuple[list[Pair], list[Pair]]:
    """The pairs whose words have relatives among words learnt from, and the others."""
    pairs = [*tested]
    relations = relations_to(map("".join, learnt), ["".join(pair.source) for pair in pairs])
    rows = [*zip(pairs, relations, strict=True)]
    alone = [pair for pair, relation in rows if relation == "none"]
    return [pair for pair, relation in rows if relation != "none"], alone


def columns(parts: Mapping[Relation, tuple[int, float]]) -> tuple[str, str, int]:
    """Word error in % on words with relatives in training (or there themselves) and on words
    without, "-" where there are none; and the number of words without.

    >>> columns({"relatives": (30, 0.1), "none": (10, 0.25)}), columns({"none": (3, 1.0)})
    (('10.00', '25.00', 10), ('-', '100.00', 3))
    """
    alone = [parts[relation] for relation in parts if relation == "none"]
    others = [parts[relation] for relation in parts if relation != "none"]

    def error(rows: Sequence[tuple[int, float]]) -> str:
        n_words = sum(n for n, _ in rows)
        return f"{100 * sum(n * e for n, e in rows) / n_words:.2f}" if n_words else "-"

    return error(others), error(alone), sum(n for n, _ in alone)


def percent(share: float) -> str:
    """A share in percent; - where there are no words."""
    return "-" if math.isnan(share) else f"{share:.2f}"


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--train", default="cmudict:train")
    parser.add_argument("--test", default="cmudict:test")
    parser.add_argument("--kind", default="joint")
    asked = parser.parse_args(argv)
    learnt, tested = ([*read_lexicon(path, source=LOWER)] for path in (asked.train, asked.test))
    model = train(learnt, kind=asked.kind, source=LOWER, best_form=True).model
    print(
        f"{asked.kind} of {asked.train}, on {asked.test}\n\nwords of test     words  word error %"
    )
    names = ("all", "with relatives", "without")
    for name, part in zip(
        names, (tested, *parted((p.source for p in learnt), tested)), strict=True
    ):
        if part:
            found = evaluate(model, part)
            print(f"{name:15} {found.items:7} {100 * found.wer:13.2f}")


if __name__ == "__main__":
    main()
