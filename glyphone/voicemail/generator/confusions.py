"""Confusions of words that sound alike, as a recogniser makes them.

The default model `eng.letter_to_sound` gives the phones of words. A word may be confused with words
at an edit distance of 1, or of 2 if it has five phones or more. The vocabulary is the words of one
part of the corpus, so that no name of the test part gets into training, and a list of other common
words; it has no number words.

Words within two edits are found in a table: two such words share a form that is left when up to two
phones are deleted from each (Mor and Fraenkel 1982). Edit distances then exclude pairs that are
further apart.

Letters can take the place of phones where the model is not wanted or not trained yet.

>>> table = Confusions({"reach": 1, "each": 4, "peach": 1, "speech": 1, "car": 1, "to": 9})
>>> table.similar_words("reach")
{'each': 1, 'peach': 1}
>>> sorted(map("".join, deletion_forms(("a", "b", "c"), 1)))
['ab', 'abc', 'ac', 'bc']
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import combinations
from typing import Literal, get_args

from glyphone.catalog import names as catalog_names
from glyphone.catalog.defaults import ENGLISH
from glyphone.data.errors import UnknownName
from glyphone.data.lexicons.tsv import read_table
from glyphone.data.records import Symbols
from glyphone.data.sources.cmudict import LETTERS
from glyphone.evaluation import measures
from glyphone.voicemail.generator.digits import WORDS
from glyphone.voicemail.generator.draws import WeightedValues
from glyphone.voicemail.generator.people import CorpusPart, NameLists
from glyphone.voicemail.generator.templates import MessageTemplates
from glyphone.voicemail.records.lists import FOLDER

ConfusionKind = Literal["sounds", "letters"]
FAR, LONG = 2, 5
# The factor of the weight of a word for each edit.
DECAY = 0.3
_KNOWN = frozenset(LETTERS)
LETTER_BY_LETTER = partial(map, tuple)


class Confusions:
    """The vocabulary of a recogniser; words are drawn by the square roots of their counts.

    `forms` gives the phones, or letters, of words.
    """

    def __init__(
        self,
        counts: Mapping[str, int],
        *,
        forms: Callable[[list[str]], Iterable[Symbols]] = LETTER_BY_LETTER,
    ) -> None:
        self.weights = {word: count**0.5 for word, count in counts.items()}
        self.any = WeightedValues(counts.items())
        self.make_forms = forms
        self.forms: dict[str, Symbols] = {}
        self.choices: dict[str, WeightedValues[str] | None] = {}
        self.add_forms(list(self.weights))
        self.table: defaultdict[Symbols, list[str]] = defaultdict(list)
        for word in self.weights:
            for short in deletion_forms(self.forms[word], FAR):
                self.table[short].append(word)

    def add_forms(self, words: list[str]) -> None:
        self.forms |= zip(words, self.make_forms(words), strict=True)

    def similar_words(self, word: str) -> dict[str, int]:
        """The words that a word may be confused with, with their edit distances."""
        if word not in self.forms:
            self.add_forms([word])
        form = self.forms[word]
        candidates = {
            other for short in deletion_forms(form, FAR) for other in self.table.get(short, ())
        }
        others = sorted(candidates - {word})
        apart = measures.edit_distances([(form, self.forms[other]) for other in others])
        most = FAR if len(form) >= LONG else 1
        return {
            other: edits
            for other, edits in zip(others, apart.tolist(), strict=True)
            # A pair must share a phone.
            if edits <= most and edits < max(len(form), len(self.forms[other]))
        }

    def draw(self, stream: random.Random, word: str) -> str:
        """A similar word, drawn at random; any word if there is none."""
        if word not in self.choices:
            near = self.similar_words(word) if _KNOWN.issuperset(word) else {}
            weights = [(w, self.weights[w] * DECAY**edits) for w, edits in near.items()]
            self.choices[word] = WeightedValues(weights) if weights else None
        choice = self.choices[word] or self.any
        return choice.draw(stream)


@cache
def confusions_of(
    part: CorpusPart, lists: NameLists = "own", by: ConfusionKind = "sounds"
) -> Confusions:
    """The confusions of a part of the corpus."""
    templates = MessageTemplates(part, lists)
    counts = Counter(
        word for rows in templates.kinds.values() for row in rows for word in row.words
    )
    common = [word for (word,) in read_table(FOLDER / "words.tsv", columns=1)]
    names = [*templates.people.first.values, *templates.people.last.values]
    counts.update(word.lower() for word in (*common, *names))
    known = {
        word: count
        for word, count in counts.items()
        if word not in WORDS and _KNOWN.issuperset(word)
    }
    if by == "letters":
        return Confusions(known)
    if by != "sounds":
        raise UnknownName("confusions", by, get_args(ConfusionKind))
    model = catalog_names.load(ENGLISH)

    def to_phones(words: list[str]) -> Iterator[Symbols]:
        for word, answer in zip(words, model.apply(words), strict=True):
            yield tuple(word) if answer is None else answer.symbols

    return Confusions(known, forms=to_phones)


def deletion_forms(form: Symbols, most: int) -> set[Symbols]:
    """The forms that are left when up to `most` symbols of a form are deleted."""
    return {
        kept
        for size in range(max(0, len(form) - most), len(form) + 1)
        for kept in combinations(form, size)
    }
