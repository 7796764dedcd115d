"""Tree models on disk, in the container of `glyphone.fst.storage.container`.

The manifest has the settings, the description, and for each side its writing and symbols. The
arrays are the units, chunks end to end, and for each tree what its nodes ask about, level by level,
the distinct tables of branches in planes of bits, and the counts of the leaves. A tree is made of
these by `glyphone.models.trees.building`, and nothing in them can lead a kernel astray.

>>> import tempfile
>>> from glyphone.data.records import Pair
>>> from glyphone.models.trees.training import fit_tree
>>> model = fit_tree([Pair(tuple("phi"), tuple("fi"))]).model
>>> path = tempfile.mkdtemp() + "/phi.glyphone"
>>> save(model, path)
>>> load(path)("phi").output, load(path).fingerprint() == model.fingerprint()
('f i', True)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.fst.alignment.units import Units
from glyphone.fst.interface.codec_file import (
    are_arranged,
    chunks_from_arrays,
    chunks_to_arrays,
    learned_to_dict,
    side_from_dict,
)
from glyphone.fst.interface.directions import in_reading_order
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.fst.storage.packing import (
    Packing,
    problem_of_settings,
    smallest_unsigned,
    unsigned_column,
)
from glyphone.learners.trees.arrays import ATTRIBUTE, LEAF, OFFSET, Tree
from glyphone.learners.trees.columns import code_type
from glyphone.learners.trees.letter_windows import WIDEST
from glyphone.models.trees.building import Leaves, build_tree, leaves_of
from glyphone.models.trees.model import TreeModel
from glyphone.models.trees.tables import MOST_PREVIOUS, MOST_TREES, check_states, widths_of

KIND = "tree"
# No node has more branches than fit into so many bits.
MOST_BITS = 20
# Least and greatest values of settings.
SETTINGS = {"temperature": (0.1, 10.0), "beam": (0.0, math.inf)}

Array = NDArray[Any]


def to_contents(model: TreeModel, prefix: str = "") -> Contents:
    """A model, its arrays under a prefix."""
    manifest = learned_to_dict(model) | {
        "left": model.left,
        "right": model.right,
        "previous": model.previous,
        "backward": model.backward,
        "trees": len(model.trees),
        "smoothing": float(model.trees[0].smoothing),
    }
    arrays: dict[str, Array] = {}
    for side, chunks in (("sources", model.units.sources), ("targets", model.units.targets)):
        arrays |= chunks_to_arrays(chunks, f"units/{side}")
    for number, tree in enumerate(model.trees):
        own = tree_to_arrays(tree, model.units)
        arrays |= {f"trees/{number}/{name}": array for name, array in own.items()}
    return Contents(KIND, manifest, {prefix + name: array for name, array in arrays.items()})


def tree_to_arrays(tree: Tree, units: Units) -> dict[str, Array]:
    """The values that a tree is rebuilt from; a class is its place among the units of a letter."""
    inner = ~tree.leaves
    offsets, forms = np.unique(tree.nodes[inner, OFFSET], return_inverse=True)
    first = int(tree.widths[tree.nodes[0, ATTRIBUTE]])
    leaves = leaves_of(tree)
    places = leaves.classes - units.firsts[[units.sources[u][0] for u in leaves.classes.tolist()]]
    counts: Array = leaves.counts.astype(np.float32)
    numbers: Array = leaves.counts.astype(np.int64)
    few = np.array_equal(leaves.counts, numbers) and numbers.max() < 2**32
    return {
        "attributes": smallest_unsigned(np.asarray(tree.nodes[:, ATTRIBUTE] + 1)),
        "forms": smallest_unsigned(forms[1:] - 1),
        "lengths": smallest_unsigned(np.diff([*offsets.tolist(), len(tree.tables)])[1:]),
        "tables": in_planes(tree.tables[first:]),
        "sizes": smallest_unsigned(np.diff(leaves.starts)),
        "places": smallest_unsigned(places),
        "counts": smallest_unsigned(numbers) if few else counts,
    }


def in_planes(numbers: Array) -> Array:
    """Numbers as their lowest bits, then their next, and so on: most have one or two."""
    n_bits = int(numbers.max(initial=0)).bit_length()
    planes = [np.packbits(numbers >> bit & 1) for bit in range(n_bits)]
    return np.concatenate([np.zeros(0, np.uint8), *planes])


def from_planes(packed: Array, count: int) -> Array:
    """The numbers that `in_planes` packed.

    >>> from_planes(in_planes(np.array([2, 0, 3, 1])), 4).tolist()
    [2, 0, 3, 1]
    """
    size = (count + 7) // 8
    n_bits = len(packed) // size if size else 0
    if packed.dtype != np.uint8 or n_bits * size != len(packed) or n_bits > MOST_BITS:
        raise ValueError(f"{len(packed)} bytes of bits of {count} branches")
    numbers = np.zeros(count, np.int64)
    for bit in range(n_bits):
        plane = packed[bit * size : (bit + 1) * size]
        numbers += np.unpackbits(plane, count=count).astype(np.int64) << bit
    return numbers


def unpack_model(contents: Contents, prefix: str, path: FilePath | None) -> TreeModel:
    manifest, arrays = contents.manifest, contents.arrays
    source, target = side_from_dict(manifest["source"]), side_from_dict(manifest["target"])
    units = Units(
        tuple(chunks_from_arrays(arrays, f"{prefix}units/sources")),
        tuple(chunks_from_arrays(arrays, f"{prefix}units/targets")),
        len(source.symbols) + 1,
    )
    check_units(units, len(target.symbols))
    left, right, previous = (
        whole_number(manifest, name, 0, most)
        for name, most in (("left", WIDEST), ("right", WIDEST), ("previous", MOST_PREVIOUS))
    )
    check_states(units, previous)
    smoothing, beam = manifest["smoothing"], manifest["beam"]
    if type(smoothing) is not float or not 0 <= smoothing < math.inf:
        raise ValueError(f"its smoothing is {smoothing!r}")
    # Older files have no direction: their models read forward.
    backward = manifest.get("backward", False)
    if type(backward) is not bool:
        raise ValueError(f"its backward is {backward!r}")
    before, after = in_reading_order((left, right), backward=backward)
    window = {"left": before, "right": after, "previous": previous}
    trees = tuple(
        tree_of(arrays, f"{prefix}trees/{number}/", units, smoothing, **window)
        for number in range(whole_number(manifest, "trees", 1, MOST_TREES))
    )
    return TreeModel(
        source,
        target,
        units,
        trees,
        left,
        right,
        previous,
        name=manifest["name"],
        backward=backward,
        beam=math.inf if beam is None else beam,
        temperature=manifest["temperature"],
        description=manifest["description"],
    )


def whole_number(manifest: Mapping[str, Any], name: str, least: int, most: int) -> int:
    """A setting that is a whole number."""
    value = manifest[name]
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"its {name} is {value!r}")
    return value


def check_units(units: Units, n_symbols: int) -> None:
    """Every letter has units, and every unit reads one letter."""
    if len(units.sources) != len(units.targets) or not units.sources:
        raise ValueError(f"{len(units.sources)} units read and {len(units.targets)} write")
    if any(len(source) != 1 for source in units.sources):
        raise ValueError("a unit does not read one letter")
    if {source[0] for source in units.sources} != {*range(1, units.n_labels)}:
        raise ValueError("its units do not read the letters of its alphabet")
    if not all(0 < label <= n_symbols for target in units.targets for label in target):
        raise ValueError("a symbol that is written is not in the alphabet")
    if not are_arranged(units):
        raise ValueError("its units are not sorted")


def tree_of(
    arrays: Mapping[str, Array],
    prefix: str,
    units: Units,
    smoothing: float,
    *,
    left: int,
    right: int,
    previous: int,
) -> Tree:
    """A tree whose nodes follow from one another, or ValueError."""
    names = ("attributes", "forms", "lengths", "tables", "sizes", "places")
    columns = (unsigned_column(arrays, prefix + name) for name in names)
    attributes, forms, lengths, packed, sizes, places = columns
    widths = widths_of(units, left=left, right=right, previous=previous)
    # The first question is the same in all trees: a branch for each letter.
    root = np.arange(units.n_labels + 1) % units.n_labels
    tables = np.concatenate([root, from_planes(packed, int(lengths.sum(dtype=np.int64)))])
    lengths = np.concatenate([[len(root)], lengths.astype(np.int64)])
    attributes, forms = attributes.astype(np.int64) - 1, forms.astype(np.int64) + 1
    forms = np.concatenate([[0], forms])
    inner = attributes != LEAF
    if not len(attributes) or attributes[0] != left or attributes.max() >= len(widths):
        raise ValueError("a node asks about nothing that there is, or the first not for its letter")
    if len(forms) != inner.sum() or forms.max(initial=0) >= len(lengths):
        raise ValueError("its nodes have no tables")
    if (lengths == 0).any():
        raise ValueError("a table has no length")
    if (lengths[forms] != widths[attributes[inner]]).any():
        raise ValueError("a table is not as wide as what is asked about")
    bounds = np.cumsum([0, *lengths.tolist()]).tolist()
    branches = np.maximum.reduceat(tables, bounds[:-1])[forms]
    # Children come level by level, so those of a node are all behind it if they are enough.
    behind = 1 + np.cumsum(branches) - branches > np.flatnonzero(inner)
    if branches.min() < 1 or 1 + branches.sum() != len(attributes) or not behind.all():
        raise ValueError("its nodes are no tree")
    cut: Array = tables.astype(code_type(widths))
    offered = [cut[a:b] for a, b in pairwise(bounds)]
    leaves = leaves_in(arrays, prefix, attributes, branches, sizes, places, units)
    return build_tree(
        attributes, forms, offered, leaves,
        widths=widths, firsts=units.firsts[: units.n_labels + 1], smoothing=smoothing,
    )  # fmt: skip


def leaves_in(
    arrays: Mapping[str, Array],
    prefix: str,
    attributes: Array,
    branches: Array,
    sizes: Array,
    places: Array,
    units: Units,
) -> Leaves:
    """The counts of leaves, of units of their own letters only."""
    counts = arrays[f"{prefix}counts"]
    if counts.ndim != 1 or counts.dtype.kind not in "uf":
        raise ValueError(f"counts have shape {counts.shape} and type {counts.dtype}")
    leaf = attributes == LEAF
    if len(sizes) != leaf.sum() or (sizes == 0).any():
        raise ValueError("a leaf has no units")
    if not len(places) == len(counts) == int(sizes.sum(dtype=np.int64)):
        raise ValueError("units are not divided among the leaves")
    counts = counts.astype(np.float64)
    if not (np.isfinite(counts) & (counts > 0)).all():
        raise ValueError("a count is not above 0")
    parents = np.repeat(np.flatnonzero(~leaf), branches)
    letters = np.zeros(len(attributes), np.int64)
    letters[1 : units.n_labels] = np.arange(1, units.n_labels)
    for node in range(units.n_labels, len(attributes)):
        letters[node] = letters[parents[node - 1]]
    firsts = units.firsts
    owners = np.repeat(letters[leaf], sizes)
    classes = firsts[owners] + places
    if (classes >= firsts[owners + 1]).any():
        raise ValueError("a leaf has units of another letter")
    starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    steps = np.diff(classes) > 0
    steps[starts[1:-1] - 1] = True
    if not steps.all():
        raise ValueError("the units of a leaf are not sorted")
    return Leaves(starts, classes, counts)


PACKING = Packing(
    kind=KIND,
    what="tree model",
    pack=to_contents,
    unpack=unpack_model,
    # Units and trees are checked as they are read.
    problem_of=partial(problem_of_settings, ranges=SETTINGS),
)
save, load, from_contents = PACKING.save, PACKING.load, PACKING.from_contents
