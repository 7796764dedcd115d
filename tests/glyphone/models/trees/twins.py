"""A plain twin of tree models: every sequence of units, and what nodes say, spelt out."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.fst.alignment.training import AlignmentOptions
from glyphone.learners.trees.arrays import Tree
from glyphone.models.trees.model import TreeModel
from glyphone.models.trees.training import TreeOptions, fit_tree

LEXICON = {
    "ca": "ka", "ci": "si", "co": "ko", "ici": "isi", "aca": "aka", "xi": "ksi", "axa": "aksa",
    "cha": "Sa", "achi": "aSi", "hi": "i", "aho": "ao", "occi": "oksi", "acco": "ako", "cx": "ks",
    "ixi": "iksi", "oca": "oka", "ohh": "o", "hah": "a", "iho": "jo", "hax": "aks", "oxx": "oks",
}  # fmt: skip
PAIRS = [Pair(tuple(word), tuple(phones)) for word, phones in LEXICON.items()]
WORDS = ["", "c", "hx", "aci", "chx", "ixh", "ochc", "xaxa"]


def model_of(options: TreeOptions) -> TreeModel:
    return fit_tree(PAIRS, options, target=Writing()).model


def options_of(**changed: object) -> TreeOptions:
    settings = {"left": 1, "right": 2, "previous": 0, "smoothing": 0.5, "confidence": None}
    alignment = AlignmentOptions(max_source=1, max_target=2)
    return TreeOptions(**{"alignment": alignment, **settings, **changed})  # type: ignore[arg-type]


def end(tree: Tree, row: Sequence[int]) -> int:
    node = 0
    while tree.nodes[node, 0] >= 0:
        branch = int(tree.table(node)[row[tree.nodes[node, 0]]])
        if branch == 0:
            break
        node = tree.children(node)[branch - 1]
    return node


def share(tree: Tree, node: int, unit: int, n_units: int) -> float:
    """P(unit | node), drawn towards that of the node above, up to the node of the letter."""
    if node == 0:
        return 1 / n_units
    first, last = int(tree.starts[node]), int(tree.starts[node + 1])
    counts = dict(zip(tree.classes[first:last].tolist(), tree.counts[first:last], strict=True))
    above = share(tree, int(tree.parents[node]), unit, n_units)
    total = sum(counts.values()) + tree.smoothing
    return float((counts.get(unit, 0.0) + tree.smoothing * above) / total)


def paths(model: TreeModel, text: str) -> Iterator[tuple[tuple[int, ...], float]]:
    """All sequences of units that read a text, each with its probability."""
    letters = [model.source.symbols[letter] for letter in text]
    chunks = sorted(set(model.units.targets), key=lambda chunk: (len(chunk), chunk))
    options = [
        [u for u, (letter,) in enumerate(model.units.sources) if letter == read] for read in letters
    ]
    for units in itertools.product(*options):
        probability, written = 1.0, list[int]()
        for place, unit in enumerate(units):
            around = range(place - model.left, place + model.right + 1)
            row = [letters[k] if 0 <= k < len(letters) else 0 for k in around]
            row += [written[-k] if k <= len(written) else 0 for k in range(1, model.previous + 1)]
            n_units = len(options[place])
            shares = [share(tree, end(tree, row), unit, n_units) for tree in model.trees]
            probability *= sum(shares) / len(shares)
            written.append(1 + chunks.index(model.units.targets[unit]))
        yield units, probability


def outputs(model: TreeModel, text: str) -> dict[str, tuple[float, float]]:
    """The cost of the best path to each output, and the posterior of the output."""
    costs, masses = defaultdict[str, float](lambda: math.inf), defaultdict[str, float](float)
    for units, probability in paths(model, text):
        labels = [label for unit in units for label in model.units.targets[unit]]
        output = model.target.join(model.target.decode(labels))
        costs[output] = min(costs[output], -math.log(probability) if probability else math.inf)
        masses[output] += probability ** (1 / model.temperature)
    total = sum(masses.values())
    return {output: (costs[output], masses[output] / total) for output in costs}
