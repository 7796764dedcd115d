"""Orders of constructions, and differences between two treebanks in them.

In a dependency tree a construction is the class of a dependent (`glyphone.data.treebanks.classes`),
and its order is `left` or `right` of the head; punctuation is left out. In a constituent tree a
construction is a label with the labels of its children in alphabetical order, and its order is the
order of the children.

>>> from glyphone.data.treebanks.dependencies import Word
>>> words = (Word("old", head=2, deprel="amod"), Word("Ann", head=0, deprel="root"))
>>> one = orders_of([Sentence(words)] * 30)
>>> one
{'amod': Counter({'left': 30})}
>>> other = {"amod": Counter({"left": 10, "right": 10})}
>>> order_error(one, other), order_error(one, other, least=40)
(0.5, nan)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from glyphone.data.records import Tree
from glyphone.data.treebanks.classes import class_of
from glyphone.data.treebanks.dependencies import PUNCTUATION, Sentence

Orders = Mapping[str, Counter[str]]

LEFT, RIGHT = "left", "right"
# Shares of rarer constructions are chance.
LEAST = 20


@dataclass(frozen=True)
class Difference:
    """The share of an order of a construction in two treebanks, and the counts of the latter."""

    construction: str
    order: str
    share: float
    other_share: float
    total: int
    other_total: int


def orders_of(treebank: Iterable[Sentence | Tree]) -> dict[str, Counter[str]]:
    """Counts of orders by construction, in alphabetical order of constructions."""
    counts: dict[str, Counter[str]] = {}
    for item in treebank:
        pairs = sides_of(item) if isinstance(item, Sentence) else orders_in(item)
        for construction, order in pairs:
            counts.setdefault(construction, Counter())[order] += 1
    return dict(sorted(counts.items()))


def sides_of(sentence: Sentence) -> Iterator[tuple[str, str]]:
    """The class and the side of each dependent."""
    for position, word in enumerate(sentence.words):
        if word.head and word.upos != PUNCTUATION:
            yield class_of(sentence, position), LEFT if position < word.head - 1 else RIGHT


def orders_in(tree: Tree) -> Iterator[tuple[str, str]]:
    """Constructions of the constituents with several children, and their orders.

    >>> ann, runs = Tree("NP", (Tree("Ann"),)), Tree("VP", (Tree("runs"),))
    >>> list(orders_in(Tree("S", (runs, ann))))
    [('S: NP VP', 'VP NP')]
    """
    agenda = [tree]
    while agenda:
        node = agenda.pop()
        if len(node.children) > 1:
            labels = [child.label for child in node.children]
            yield f"{node.label}: {' '.join(sorted(labels))}", " ".join(labels)
        agenda.extend(reversed(node.children))


def order_error(found: Orders, target: Orders, *, least: int = LEAST) -> float:
    """The mean distance of the shares of orders, weighted by counts of constructions in `found`.

    The distance is half the sum of the differences; for two orders that is the difference of the
    share of one. Constructions count if both treebanks have them `least` times; nan without any.
    """
    names = shared_constructions(found, target, least)
    total = sum(found[name].total() for name in names)
    if not total:
        return math.nan
    return (
        sum(found[name].total() * share_distance(found[name], target[name]) for name in names)
        / total
    )


def shared_constructions(found: Orders, target: Orders, least: int) -> list[str]:
    """The constructions that both have at least `least` times."""
    return [
        name
        for name, orders in found.items()
        if orders.total() >= least and target.get(name, Counter()).total() >= least
    ]


def share_distance(one: Counter[str], other: Counter[str]) -> float:
    """Half the sum of the differences between the shares of orders."""
    orders = one.keys() | other.keys()
    total, other_total = one.total(), other.total()
    return sum(abs(one[o] / total - other[o] / other_total) for o in sorted(orders)) / 2


def order_differences(found: Orders, target: Orders, *, least: int = LEAST) -> list[Difference]:
    """Shares of orders in both, the most frequent construction first; of two sides, the right."""
    names = shared_constructions(found, target, least)
    rows = []
    for name in sorted(names, key=lambda name: (-found[name].total(), name)):
        one, other = found[name], target[name]
        orders = one.keys() | other.keys()
        for order in sorted({RIGHT} if orders <= {LEFT, RIGHT} else orders):
            totals = one.total(), other.total()
            shares = one[order] / totals[0], other[order] / totals[1]
            rows.append(Difference(name, order, *shares, *totals))
    return rows
