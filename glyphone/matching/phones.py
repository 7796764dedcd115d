"""Words that sound alike, by a model from letters to sounds.

>>> from glyphone.fst.rules.cascade import cascade
>>> from glyphone.fst.transducers.model import TransducerModel
>>> rules = cascade(letters="a b c h k", phones="a b k", rules=["c h -> k", "c -> k", "h -> "])
>>> phones = Phones(TransducerModel.of(rules))
>>> [phones.edits("bach", other) for other in ("bach", "bac", "bab", "kbah")]
[0.0, 0.5, 1.0, None]
>>> phones.as_said(["ana", "bach"], ["bac", "bo"])
(['ana', 'bac'], 0.5)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rapidfuzz.distance import Levenshtein

from glyphone.data.records import Symbols
from glyphone.fst.interface.model import Model

# Words may be misheard with so many edits of phones, the longer ones with the second number.
SHORT_FAR, LONG_FAR = 1, 2
LONG: Final = 5
# Of words with equal phones and other letters.
HOMOPHONES: Final = 0.5
MOST_KEPT: Final = 1_000_000


class Phones:
    """The phones of words, kept for the next time; a word that the model cannot read has none."""

    def __init__(self, model: Model):
        self.model = model
        self._kept: dict[str, Symbols] = {}

    def of(self, words: Sequence[str]) -> list[Symbols]:
        if len(self._kept) > MOST_KEPT:
            self._kept.clear()
        if new := [word for word in dict.fromkeys(words) if word not in self._kept]:
            found = self.model.apply(new, jobs=1, on_error=lambda place, error: None)
            self._kept.update(
                (word, () if one is None else one.symbols)
                for word, one in zip(new, found, strict=True)
            )
        return [self._kept[word] for word in words]

    def edits(self, word: str, other: str) -> float | None:
        """The edits of phones from a word to another; None if these are too many for a word that
        was misheard."""
        if word == other:
            return 0.0
        one, two = self.of([word, other])
        most = LONG_FAR if min(len(one), len(two)) >= LONG else SHORT_FAR
        found = Levenshtein.distance(one, two, score_cutoff=most)
        if not one or not two or found > most or 2 * found >= max(len(one), len(two)):
            return None
        return max(float(found), HOMOPHONES)

    def as_said(self, heard: Sequence[str], said: Sequence[str]) -> tuple[list[str], float]:
        """Words that were heard, in place of which stand those of a name that sound like them; and
        the edits between both."""
        ways = [
            (edits, i, j)
            for i, word in enumerate(heard)
            for j, other in enumerate(said)
            if (edits := self.edits(word, other)) is not None
        ]
        found, total, partners = [*heard], 0.0, set[int]()
        open_places = {*range(len(heard))}
        for edits, i, j in sorted(ways):
            if i in open_places and j not in partners:
                open_places.remove(i)
                partners.add(j)
                found[i] = said[j]
                total += edits
        return found, total
