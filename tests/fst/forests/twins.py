"""Random forests and automata, and twins of the forest algorithms that write out every tree."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from glyphone.fst.forests.forest import INNER, Choice, Forest, ForestBuilder

Floats = NDArray[np.float64]
Score = Callable[[list[int]], float]
N_SYMBOLS, N_PATTERNS = 3, 4


def random_forest(random: np.random.Generator, *, most_trees: int = 200) -> Forest:
    """Nodes that share subtrees, with choices of no children to three, some used twice."""
    while True:
        builder = ForestBuilder()
        nodes = [builder.add_leaf(int(random.integers(N_SYMBOLS)), token=t) for t in range(4)]
        for number in range(int(random.integers(1, 7))):
            choices = [
                Choice(
                    tuple(int(child) for child in random.choice(nodes, random.integers(0, 4))),
                    int(random.integers(-1, N_PATTERNS)),
                    float(random.normal()),
                )
                for _ in range(random.integers(1, 4))
            ]
            nodes.append(builder.add_node(choices, label=f"N{number}"))
        forest = builder.build(nodes[-1])
        if forest.n_trees() <= most_trees:
            return forest


def random_bigrams(random: np.random.Generator, *, n_symbols: int = N_SYMBOLS) -> Floats:
    """ln P(column | row), with a zero here and there."""
    table = random.dirichlet(np.ones(n_symbols + 1), n_symbols + 1)
    table[random.random(table.shape) < 0.05] = 0
    with np.errstate(divide="ignore"):
        return np.log(table)


def bigram_score(table: Floats) -> Score:
    """ln of the probability of a string."""
    edge = len(table) - 1

    def score(string: list[int]) -> float:
        path = [edge, *string, edge]
        return float(sum(table[a, b] for a, b in pairwise(path)))

    return score


def every_tree(forest: Forest, score: Score, log_params: Floats) -> dict[tuple[int, ...], float]:
    """The log weight of every tree by its choices."""
    found = {}
    for derivation in forest.derivations():
        weight = float(forest.log_weights[derivation].sum())
        patterns = forest.patterns[derivation]
        weight += float(log_params[patterns[patterns >= 0]].sum())
        string = [int(forest.symbols[leaf]) for leaf in forest.leaves_of(derivation)]
        found[tuple(derivation.tolist())] = weight + score(string)
    return found


def log_sum(log_weights: list[float]) -> float:
    most = max(log_weights)
    if most == -math.inf:
        return most
    return most + math.log(sum(math.exp(weight - most) for weight in log_weights))


def matrix_total(forest: Forest, table: Floats, log_params: Floats) -> float:
    """The log of the root sum in the matrix form: rows are left contexts, columns last symbols."""
    edge = len(table) - 1
    probs = np.exp(table)
    matrices: list[Floats] = []
    for node in range(forest.n_nodes):
        total = np.zeros_like(probs)
        if forest.symbols[node] != INNER:
            total[:, forest.symbols[node]] = probs[:, forest.symbols[node]]
        for choice in forest.choices_of(node):
            product = np.eye(len(probs)) * math.exp(forest.log_weights[choice])
            if forest.patterns[choice] >= 0:
                product *= math.exp(log_params[forest.patterns[choice]])
            for child in forest.children_of(choice):
                product = product @ matrices[child]
            total += product
        matrices.append(total)
    ends = np.append(probs[:edge, edge], probs[edge, edge])
    with np.errstate(divide="ignore"):
        return float(np.log(matrices[-1][edge] @ ends))
