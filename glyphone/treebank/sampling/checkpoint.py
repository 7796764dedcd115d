"""Where a chain stands, so that a run that was stopped goes on and ends as if it had not been.

A checkpoint has all that one chain has sampled, the counts of its last sweep, its trees, and the
state of the random numbers. It fits one set of forests, one language model and one set of options,
which it names by a fingerprint; others refuse it.

>>> fingerprint([np.arange(3)], "options") == fingerprint([np.arange(3)], "options")
True
>>> fingerprint([np.arange(3)], "options") == fingerprint([np.arange(4)], "options")
False
"""

from __future__ import annotations

import hashlib
import os
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import FormatError
from glyphone.fst.storage import container as storage_container
from glyphone.fst.storage.container import Contents

Ints = NDArray[np.int64]
Trees = Sequence[Counter[tuple[int, ...]]]

KIND = "transfer-checkpoint"
SECONDS = 30.0


@dataclass(frozen=True, eq=False)
class State:
    """What a chain needs to go on behind a sweep; `random` is the state of its generator.

    `counts` and `last` are of the last sweep; `trees`, `params`, `kept_counts` and `log_totals`
    are what was kept so far.
    """

    sweep: int
    random: dict[str, Any]
    counts: NDArray[np.float64]
    last: list[Ints]
    trees: Trees
    params: NDArray[np.float64]
    kept_counts: NDArray[np.float64]
    log_totals: NDArray[np.float64]


@dataclass
class Checkpoint:
    """A file that is written every so many seconds, and read if a run is to `resume`."""

    path: str
    resume: bool = False
    seconds: float = field(default_factory=lambda: SECONDS)
    fingerprint: str = ""
    written: float = 0.0

    def of_chain(self, chain: int) -> Checkpoint:
        """That of one chain; each has a file of its own."""
        return replace(self, path=f"{self.path}.{chain + 1}")

    def begin(self, fingerprint: str) -> State | None:
        """The state to go on from, if there is any."""
        self.fingerprint, self.written = fingerprint, time.monotonic()
        if not self.resume or not os.path.exists(self.path):
            return None
        contents = storage_container.read(self.path, kinds=[KIND])
        if contents.manifest.get("fingerprint") != fingerprint:
            raise FormatError(
                "is of other trees, another text or other options",
                path=self.path,
                remedy="repeat the command that was stopped, or leave --resume out",
            )
        return read_state(contents)

    def save(self, state: State, *, last: bool = False) -> None:
        """Writes a state, unless the one before is young and this is not the last."""
        if last or time.monotonic() - self.written >= self.seconds:
            storage_container.write(self.path, contents_of(state, self.fingerprint))
            self.written = time.monotonic()

    def end(self) -> None:
        """Removes the file, for there is nothing to resume."""
        if os.path.exists(self.path):
            os.remove(self.path)


def fingerprint(arrays: Iterable[NDArray[Any]], options: str) -> str:
    found = hashlib.sha256(options.encode())
    for array in arrays:
        found.update(f"{array.dtype}{array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def contents_of(state: State, name: str) -> Contents:
    rows = [(tree, count) for trees in state.trees for tree, count in sorted(trees.items())]
    arrays = {
        "counts": state.counts,
        "last": np.concatenate(state.last),
        "last_lengths": lengths(state.last),
        "trees": np.array([choice for tree, _ in rows for choice in tree], np.int64),
        "tree_lengths": lengths([tree for tree, _ in rows]),
        "tree_counts": np.array([count for _, count in rows], np.int64),
        "different": lengths(state.trees),
        "params": state.params,
        "kept_counts": state.kept_counts,
        "log_totals": state.log_totals,
    }
    # JSON has no integers of 128 bits that every reader would keep.
    inner = {key: str(value) for key, value in state.random["state"].items()}
    manifest = {
        "fingerprint": name,
        "sweep": state.sweep,
        "random": {**state.random, "state": inner},
    }
    return Contents(KIND, manifest, arrays)


def lengths(rows: Iterable[Any]) -> Ints:
    return np.array([len(row) for row in rows], np.int64)


def read_state(contents: Contents) -> State:
    arrays, manifest = contents.arrays, contents.manifest
    random = dict(manifest["random"])
    random["state"] = {key: int(value) for key, value in random["state"].items()}
    tree_rows = iter(
        (tuple(tree.tolist()), int(count))
        for tree, count in zip(
            cut(arrays["trees"], arrays["tree_lengths"]), arrays["tree_counts"], strict=True
        )
    )
    trees = [
        Counter(dict(next(tree_rows) for _ in range(number)))
        for number in arrays["different"].tolist()
    ]
    return State(
        manifest["sweep"],
        random,
        arrays["counts"].copy(),
        cut(arrays["last"], arrays["last_lengths"]),
        trees,
        *(arrays[name].copy() for name in ("params", "kept_counts", "log_totals")),
    )


def cut(values: Ints, sizes: Ints) -> list[Ints]:
    """Pieces of so many values each."""
    return np.split(values, np.cumsum(sizes)[:-1]) if len(sizes) else []
