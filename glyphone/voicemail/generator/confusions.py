"""Words that a recogniser may take for each other: those that sound alike.

Words are given their sounds by the default model `eng.letter_to_sound`, and a word is taken for
those that one phone added, left out or replaced makes of it, or two if it has five or more. A
recogniser knows the words of a part of the corpus, so that none of the test part's names gets into
training, and a list of other common words; number words are never put where none was.

All words within two edits of a word of n phones are found without comparing it with each: both
have a form in common that is left when up to two phones are deleted (Mor and Fraenkel 1982), and
those forms are in a table. Candidates are then measured, which also drops those that are further.

Where that model is not wanted, or not trained yet, letters can stand for phones.

>>> table = Confusions({"reach": 1, "each": 4, "peach": 1, "speech": 1, "car": 1, "to": 9})
>>> table.near("reach")
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
from glyphone.voicemail.generator.people import NameLists, Part
from glyphone.voicemail.generator.templates import Templates
from glyphone.voicemail.records.lists import FOLDER

By = Literal["sounds", "letters"]
FAR, LONG = 2, 5
# What is one edit further off is drawn so much less often.
DECAY = 0.3
_KNOWN = frozenset(LETTERS)
LETTER_BY_LETTER = partial(map, tuple)


class Confusions:
    """A recogniser's words, with what they are drawn by: the root of how often they come.

    `forms` gives words their sounds, or letters.
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
        self.learn(list(self.weights))
        self.table: defaultdict[Symbols, list[str]] = defaultdict(list)
        for word in self.weights:
            for short in deletion_forms(self.forms[word], FAR):
                self.table[short].append(word)

    def learn(self, words: list[str]) -> None:
        self.forms |= zip(words, self.make_forms(words), strict=True)

    def near(self, word: str) -> dict[str, int]:
        """The words that it may be taken for, with their distance."""
        if word not in self.forms:
            self.learn([word])
        form = self.forms[word]
        found = {
            other for short in deletion_forms(form, FAR) for other in self.table.get(short, ())
        }
        others = sorted(found - {word})
        apart = measures.edit_distances([(form, self.forms[other]) for other in others])
        most = FAR if len(form) >= LONG else 1
        return {
            other: edits
            for other, edits in zip(others, apart.tolist(), strict=True)
            # Where no sound is left, nothing was heard.
            if edits <= most and edits < max(len(form), len(self.forms[other]))
        }

    def drawn(self, stream: random.Random, word: str) -> str:
        """What a word is taken for; for one that nothing sounds like, any word."""
        if word not in self.choices:
            near = self.near(word) if _KNOWN.issuperset(word) else {}
            weights = [(w, self.weights[w] * DECAY**edits) for w, edits in near.items()]
            self.choices[word] = WeightedValues(weights) if weights else None
        choice = self.choices[word] or self.any
        return choice.draw(stream)


@cache
def confusions_of(part: Part, lists: NameLists = "own", by: By = "sounds") -> Confusions:
    """Those of a part of the corpus."""
    templates = Templates(part, lists)
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
        raise UnknownName("confusions", by, get_args(By))
    model = catalog_names.load(ENGLISH)

    def sounds(words: list[str]) -> Iterator[Symbols]:
        for word, answer in zip(words, model.apply(words), strict=True):
            yield tuple(word) if answer is None else answer.symbols

    return Confusions(known, forms=sounds)


def deletion_forms(form: Symbols, most: int) -> set[Symbols]:
    """What is left of a form when up to so many of its symbols are deleted."""
    return {
        kept
        for size in range(max(0, len(form) - most), len(form) + 1)
        for kept in combinations(form, size)
    }
