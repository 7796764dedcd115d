"""Conditional random fields over letters on disk, in the container of
`glyphone.fst.storage.container`.

The manifest has the settings, the description, the windows, and for each side its writing and
symbols. The arrays are what labels write, chunks end to end, the labels of each letter, the nodes
of the tries of windows, each behind its parent, and the weights with their windows and labels.

>>> import tempfile
>>> from glyphone.models.crf.training import fit_crf
>>> from glyphone.data.records import Pair
>>> model = fit_crf([Pair(tuple("phi"), tuple("fi"))]).model
>>> path = tempfile.mkdtemp() + "/phi.glyphone"
>>> save(model, path)
>>> load(path)("phi").output, load(path).fingerprint() == model.fingerprint()
('f i', True)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.fst.interface.codec_file import (
    chunks_from_arrays,
    chunks_to_arrays,
    learned_to_dict,
    side_from_dict,
)
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.fst.storage.packing import (
    Packing,
    problem_of_settings,
    smallest_unsigned,
    unsigned_column,
)
from glyphone.models.crf.arrays import EMPTY, Table, Window, roots_of
from glyphone.models.crf.model import CrfModel
from glyphone.models.crf.trie_kernels import FARTHEST

KIND = "crf"
# No window reaches farther, no weight that was learnt is greater.
WIDEST, GREATEST = 15, 1e3
# Labels that a letter may have: their pairs are held in memory for each place of a word.
MOST_CHOICES = 4096
# Least and greatest values of settings.
SETTINGS = {"temperature": (0.1, 10.0), "beam": (0.0, math.inf)}

Array = NDArray[Any]


def to_contents(model: CrfModel, prefix: str = "") -> Contents:
    """A model, its arrays under a prefix."""
    table = model.table
    manifest = learned_to_dict(model) | {"windows": [list(window) for window in table.windows]}
    arrays = {
        "go_on": np.array(model.go_on, np.uint8),
        # Steps from node to node are smaller numbers than nodes.
        "labels/steps": smallest_unsigned(np.diff(table.nodes, prepend=0)),
        "labels/labels": smallest_unsigned(table.labels),
        "labels/weights": table.weights.astype(np.float32),
        "pairs/steps": smallest_unsigned(np.diff(table.pair_nodes, prepend=0)),
        "pairs/befores": smallest_unsigned(table.befores),
        "pairs/afters": smallest_unsigned(table.afters),
        "pairs/weights": table.pair_weights.astype(np.float32),
        "tries/parents": smallest_unsigned(table.parents),
        "tries/codes": smallest_unsigned(table.codes),
    }
    arrays |= chunks_to_arrays(model.chunks, "chunks")
    arrays["choices"] = smallest_unsigned(np.array([*chain(*model.choices)], np.int64))
    arrays["choices_lengths"] = np.array([*map(len, model.choices)], np.uint16)
    return Contents(KIND, manifest, {prefix + name: array for name, array in arrays.items()})


def unpack_model(contents: Contents, prefix: str, path: FilePath | None) -> CrfModel:
    manifest, arrays = contents.manifest, contents.arrays
    source, target = side_from_dict(manifest["source"]), side_from_dict(manifest["target"])
    chunks = tuple(chunks_from_arrays(arrays, f"{prefix}chunks"))
    go_on = unsigned_column(arrays, f"{prefix}go_on")
    if len(go_on) != len(chunks) or go_on.max(initial=0) > 1:
        raise ValueError("its labels do not say whether they go on with a unit")
    if not all(0 < symbol <= len(target.symbols) for chunk in chunks for symbol in chunk):
        raise ValueError("a symbol that is written is not in the alphabet")
    choices = rows_of(arrays, f"{prefix}choices")
    if len(choices) != len(source.symbols) or any(not 0 < len(r) <= MOST_CHOICES for r in choices):
        raise ValueError("its letters have no labels, or too many")
    if any(sorted({*row}) != [*row] or row[-1] >= len(chunks) for row in choices):
        raise ValueError("the labels of a letter are not there, or not in order")
    table = table_of(manifest["windows"], arrays, prefix, len(source.symbols), len(chunks))
    beam = manifest["beam"]
    return CrfModel(
        source,
        target,
        chunks,
        tuple(map(bool, go_on.tolist())),
        choices,
        table,
        manifest["name"],
        manifest["temperature"],
        math.inf if beam is None else beam,
        manifest["description"],
    )


def rows_of(arrays: Mapping[str, Array], name: str) -> tuple[tuple[int, ...], ...]:
    """Rows of numbers end to end, with their lengths."""
    flat, lengths = (
        unsigned_column(arrays, name).tolist(),
        unsigned_column(arrays, f"{name}_lengths"),
    )
    bounds = np.cumsum([0, *lengths.tolist()]).tolist()
    if bounds[-1] != len(flat):
        raise ValueError(f"{name} are not divided into rows")
    return tuple(tuple(flat[a:b]) for a, b in pairwise(bounds))


def table_of(
    stored_windows: Any, arrays: Mapping[str, Array], prefix: str, n_letters: int, n_labels: int
) -> Table:
    """Weights whose windows, nodes and labels there are, or ValueError."""
    windows = windows_of(stored_windows)
    names = (
        "tries/parents", "tries/codes", "labels/steps", "labels/labels", "pairs/steps",
        "pairs/befores", "pairs/afters",
    )  # fmt: skip
    columns = [unsigned_column(arrays, prefix + name).astype(np.int64) for name in names]
    parents, codes, steps, labels, pair_steps, befores, afters = columns
    n_roots = len(roots_of(windows))
    numbers = n_roots + np.arange(len(parents))
    if len(codes) != len(parents) or codes.max(initial=0) > n_letters + 2 * FARTHEST:
        raise ValueError("its windows have letters that there are not")
    if (parents >= numbers).any():
        raise ValueError("a window stands before what it goes on with")
    if len(np.unique(parents * (n_letters + 2 * FARTHEST + 1) + codes)) != len(parents):
        raise ValueError("a window stands there twice")
    nodes, pair_nodes = np.cumsum(steps), np.cumsum(pair_steps)
    n_nodes = n_roots + len(parents)
    if max(nodes.max(initial=0), pair_nodes.max(initial=0)) >= max(n_nodes, 1):
        raise ValueError("there are weights of windows that there are not")
    if any(column.max(initial=-1) >= n_labels for column in (labels, befores, afters)):
        raise ValueError("there are weights of labels that there are not")
    weights, pair_weights = (arrays[f"{prefix}{name}/weights"] for name in ("labels", "pairs"))
    own, of_pairs = (nodes, labels), (pair_nodes, befores, afters)
    for column, others in ((weights, own), (pair_weights, of_pairs)):
        if column.dtype != np.float32 or column.ndim != 1:
            raise ValueError(f"weights have shape {column.shape} and type {column.dtype}")
        if any(len(other) != len(column) for other in others):
            raise ValueError("there are not as many weights as there is what they are of")
        if not (np.abs(column) < GREATEST).all():
            raise ValueError("a weight is no number, or too great")
    return Table(
        windows, parents, codes, nodes, labels, weights.astype(np.float64),
        pair_nodes, befores, afters, pair_weights.astype(np.float64),
    )  # fmt: skip


def windows_of(stored: Any) -> tuple[Window, ...]:
    windows = tuple((first, last) for first, last in stored)
    if any(type(place) is not int or abs(place) > WIDEST for row in windows for place in row):
        raise ValueError(f"its windows are {stored!r:.60}")
    if any(first > last and (first, last) != EMPTY for first, last in windows):
        raise ValueError(f"its windows are {stored!r:.60}")
    if not windows or len({*windows}) != len(windows):
        raise ValueError("it has no windows, or one twice")
    return windows


PACKING = Packing(
    kind=KIND,
    what="conditional random field",
    pack=to_contents,
    unpack=unpack_model,
    # Weights are checked as they are read.
    problem_of=partial(problem_of_settings, ranges=SETTINGS),
)
save, load, from_contents = PACKING.save, PACKING.load, PACKING.from_contents
