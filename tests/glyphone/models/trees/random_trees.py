"""Random trees, what they write letter by letter, and the answers of machines made of them."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
from hypothesis import strategies as st

from glyphone.data.kernels.arrays import row_bounds
from glyphone.fst.automata.transducer import SymbolTable, Transducer
from glyphone.fst.transducers.model import TransducerModel
from glyphone.learners.trees.applying_kernels import end_nodes
from glyphone.learners.trees.arrays import Tree
from glyphone.learners.trees.letter_windows import letter_windows

LETTERS, SOUNDS = "abcdefgh", "ABCDEFGH"
Labels = tuple[int, ...]


def random_tree(
    random: np.random.Generator, *, width: int, n_letters: int, n_classes: int, depth: int
) -> Tree:
    """A tree that asks for anything, some of it twice or in vain, and has values without branch."""
    nodes, tables, parents, size = [], [], [-1], 0
    waiting = deque([0])
    while waiting:
        below = waiting.popleft()
        if below == depth or (below > 2 and random.random() < 0.15):
            nodes.append((-1, 0, 0))
            continue
        branches = random.integers(0, int(random.integers(2, 5)) + 1, n_letters + 2)
        kinds = np.unique(branches[branches > 0])
        branches = np.where(branches > 0, np.searchsorted(kinds, branches) + 1, 0)
        nodes.append((int(random.integers(width)), size, len(parents) - 1))
        tables.append(branches)
        size += len(branches)
        parents += [len(nodes) - 1] * len(kinds)
        waiting += [below + 1] * len(kinds)
    n = len(nodes)
    return Tree(
        np.array(nodes, np.int32), random.integers(0, n_classes, n).astype(np.int32),
        np.array(parents, np.int32), np.concatenate([*tables, [0]]).astype(np.uint8),
        np.full(width, n_letters + 2), np.ones(n), np.arange(n + 1), np.zeros(n, np.int32),
        np.ones(n), n_classes, 0.0,
    )  # fmt: skip


def random_outputs(random: np.random.Generator, n_classes: int) -> list[Labels]:
    return [
        tuple(random.integers(1, len(SOUNDS) + 1, random.integers(0, 4)).tolist())
        for _ in range(n_classes)
    ]


def strings(n_letters: int, longest: int) -> list[str]:
    return ["".join(s) for n in range(longest + 1) for s in product(LETTERS[:n_letters], repeat=n)]


def of_tree(
    tree: Tree, outputs: list[Labels], words: list[str], *, left: int, right: int
) -> list[list[str]]:
    """The outputs of a tree for each letter of words, by its windows."""
    labels = np.array([1 + LETTERS.index(letter) for word in words for letter in word], np.int32)
    bounds = row_bounds(np.array([*map(len, words)]))
    rows = letter_windows(labels, bounds, left=left, right=right)
    chunks = [
        "".join(SOUNDS[label - 1] for label in outputs[decision])
        for decision in tree.decisions[end_nodes(tree, rows)].tolist()
    ]
    return [chunks[a:b] for a, b in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)]


SHAPES = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 2**32 - 1),
        "left": st.integers(0, 2),
        "right": st.integers(0, 2),
        "n_letters": st.integers(1, 3),
        "depth": st.integers(0, 5),
        "n_classes": st.integers(1, 5),
    }
)


def drawn(shape: dict[str, int]) -> tuple[Tree, list[Labels], dict[str, int]]:
    random = np.random.default_rng(shape["seed"])
    window = {key: shape[key] for key in ("left", "right")}
    n = {key: shape[key] for key in ("n_letters", "n_classes", "depth")}
    tree = random_tree(random, width=1 + sum(window.values()), **n)
    return tree, random_outputs(random, shape["n_classes"]), window


def ready(machines: list[Transducer]) -> TransducerModel:
    """Machines with letters for labels, to be asked."""
    first = replace(machines[0], isymbols=SymbolTable.of(LETTERS))
    machines = [first, *machines[1:]]
    machines[-1] = replace(machines[-1], osymbols=SymbolTable.of(SOUNDS))
    return TransducerModel.from_machines(machines, name="tree")


def answers(model: TransducerModel, words: list[str]) -> list[str | None]:
    found = [answer.output for answer in map(only, model.apply(words, jobs=1))]
    return [*found]


def only(hypothesis: Any) -> Any:
    assert hypothesis is not None and hypothesis.posterior == 1.0
    return hypothesis
