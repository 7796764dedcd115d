"""Clusters of a list of names as rows, written when all likely pairs of the list are known.

>>> names = NameList(["Ana Paz", "Bo Li", "Paz, Ana"], [(1, 4), (2,), (3,)], [])
>>> print(as_tsv(names, np.array([0, 1, 0]), np.array([0.9, 0, 0.9])), end="")
1\t2\tAna Paz\t0.9\t1,4
1\t2\tPaz, Ana\t0.9\t3
2\t1\tBo Li\t\t2
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from glyphone.batch.journal import Progress
from glyphone.batch.sinks import TextSink
from glyphone.data.lines import open_text_output
from glyphone.io.paths import is_stream
from glyphone.io.rows import ESCAPES
from glyphone.matching.clustering import cluster
from glyphone.matching.name_lists import NameList

Array = Any


@dataclass
class ClusterSink:
    """Likely pairs, in a file of their own until all are there; then clusters are written.

    Rows are lines of two places in the list and a probability.
    """

    output: str
    names: NameList
    threshold: float
    format: str
    pairs: TextSink = field(init=False)

    def open(self, done: Progress) -> None:
        path = f"{self.output}.pairs"
        if is_stream(self.output):
            handle, path = tempfile.mkstemp(suffix=".pairs")
            os.close(handle)
        self.pairs = TextSink(path)
        self.pairs.open(done)

    def write(self, rows: str) -> None:
        self.pairs.write(rows)

    def flush(self) -> int:
        return self.pairs.flush()

    def finish(self) -> None:
        with open(self.pairs.path, encoding="utf-8") as file:
            table = np.array([line.split("\t") for line in file], float).reshape(-1, 3)
        pairs, probabilities = table[:, :2].astype(np.int64), table[:, 2]
        labels = cluster(len(self.names.names), pairs, probabilities, self.threshold)
        best = best_within(labels, pairs, probabilities)
        with open_text_output(self.output) as output:
            output.write(FORMATS[self.format](self.names, labels, best))

    def close(self) -> None:
        self.pairs.close()
        if is_stream(self.output):
            Path(self.pairs.path).unlink(missing_ok=True)

    def discard(self) -> None:
        Path(f"{self.output}.pairs").unlink(missing_ok=True)


def best_within(labels: Array, pairs: Array, probabilities: Array) -> Array:
    """The probability of each name with the best other one of its cluster; 0 if it is alone."""
    best = np.zeros(len(labels))
    inside = labels[pairs[:, 0]] == labels[pairs[:, 1]]
    for side in (0, 1):
        np.maximum.at(best, pairs[inside, side], probabilities[inside])
    return best


def members(labels: Array) -> Iterator[tuple[int, list[int]]]:
    """The numbers of clusters from 1, and the places of the names of each."""
    order = np.argsort(labels, kind="stable").tolist()
    for label, places in groupby(order, key=lambda place: int(labels[place])):
        yield label + 1, [*places]


def as_tsv(names: NameList, labels: Array, best: Array) -> str:
    """`cluster, names in it, name, best probability in it, lines of the name`."""
    return "".join(
        f"{number}\t{len(places)}\t{names.names[place].translate(ESCAPES)}\t"
        f"{f'{best[place]:.4g}' if best[place] else ''}\t"
        f"{','.join(map(str, names.lines[place]))}\n"
        for number, places in members(labels)
        for place in places
    )


def as_jsonl(names: NameList, labels: Array, best: Array) -> str:
    rows = (
        {
            "cluster": number,
            "names": [
                {
                    "name": names.names[place],
                    "probability": float(best[place]) or None,
                    "lines": names.lines[place],
                }
                for place in places
            ],
        }
        for number, places in members(labels)
    )
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


FORMATS = {"tsv": as_tsv, "jsonl": as_jsonl}
