"""Two models of callers: for transcripts with capital letters, and for transcripts without.

People write names with capital letters; most recognisers do not, and they confuse words. One model
of both sorts of transcripts is worse at each, so that a capital letter among the first words of a
message decides which model is trained on it, and which model finds its caller.

>>> has_capitals("hi this is Pat".split()), has_capitals("hi this is pat".split())
(True, False)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from glyphone.voicemail.callers.model import NO_CALLER, Caller, CallerModel, NameSpans

# Words that are searched for a capital letter.
FIRST = 24


@dataclass(frozen=True)
class CallerPair:
    """A model for transcripts with capital letters, and one for transcripts without."""

    written: CallerModel
    heard: CallerModel

    def model_of(self, words: Sequence[str]) -> CallerModel:
        """The model for a message of these words."""
        return self.written if has_capitals(words) else self.heard

    def find(self, messages: Sequence[Sequence[str]]) -> list[Caller]:
        """The caller of each message."""
        return [caller for caller, _ in self.find_with_names(messages, 0)]

    def find_with_names(
        self, messages: Sequence[Sequence[str]], n: int
    ) -> list[tuple[Caller, NameSpans]]:
        """The caller of each message, and the n likeliest names, none without a caller."""
        callers: list[tuple[Caller, NameSpans]] = [(NO_CALLER, ())] * len(messages)
        sorts = [has_capitals(words) for words in messages]
        for model, sort in ((self.written, True), (self.heard, False)):
            places = [k for k, own in enumerate(sorts) if own == sort]
            found = model.find_with_names([messages[k] for k in places], n)
            for k, caller in zip(places, found, strict=True):
                callers[k] = caller
        return callers


def has_capitals(words: Sequence[str]) -> bool:
    return any(word[:1].isupper() for word in words[:FIRST])
