"""Checkpoints of chains, from which a stopped run goes on and ends as if it had not stopped.

A checkpoint has the kept samples of one chain, the counts and trees of its last sweep, and the
state of its random generator. Its fingerprint is of the forests, the language model and the
options; a run with another fingerprint refuses it.

>>> fingerprint_of([np.arange(3)], "options") == fingerprint_of([np.arange(3)], "options")
True
>>> fingerprint_of([np.arange(3)], "options") == fingerprint_of([np.arange(4)], "options")
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
class ChainState:
    """The state of a chain behind a sweep; `random` is the state of its generator.

    `counts` and `last` are counts and trees of the last sweep; `trees`, `params`, `kept_counts` and
    `log_totals` are of the kept sweeps so far.
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
    """A file that is written every so many `seconds`, and read if a run is to `resume`."""

    path: str
    resume: bool = False
    seconds: float = field(default_factory=lambda: SECONDS)
    fingerprint: str = ""
    written: float = 0.0

    def of_chain(self, chain: int) -> Checkpoint:
        """The checkpoint of one chain, in a file of its own."""
        return replace(self, path=f"{self.path}.{chain + 1}")

    def begin(self, fingerprint: str) -> ChainState | None:
        """The state to go on from, None for a new run."""
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

    def save(self, state: ChainState, *, last: bool = False) -> None:
        """Writes a state if it is the last, or the time has come."""
        if last or time.monotonic() - self.written >= self.seconds:
            storage_container.write(self.path, contents_of(state, self.fingerprint))
            self.written = time.monotonic()

    def end(self) -> None:
        """Removes the file: there is nothing to resume."""
        if os.path.exists(self.path):
            os.remove(self.path)


def fingerprint_of(arrays: Iterable[NDArray[Any]], options: str) -> str:
    digest = hashlib.sha256(options.encode())
    for array in arrays:
        head = f"{array.dtype}{array.shape}".encode()
        digest.update(head + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def contents_of(state: ChainState, name: str) -> Contents:
    rows = [(tree, count) for trees in state.trees for tree, count in sorted(trees.items())]
    arrays = {
        "counts": state.counts,
        "last": np.concatenate(state.last),
        "last_lengths": row_lengths(state.last),
        "trees": np.array([choice for tree, _ in rows for choice in tree], np.int64),
        "tree_lengths": row_lengths([tree for tree, _ in rows]),
        "tree_counts": np.array([count for _, count in rows], np.int64),
        "different": row_lengths(state.trees),
        "params": state.params,
        "kept_counts": state.kept_counts,
        "log_totals": state.log_totals,
    }
    # Readers of JSON need not keep integers of 128 bits.
    inner = {key: str(value) for key, value in state.random["state"].items()}
    manifest = {
        "fingerprint": name,
        "sweep": state.sweep,
        "random": {**state.random, "state": inner},
    }
    return Contents(KIND, manifest, arrays)


def row_lengths(rows: Iterable[Any]) -> Ints:
    return np.array([len(row) for row in rows], np.int64)


def read_state(contents: Contents) -> ChainState:
    arrays, manifest = contents.arrays, contents.manifest
    random = dict(manifest["random"])
    random["state"] = {key: int(value) for key, value in random["state"].items()}
    tree_rows = iter(
        (tuple(tree.tolist()), int(count))
        for tree, count in zip(
            split_rows(arrays["trees"], arrays["tree_lengths"]), arrays["tree_counts"], strict=True
        )
    )
    trees = [
        Counter(dict(next(tree_rows) for _ in range(number)))
        for number in arrays["different"].tolist()
    ]
    return ChainState(
        manifest["sweep"],
        random,
        arrays["counts"].copy(),
        split_rows(arrays["last"], arrays["last_lengths"]),
        trees,
        *(arrays[name].copy() for name in ("params", "kept_counts", "log_totals")),
    )


def split_rows(values: Ints, sizes: Ints) -> list[Ints]:
    """The values split into rows of these sizes."""
    return np.split(values, np.cumsum(sizes)[:-1]) if len(sizes) else []
