"""How many best paths the default beam loses: its answers beside those that are proven the best.

    python benchmarks/beam.py [--model MODEL] [--lexicon cmudict:test]

An English model that has not seen the words answers them twice, within its beam and by `exact()`,
and so does the same model without windows, which has more rivals to keep in sight. An answer is
lost if it costs more than the proven one by more than rounding does.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import glyphone
from glyphone.data.lexicons.tsv import read_lexicon
from glyphone.data.writing import Writing
from glyphone.fst.joint.model import JointModel
from glyphone.training.train import train

BLOCK = 1024
# In nats: costs are sums of single precision.
ROUNDING = 1e-6


@dataclass(frozen=True)
class Losses:
    """The answers to some words that the beam of a model loses."""

    model: str
    words: int
    unanswered: int
    lost: int

    def __str__(self) -> str:
        share = 100 * self.lost / max(1, self.words)
        return f"{self.model:16} {self.words:7} {self.unanswered:10} {self.lost:6} {share:8.3f}"


HEAD = f"{'model':16} {'words':>7} {'unanswered':>10} {'lost':>6} {'share %':>8}"


def costs(model: JointModel, words: Sequence[str]) -> Iterator[float]:
    """The cost of the best answer to each word; not a number if there is none."""
    for begin in range(0, len(words), BLOCK):
        block = words[begin : begin + BLOCK]
        found = model.answer(block)
        for item in range(len(block)):
            first, last = found.firsts[item : item + 2]
            yield found.costs[first] if first < last else np.nan


def losses(name: str, model: JointModel, words: Sequence[str]) -> Losses:
    within = np.fromiter(costs(model, words), float)
    proven = np.fromiter(costs(model.exact(), words), float)
    if (np.isnan(within) != np.isnan(proven)).any() or (within < proven - ROUNDING).any():
        sys.exit(f"{name}: the beam finds what a search without one does not")
    lost = int((within > proven + ROUNDING).sum())
    return Losses(name, len(words), int(np.isnan(proven).sum()), lost)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--model", help="a joint model (default: one of cmudict:train)")
    parser.add_argument("--lexicon", default="cmudict:test", help="of words to answer")
    arguments = parser.parse_args(argv)
    model: Any
    if arguments.model:
        model = glyphone.load(arguments.model)
    else:
        lower = Writing(case="lower")
        model = train("cmudict:train", kind="joint", source=lower, best_form=True).model
    if not isinstance(model, JointModel):
        parser.error(f"--model {arguments.model}: no joint model, and no other kind has a beam")
    words = list(dict.fromkeys("".join(pair.source) for pair in read_lexicon(arguments.lexicon)))
    print(f"best paths that a beam of {model.beam:g} nats loses: {model.name}\n\n{HEAD}")
    print(losses("as it is", model, words), flush=True)
    if model.windows is not None:
        print(losses("without windows", replace(model, windows=None), words))


if __name__ == "__main__":
    main()
