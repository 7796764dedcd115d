"""Agreement of two treebanks on the same sentences, in order and in structure.

Sentences are paired by `sent_id`; sentences without it, and trees in brackets, by number. Words are
paired by form, and the n-th word of a form with the n-th word of this form. For sentences with the
same words the figures are

    tau = 1 - 4 (pairs of words in different orders) / (n (n - 1))        (Kendall 1938)

and the shares of words with the same head, and with the same head and relation. For any pair of
sentences, also in two languages, they are the F of arcs, which agree in the tags of head and
dependent and in the relation, and the F of arcs that also agree in the side. For constituents it is
the F of constituents with the same label and words. Punctuation of dependency trees is left out.

>>> from glyphone.data.treebanks.dependencies import Word
>>> words = (Word("Ann", head=2, deprel="nsubj"), Word("runs", head=0, deprel="root"))
>>> turned = (Word("runs", head=0, deprel="root"), Word("Ann", head=1, deprel="nsubj"))
>>> measure_agreement([Sentence(words)], [Sentence(turned)]).figures
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

SentenceOrTree = Sentence | Tree


@dataclass(frozen=True)
class TreebankAgreement:
    """The count of sentences in both, of those with the same words, and figures by name."""

    sentences: int
    same_words: int
    figures: Mapping[str, float]


def measure_agreement(
    given: Iterable[SentenceOrTree], target: Iterable[SentenceOrTree]
) -> TreebankAgreement:
    """The mean of tau over sentences, and shares of all words or arcs.

    Figures without a word or arc to count are left out.
    """
    tally = AgreementTally()
    sentences = 0
    for item, other in pair_items([*given], [*target]):
        sentences += 1
        if isinstance(item, Sentence) and isinstance(other, Sentence):
            tally.add_sentences(item, other)
        elif isinstance(item, Tree) and isinstance(other, Tree):
            tally.add_trees(item, other)
    return TreebankAgreement(sentences, tally.same_words, tally.figures)


def pair_items(
    given: Sequence[SentenceOrTree], target: Sequence[SentenceOrTree]
) -> Iterator[tuple[SentenceOrTree, SentenceOrTree]]:
    """Pairs of the same sentences; of target sentences with one name the first is taken."""
    named: dict[str, SentenceOrTree] = {}
    for item in target:
        named.setdefault(item.id if isinstance(item, Sentence) else "", item)
    if "" not in named and all(isinstance(item, Sentence) and item.id for item in given):
        for item in given:
            other = named.get(item.id) if isinstance(item, Sentence) else None
            if other is not None:
                yield item, other
    elif len(given) == len(target):
        yield from zip(given, target, strict=True)


class AgreementTally:
    """Counts over pairs of sentences."""

    def __init__(self) -> None:
        self.same_words = 0
        self.taus: list[float] = []
        self.right: Counter[str] = Counter()
        self.all: Counter[str] = Counter()

    @property
    def figures(self) -> dict[str, float]:
        shares = {name: self.right[name] / self.all[name] for name in self.all if self.all[name]}
        return {"tau": math.fsum(self.taus) / len(self.taus), **shares} if self.taus else shares

    def add_sentences(self, one: Sentence, other: Sentence) -> None:
        try:
            one, other = without_punctuation(one), without_punctuation(other)
        except ItemError:  # nothing is left without punctuation
            return
        forms = [word.form for word in one.words]
        places = self.match_words(forms, [word.form for word in other.words])
        if places:
            heads = [0, *(place + 1 for place in places)]
            for word, place in zip(one.words, places, strict=True):
                twin = other.words[place]
                same = heads[word.head or 0] == twin.head
                self.count_word("heads", same)
                self.count_word("relations", same and word.deprel == twin.deprel)
        self.count_overlap("arcs", count_arcs(one), count_arcs(other))
        self.count_overlap(
            "arcs_with_sides", count_arcs(one, sides=True), count_arcs(other, sides=True)
        )

    def add_trees(self, one: Tree, other: Tree) -> None:
        places = self.match_words(leaves(one), leaves(other))
        if places:
            own, others = count_constituents(one, places), count_constituents(other)
            self.count_overlap("constituents", own, others)

    def match_words(self, words: Sequence[str], others: Sequence[str]) -> list[int] | None:
        """The places of words among the others, None for other words; counts their tau."""
        places = places_of(words, others)
        if places is not None:
            self.same_words += 1
            if len(places) > 1:
                self.taus.append(kendall_tau(places))
        return places

    def count_word(self, name: str, right: bool) -> None:
        self.all[name] += 1
        self.right[name] += right

    def count_overlap(self, name: str, one: Counter[Hashable], other: Counter[Hashable]) -> None:
        self.right[name] += 2 * (one & other).total()
        self.all[name] += one.total() + other.total()


def places_of(words: Sequence[str], others: Sequence[str]) -> list[int] | None:
    """The place of each word among the others, None if the words differ.

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


def kendall_tau(places: Sequence[int]) -> float:
    """Kendall's tau between a permutation and the ascending order.

    >>> kendall_tau([0, 1, 2]), kendall_tau([1, 2, 3, 0]), kendall_tau([2, 1, 0])
    (1.0, 0.0, -1.0)
    """
    seen: list[int] = []
    turned = 0
    for place in places:
        turned += len(seen) - bisect(seen, place)
        insort(seen, place)
    return 1 - 4 * turned / (len(places) * (len(places) - 1))


def count_arcs(sentence: Sentence, *, sides: bool = False) -> Counter[Hashable]:
    """Counts of arcs by tags of head and dependent, relation without subtype, and perhaps side."""
    arcs: Counter[Hashable] = Counter()
    for position, word in enumerate(sentence.words):
        if word.head:
            side = (LEFT if position < word.head - 1 else RIGHT) if sides else ""
            head = sentence.words[word.head - 1].upos
            arcs[head, relation_of(sentence, position), word.upos, side] += 1
    return arcs


def count_constituents(tree: Tree, places: Sequence[int] | None = None) -> Counter[Hashable]:
    """Counts of constituents, without tags, by label and places of words.

    `places` numbers the words as another tree does.
    """
    constituents: Counter[Hashable] = Counter()
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
                constituents[node.label, done[-1]] += 1
        else:
            agenda.append((node, True))
            agenda.extend((child, False) for child in reversed(node.children))
    return constituents
