"""Word error on words that have relatives among those learnt from, and on words that have none.

    python benchmarks/relatives.py [--train cmudict:train] [--test cmudict:test] [--kind joint]

A split by word leaves most words with relatives in training: *talked* is tested where *talker* was
learnt. A word that is new to a language, as most that people ask for are, comes without.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

from glyphone.data.lexicons.families import families_of
from glyphone.data.lexicons.tsv import read_lexicon
from glyphone.data.records import Pair, Symbols
from glyphone.data.writing import Writing
from glyphone.evaluation.evaluate import evaluate
from glyphone.training.train import train

LOWER = Writing(case="lower")


def parted(learnt: Iterable[Symbols], tested: Iterable[Pair]) -> tuple[list[Pair], list[Pair]]:
    """The pairs whose words have relatives among words learnt from, and the others."""
    known, pairs = {*learnt}, [*tested]
    families = families_of([*known, *(pair.source for pair in pairs)])
    learnt_families = {families[word] for word in known}
    with_relatives = [pair for pair in pairs if families[pair.source] in learnt_families]
    alone = [pair for pair in pairs if families[pair.source] not in learnt_families]
    return with_relatives, alone


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
