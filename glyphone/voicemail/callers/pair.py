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

from glyphone.voicemail.callers.model import NO_CALLER, Caller, CallerModel

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

    def find(self, messages: Sequence[Sequence[str]], *, names: int = 0) -> list[Caller]:
        """The caller of each message, with so many of the likeliest names."""
        callers = [NO_CALLER] * len(messages)
        sorts = [has_capitals(words) for words in messages]
        for model, sort in ((self.written, True), (self.heard, False)):
            places = [k for k, own in enumerate(sorts) if own == sort]
            found = model.find([messages[k] for k in places], names=names)
            for k, caller in zip(places, found, strict=True):
                callers[k] = caller
        return callers


def has_capitals(words: Sequence[str]) -> bool:
    return any(word[:1].isupper() for word in words[:FIRST])
