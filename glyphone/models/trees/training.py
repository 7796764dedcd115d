"""From pairs to trees over windows: alignment, rows, and a tree for each letter, put together.

The first question of a tree is which letter it is about, with a branch for each; what follows is
grown from the rows of that letter alone, which cannot be confused with others. Several trees are
boosted (each looks at what those before find hard) or a forest: see `glyphone.learners`.

>>> lexicon = {"ca": "ka", "ci": "si", "co": "ko", "ici": "isi", "aca": "aka"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> one_to_one = AlignmentOptions(max_source=1, max_target=1)
>>> fitted = fit_tree(pairs, TreeOptions(trees=2, alignment=one_to_one), target=Writing())
>>> fitted.model("cico").output, len(fitted.model.trees)
('siko', 2)
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from glyphone.data import progress
from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.data.kernels import jit
from glyphone.data.records import Alignment, Pair
from glyphone.data.writing import LETTERS, PHONES, Writing
from glyphone.fst.alignment.refusals import fit_or_explain
from glyphone.fst.alignment.training import AlignmentOptions, Refusal
from glyphone.fst.alignment.units import Units
from glyphone.fst.interface import directions as interface_directions
from glyphone.fst.interface.codec import Side, number_symbols
from glyphone.fst.interface.learning import (
    LearningResult,
    LearningSettings,
    align_lexicon,
    with_alignment,
)
from glyphone.fst.joint.training import JointOptions
from glyphone.fst.ngrams.counts import flatten
from glyphone.learners.trees import applying_kernels
from glyphone.learners.trees import growing as tree_growing
from glyphone.learners.trees.arrays import Tree
from glyphone.learners.trees.growing import GrowingOptions
from glyphone.learners.trees.letter_windows import WIDEST, letter_windows
from glyphone.models.trees.building import combine_trees
from glyphone.models.trees.model import TreeModel
from glyphone.models.trees.tables import (
    MOST_PREVIOUS,
    MOST_TREES,
    check_states,
    chunks_of,
    widths_of,
)

Array = Any
Method = Literal["boosting", "forest"]


@dataclass(frozen=True, kw_only=True)
class TreeOptions:
    """Options of trees; the defaults are best for English.

    A tree sees `left` and `right` letters around each letter, and the last `previous` chunks that
    were written. If it looks at any, words are read from their beginning or `backward`, from their
    end: an English ending, and the stress that it draws, decide vowels before it. Of `trees` more
    than one, each asks at a node about `max_attributes` columns drawn by chance, half of them
    unless it is given; they are boosted, with `emphasis`, or a forest. For other options see
    `glyphone.learners.trees.estimator`, for `widen` and `best_form` `JointOptions`.
    """

    left: int = 4
    right: int = 4
    previous: int = 3
    backward: bool = True
    trees: int = 1
    method: Method = "boosting"
    emphasis: float = 10.0
    splits: str = "binary"
    criterion: str = "gain"
    min_leaf: float = 1.0
    max_depth: int | None = None
    max_attributes: int | None = None
    confidence: float | None = 0.25
    smoothing: float = 0.3
    widen: bool = True
    best_form: bool = False
    seed: int = 0
    alignment: AlignmentOptions = field(default_factory=lambda: JointOptions().alignment)

    def __post_init__(self) -> None:
        if self.method not in get_args(Method):
            raise UnknownName("method", str(self.method), get_args(Method))
        for name, least, most in (
            ("left", 0, WIDEST), ("right", 0, WIDEST), ("previous", 0, MOST_PREVIOUS),
            ("trees", 1, MOST_TREES),
        ):  # fmt: skip
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise GlyphoneError(f"{name} is {value}", remedy=f"take {least} to {most}")
        if not self.emphasis >= 0:
            raise GlyphoneError(f"emphasis is {self.emphasis}", remedy="it must be 0 or more")
        if self.alignment.max_source != 1 or self.alignment.insertions:
            remedy = "leave out max_source and insertions, or train a joint model"
            raise GlyphoneError("trees need units that read one letter each", remedy=remedy)

    @classmethod
    def of(cls, *, trees: int = 1) -> TreeOptions:
        """The defaults for so many: several can be larger, for they mend each other's errors."""
        if trees == 1:
            return cls()
        return cls(trees=trees, left=5, right=5, confidence=None, smoothing=1.0)

    def growing(self, n_columns: int, seed: int) -> GrowingOptions:
        """The options of the learner."""
        names = ("criterion", "splits", "min_leaf", "max_depth", "confidence", "smoothing")
        half = -(-n_columns // 2) if self.trees > 1 else None
        limit = half if self.max_attributes is None else self.max_attributes
        settings = {name: getattr(self, name) for name in names}
        return GrowingOptions(**settings, max_attributes=limit, seed=seed)


# Options of a tree that learns the answers of another model. Rules look at letters, at more of them
# than a lexicon is enough for. On French, single letters in questions instead of sets ("questions")
# agree in 0.2 words of a hundred more, and answer 22 % more slowly.
_WINDOW = {"left": 5, "right": 6, "previous": 0}
_GROWING = {"splits": "binary", "min_leaf": 1.0, "confidence": 0.25}
DISTILLED: dict[str, Any] = {**_WINDOW, **_GROWING}


@dataclass(frozen=True, eq=False)
class FittedTree:
    """A model, and the pairs that it could not be trained on."""

    model: TreeModel
    refusals: tuple[Refusal, ...]


@dataclass(frozen=True, eq=False)
class Rows:
    """Training rows: codes of windows and chunks, units, and weights."""

    codes: Array
    units: Array
    weights: Array


def fit_tree(
    pairs: Sequence[Pair],
    options: TreeOptions | None = None,
    *,
    source: Writing = LETTERS,
    target: Writing = PHONES,
    jobs: int = 1,
    name: str = "tree",
) -> FittedTree:
    """A tree model of a lexicon; a pair counts as often as its weight says."""
    options = options or TreeOptions()
    options.growing(1, 0)  # which refuses invalid options before the long work
    plain = replace(options, best_form=False)

    def learn(some: Sequence[Pair], source: Writing) -> TreeModel:
        return fit_tree(some, plain, source=source, target=target, jobs=jobs).model

    lexicon = align_lexicon(pairs, options, learn, source=source, target=target, jobs=jobs)
    model = train_tree(
        lexicon.alignments,
        options,
        weights=lexicon.weights,
        source=lexicon.source,
        target=target,
        jobs=jobs,
        name=name,
    )
    return FittedTree(model, lexicon.refusals)


def learn_tree(pairs: Sequence[Pair], settings: LearningSettings) -> LearningResult:
    """A tree model; options are those of `TreeOptions` and `AlignmentOptions`."""
    defaults = TreeOptions.of(trees=settings.chosen.get("trees", 1))
    options = with_alignment(defaults, settings.chosen, settings.seed, kind="a tree")
    fitted = fit_or_explain(
        fit_tree, pairs, options, options.alignment, **settings.fit_arguments("tree")
    )
    trees = fitted.model.trees
    sizes = {
        "units": len(fitted.model.units),
        "trees": len(trees),
        "nodes": sum(len(tree.nodes) for tree in trees),
        "leaves": sum(int(tree.leaves.sum()) for tree in trees),
    }
    return LearningResult(fitted.model, fitted.refusals, asdict(options), sizes)


def train_tree(
    alignments: Sequence[Alignment],
    options: TreeOptions | None = None,
    *,
    weights: Sequence[float] | None = None,
    source: Writing = LETTERS,
    target: Writing = PHONES,
    jobs: int = 1,
    name: str = "tree",
) -> TreeModel:
    """The model of aligned pairs, whose units read one letter each."""
    options = options or TreeOptions()
    backward = options.backward and options.previous > 0
    before, after = interface_directions.in_reading_order(
        (options.left, options.right), backward=backward
    )
    read = [interface_directions.turn_alignment(one, backward=backward) for one in alignments]
    rows = [alignment.units for alignment in read if alignment.units]
    if not rows:
        raise GlyphoneError("there is nothing to train on", remedy="give one pair at least")
    if any(len(x) != 1 for row in rows for x, _ in row):
        raise GlyphoneError("trees need units that read one letter each", remedy="align them so")
    letters = Side(source, number_symbols(x for row in rows for x, _ in row), name)
    phones = Side(target, number_symbols(y for row in rows for _, y in row), name)
    labels = {
        (x, y): ((letters.symbols[x[0]],), tuple(phones.symbols[symbol] for symbol in y))
        for x, y in {unit for row in rows for unit in row}
    }
    units = Units.of(labels.values(), n_labels=len(letters.symbols) + 1)
    check_states(units, options.previous)
    number = {unit: units.numbers[pair] for unit, pair in labels.items()}
    tokens, bounds = flatten([[number[unit] for unit in row] for row in rows])
    counts = [1.0] * len(alignments) if weights is None else weights
    row_weights = [weight for weight, one in zip(counts, alignments, strict=True) if one.units]
    reading = replace(options, left=before, right=after)
    trees = grow_trees(
        rows_of(tokens, bounds, units, reading, row_weights), units, reading, jobs=jobs
    )
    window = (options.left, options.right, options.previous)
    return TreeModel(letters, phones, units, trees, *window, name, backward=backward)


def rows_of(
    tokens: Array, bounds: Array, units: Units, options: TreeOptions, weights: Sequence[float]
) -> Rows:
    """A row for each letter of all words."""
    labels = np.array([source[0] for source in units.sources])[tokens]
    windows = letter_windows(labels, bounds, left=options.left, right=options.right)
    chunks, _ = chunks_of(units)
    written = letter_windows(chunks[tokens], bounds, left=options.previous, right=0)
    before = written[:, : options.previous][:, ::-1]
    words = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    return Rows(np.hstack([windows, before]), tokens, np.asarray(weights, np.float64)[words])


def grow_trees(rows: Rows, units: Units, options: TreeOptions, *, jobs: int) -> tuple[Tree, ...]:
    """Trees of all letters, as many as are asked for."""
    firsts = units.firsts[: units.n_labels + 1]
    window = {"left": options.left, "right": options.right, "previous": options.previous}
    widths = widths_of(units, **window)

    def of_letter(letter: int) -> list[Tree]:
        mine = rows.codes[:, options.left] == letter
        low, high = firsts[letter : letter + 2].tolist()
        own = Rows(rows.codes[mine], (rows.units[mine] - low).astype(np.int32), rows.weights[mine])
        return trees_of_letter(own, widths, high - low, options, letter)

    with ThreadPoolExecutor(jobs) as pool:
        letters = pool.map(of_letter, range(1, units.n_labels))
        found = list(progress.steps(letters, "growing trees of letters", total=units.n_labels - 1))
    settings: dict[str, Any] = {"centre": options.left, "widths": widths}
    return tuple(
        combine_trees(trees, firsts, **settings, smoothing=float(options.smoothing))
        for trees in zip(*found, strict=True)
    )


def trees_of_letter(
    rows: Rows, widths: Array, n_classes: int, options: TreeOptions, letter: int
) -> list[Tree]:
    """The trees of one letter; in boosting rows weigh more that those before find hard."""
    seeds = np.random.default_rng([options.seed, letter]).integers(0, 2**31 - 1, options.trees)
    trees: list[Tree] = []
    found, hard = np.zeros(len(rows.codes)), rows.weights
    for seed in progress.steps(seeds.tolist(), "growing trees"):
        growing = options.growing(len(widths), seed)
        arrays = (rows.codes, rows.units, widths, n_classes)
        trees.append(tree_growing.grow_tree(*arrays, weights=hard, options=growing))
        if options.method == "boosting" and len(trees) < options.trees:
            kernels = jit.tier(applying_kernels, rows.codes.size)
            found += kernels.class_shares(
                trees[-1], kernels.end_nodes(trees[-1], rows.codes), rows.units
            )
            hard = rows.weights * (1 + options.emphasis * (1 - found / len(trees)))
            hard *= rows.weights.sum() / hard.sum()
    return trees
