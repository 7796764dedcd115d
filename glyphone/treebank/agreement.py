"""How far a treebank agrees with another on the same sentences, in order and in structure.

Sentences are the same if they have the same `sent_id`, or without that, and as trees in brackets,
the same number. Words are the same if they have the same form; of several with one form the first
in one order is the first in the other. Where two sentences have the same words,

    tau = 1 - 4 (pairs of words in different orders) / (n (n - 1))

(Kendall 1938), and each word has the same head or not, and the same relation to it or not. Where
they have not, as in two languages, arcs still agree in the tags of head and dependent, the relation
and the side: what is told is the F of these, and without sides. Of constituents it is the F of
those with the same label and the same words. Punctuation of dependency trees is left out.

>>> from glyphone.data.treebanks.dependencies import Word
>>> words = (Word("Ann", head=2, deprel="nsubj"), Word("runs", head=0, deprel="root"))
>>> turned = (Word("runs", head=0, deprel="root"), Word("Ann", head=1, deprel="nsubj"))
>>> agreement([Sentence(words)], [Sentence(turned)]).figures
{'tau': -1.0, 'heads': 1.0, 'relations': 1.0, 'arcs': 1.0, 'arcs_with_sides': 0.0}
"""

from __future__ import annotations

import math
from bisect import bisect, insort
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from glyphone.data.errors import ItemError
from glyphone.data.records import Tree
from glyphone.data.treebanks.brackets import words_of as leaves
from glyphone.data.treebanks.classes import relation_of
from glyphone.data.treebanks.dependencies import Sentence
from glyphone.data.treebanks.punctuation import without_punctuation
from glyphone.treebank.constructions import LEFT, RIGHT

Item = Sentence | Tree


@dataclass(frozen=True)
class Agreement:
    """How many sentences both have, how many of them with the same words, and shares by name."""

    sentences: int
    same_words: int
    figures: Mapping[str, float]


def agreement(found: Iterable[Item], target: Iterable[Item]) -> Agreement:
    """The mean of tau over sentences, shares of all words; what no sentence tells is left out."""
    tally = _Tally()
    sentences = 0
    for one, other in pairs_of([*found], [*target]):
        sentences += 1
        if isinstance(one, Sentence) and isinstance(other, Sentence):
            tally.sentences(one, other)
        elif isinstance(one, Tree) and isinstance(other, Tree):
            tally.trees(one, other)
    return Agreement(sentences, tally.same_words, tally.figures())


def pairs_of(found: Sequence[Item], target: Sequence[Item]) -> Iterator[tuple[Item, Item]]:
    """The sentences of one with those of the other, of which the first of a name counts."""
    named: dict[str, Item] = {}
    for item in target:
        named.setdefault(item.id if isinstance(item, Sentence) else "", item)
    if "" not in named and all(isinstance(item, Sentence) and item.id for item in found):
        for item in found:
            other = named.get(item.id) if isinstance(item, Sentence) else None
            if other is not None:
                yield item, other
    elif len(found) == len(target):
        yield from zip(found, target, strict=True)


class _Tally:
    """What is counted over pairs of sentences."""

    def __init__(self) -> None:
        self.same_words = 0
        self.taus: list[float] = []
        self.right: Counter[str] = Counter()
        self.all: Counter[str] = Counter()

    def figures(self) -> dict[str, float]:
        shares = {name: self.right[name] / self.all[name] for name in self.all if self.all[name]}
        return {"tau": math.fsum(self.taus) / len(self.taus), **shares} if self.taus else shares

    def sentences(self, one: Sentence, other: Sentence) -> None:
        try:
            one, other = without_punctuation(one), without_punctuation(other)
        except ItemError:  # nothing but punctuation has no order
            return
        forms = [word.form for word in one.words]
        places = self.order(forms, [word.form for word in other.words])
        if places:
            heads = [0, *(place + 1 for place in places)]
            for word, place in zip(one.words, places, strict=True):
                twin = other.words[place]
                same = heads[word.head or 0] == twin.head
                self.count("heads", same)
                self.count("relations", same and word.deprel == twin.deprel)
        self.overlap("arcs", arcs_of(one), arcs_of(other))
        self.overlap("arcs_with_sides", arcs_of(one, sides=True), arcs_of(other, sides=True))

    def trees(self, one: Tree, other: Tree) -> None:
        places = self.order(leaves(one), leaves(other))
        if places:
            self.overlap("constituents", constituents_in(one, places), constituents_in(other))

    def order(self, words: Sequence[str], others: Sequence[str]) -> list[int] | None:
        """The places of words among the others, if they are the same, and with that tau."""
        places = places_of(words, others)
        if places is not None:
            self.same_words += 1
            if len(places) > 1:
                self.taus.append(tau(places))
        return places

    def count(self, name: str, right: bool) -> None:
        self.all[name] += 1
        self.right[name] += right

    def overlap(self, name: str, one: Counter[Hashable], other: Counter[Hashable]) -> None:
        self.right[name] += 2 * (one & other).total()
        self.all[name] += one.total() + other.total()


def places_of(words: Sequence[str], others: Sequence[str]) -> list[int] | None:
    """The place of each word among the others, None if these are not the same words.

    >>> places_of(["a", "b", "a"], ["a", "a", "b"]), places_of(["a"], ["b"])
    ([0, 2, 1], None)
    """
    places: dict[str, list[int]] = {}
    for place, word in enumerate(others):
        places.setdefault(word, []).append(place)
    if Counter(words) != {word: len(found) for word, found in places.items()}:
        return None
    following = {word: iter(found) for word, found in places.items()}
    return [next(following[word]) for word in words]


def tau(places: Sequence[int]) -> float:
    """Kendall's tau of a permutation and the order of numbers.

    >>> tau([0, 1, 2]), tau([1, 2, 3, 0]), tau([2, 1, 0])
    (1.0, 0.0, -1.0)
    """
    seen: list[int] = []
    turned = 0
    for place in places:
        turned += len(seen) - bisect(seen, place)
        insort(seen, place)
    return 1 - 4 * turned / (len(places) * (len(places) - 1))


def arcs_of(sentence: Sentence, *, sides: bool = False) -> Counter[Hashable]:
    """Tags of head and dependent, relation without subtype, and perhaps the side."""
    found: Counter[Hashable] = Counter()
    for position, word in enumerate(sentence.words):
        if word.head:
            side = (LEFT if position < word.head - 1 else RIGHT) if sides else ""
            head = sentence.words[word.head - 1].upos
            found[head, relation_of(sentence, position), word.upos, side] += 1
    return found


def constituents_in(tree: Tree, places: Sequence[int] | None = None) -> Counter[Hashable]:
    """Labels of constituents, but tags, with their words by the places these have elsewhere."""
    found: Counter[Hashable] = Counter()
    done: list[frozenset[int]] = []
    agenda: list[tuple[Tree, bool]] = [(tree, False)]
    count = 0
    while agenda:
        node, opened = agenda.pop()
        if not node.children:
            done.append(frozenset([count if places is None else places[count]]))
            count += 1
        elif opened:
            below = done[-len(node.children) :]
            done[-len(node.children) :] = [frozenset().union(*below)]
            if node.children[0].children or node.children[1:]:
                found[node.label, done[-1]] += 1
        else:
            agenda.append((node, True))
            agenda.extend((child, False) for child in reversed(node.children))
    return found
