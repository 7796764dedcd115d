"""Words of the Federalist (Mosteller and Wallace 1964) as in Jansche (2003), and from the text.

    python benchmarks/federalist.py [--shared ../shared/data]

First the counts of the paper: `any` in Hamilton's passages, `were` in Madison's, and `his` in both,
table 1, of which single counts above 4 are those that reproduce its likelihoods. Then the text: how
uneven `his` is in whole papers; and counts in passages of 200 words, what is left over dropped, of
papers that one known author wrote: -ln L of Poisson, negative binomial and its zero-inflated form,
and their parameters. Words are runs of letters and apostrophes.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from glyphone.learners.counts.fitting import fit
from glyphone.learners.counts.goodness import goodness_of_fit

ROOT = Path(__file__).resolve().parents[1]
PASSAGE = 200
MODELS = ("poisson", "negative_binomial", "zero_inflated_negative_binomial")
# How many passages have 0, 1, 2 ... occurrences.
PAPER: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "any": ((125, 88, 26, 7, 0, 1), MODELS[:1]),
    "were": ((179, 58, 18, 5, 1, 1), MODELS[:2]),
    "his": ((405, 39, 26, 18, 5, 4, 5, 3, 3, 0, 0, 0, 0, 0, 1), MODELS[1:]),
}
UNEVEN = (23, 71, 72)
WORDS = (
    ("his", ("HAMILTON", "MADISON")), ("were", ("MADISON",)), ("any", ("HAMILTON",)),
    ("states", ("HAMILTON", "MADISON")),
)  # fmt: skip


def paper_tables() -> None:
    for word, (table, models) in PAPER.items():
        counts = np.repeat(np.arange(len(table)), table)
        bins = None
        for name in models:
            model = fit(counts, name)
            found = goodness_of_fit(model, counts, bins=bins)
            bins = found.bins if word == "his" else None  # table 1 has one set of bins
            print(f"{word}: {model.describe()}\n{found}\n")


def papers(path: Path) -> list[tuple[str, list[str]]]:
    """Author and words of each paper; codes of punctuation stand in angle brackets."""
    csv.field_size_limit(10**7)
    with path.open(encoding="utf-8", newline="") as file:
        rows = [(row["author"].strip(), row["text"].lower()) for row in csv.DictReader(file)]
    return [(author, re.findall("[a-z']+", re.sub("<.*?>", " ", text))) for author, text in rows]


def counts_of(word: str, texts: Sequence[list[str]]) -> list[int]:
    return [
        words[first : first + PASSAGE].count(word)
        for words in texts
        for first in range(0, len(words) - PASSAGE + 1, PASSAGE)
    ]


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    arguments = parser.parse_args(argv)
    paper_tables()
    path = arguments.shared / "federalist" / "federalist.csv"
    if not path.is_file():
        print(f"Federalist, the text: skipped, {path} is absent")
        return
    every = papers(path)
    for number in UNEVEN:
        words = every[number - 1][1]
        print(f"paper {number}: {len(words)} words, `his` {words.count('his')} times")
    for word, authors in WORDS:
        counts = counts_of(word, [words for author, words in every if author in authors])
        print(f"{word}, {' and '.join(authors)}, {len(counts)} passages, {sum(counts)} times")
        for name in MODELS:
            model = fit(counts, name)
            print(f"  {-goodness_of_fit(model, counts).log_likelihood:9.3f}  {model.describe()}")


if __name__ == "__main__":
    main()
