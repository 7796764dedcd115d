"""Transcripts of messages, however a recogniser writes them, out of lines of JSON.

    {"text": "hi it's me"}                                   words between spaces
    {"words": ["hi", "it's", "me"], "times": [[0.1, 0.4], [0.6, 0.9], [0.9, 1.2]]}
    {"words": [{"word": "hi", "start": 0.1, "end": 0.4}, ...]}
    {"nbest": [{"text": "hi it's me", "score": -3.1}, ...]}  scores are natural logarithms
    {"slots": [[["hi", 0.9], ["high", 0.1]], ...]}           a confusion network; "" is no word

Any of them may have an "id"; other keys are left as they are. Times are seconds, of the words, or
of all slots of a network; those of an n-best list may stand with its hypotheses.

>>> row = transcript_of('{"id": 7, "words": [{"word": "hi", "start": 0.5, "end": 0.75}]}')
>>> row.words, row.times, row.id
(('hi',), ((0.5, 0.75),), '7')
>>> transcript_of('{"nbest": [{"text": "a b", "score": 0}, {"text": "a", "score": -1}]}').others
((('a',), -1.0),)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.fields import read_value
from glyphone.data.json_objects import parse_object

# Those that say more come first: words, and not a text that is only there to be read.
FORMS = ("slots", "nbest", "words", "text")
MOST_HYPOTHESES = 1000
REMEDY = 'write "text", "words", "nbest" or "slots"'
Words = tuple[str, ...]


@dataclass(frozen=True)
class Transcript:
    """The words of a message, when each was said if known, and what else they may have been.

    `score` is the log of how probable the words are, and `others` are other hypotheses with theirs;
    `slots` are those of a confusion network, of which the words are the most probable.
    """

    words: Words
    times: tuple[tuple[float, float], ...] = ()
    id: str = ""
    score: float = 0.0
    others: tuple[tuple[Words, float], ...] = ()
    slots: tuple[tuple[tuple[str, float], ...], ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        if self.times and len(self.times) != len(self.words):
            message = f"{len(self.times)} times for {len(self.words)} words"
            raise ItemError(message, remedy="give [begin, end] in seconds for each word, or none")

    @classmethod
    def of(cls, text: str) -> Transcript:
        return cls(tuple(text.split()))

    @property
    def text(self) -> str:
        return " ".join(self.words)


def transcript_of(line: str) -> Transcript:
    """The transcript of a line of JSON; an ItemError says what is wrong with it."""
    row = parse_object(line)
    form = next((form for form in FORMS if form in row), None)
    if form is None:
        raise ItemError("has no transcript", remedy=REMEDY)
    try:
        return _READERS[form](row)
    except ItemError:
        raise
    except (GlyphoneError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise ItemError(f"{form!r} is not as it should be: {told(error)}", remedy=REMEDY) from None


def told(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return str(error)[:100] if isinstance(error, GlyphoneError | ValueError) else "wrong types"


def of_text(row: Mapping[str, Any]) -> Transcript:
    return Transcript(tuple(text_of(row["text"]).split()), times_of(row), id_of(row), fields=row)


def spoken(row: Mapping[str, Any]) -> Transcript:
    """A hypothesis of a list."""
    return of_words(row) if "words" in row else of_text(row)


def of_words(row: Mapping[str, Any]) -> Transcript:
    words = row["words"]
    if not isinstance(words, list):
        raise ValueError("words are a list")
    times = times_of(row)
    if words and all(isinstance(word, dict) for word in words):
        if not times and "start" in words[0]:
            times = tuple(span_of([word["start"], word["end"]]) for word in words)
        words = [word["word"] for word in words]
    found = tuple(map(word_of, words))
    return Transcript(found, times, id_of(row), fields=row)


def of_nbest(row: Mapping[str, Any]) -> Transcript:
    rows = row["nbest"]
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_HYPOTHESES:
        raise ValueError(f"a list of 1 to {MOST_HYPOTHESES} hypotheses")
    found = [(spoken(one), number_of(one["score"])) for one in rows]
    (best, score), *rest = sorted(found, key=lambda one: -one[1])
    others = tuple((one.words, weight) for one, weight in rest)
    times = times_of(row) or best.times
    return Transcript(best.words, times, id_of(row), score, others, fields=row)


def of_slots(row: Mapping[str, Any]) -> Transcript:
    slots = tuple(
        tuple((text_of(word).strip(), number_of(share)) for word, share in slot)
        for slot in row["slots"]
    )
    for slot in slots:
        if not slot or any(share < 0 or len(word.split()) > 1 for word, share in slot):
            raise ValueError("a slot has words with probabilities, one at least")
    best = [max(slot, key=lambda one: one[1])[0] for slot in slots]
    words, times = tuple(filter(None, best)), times_of(row)
    if len(times) == len(slots):
        times = tuple(time for time, word in zip(times, best, strict=True) if word)
    return Transcript(words, times, id_of(row), slots=slots, fields=row)


def text_of(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r:.40} is no text")
    return value


def word_of(value: Any) -> str:
    if not text_of(value).strip() or len(value.split()) > 1:
        raise ValueError(f"{value!r:.40} is not one word")
    return str(value).strip()


def number_of(value: Any) -> float:
    found = float(read_value(value, float))
    if not math.isfinite(found):
        raise ValueError(f"{value!r:.40} is no number")
    return found


def span_of(value: Any) -> tuple[float, float]:
    begin, end = (number_of(one) for one in value)
    if not begin <= end:
        raise ValueError(f"{begin:g} is after {end:g}")
    return begin, end


def times_of(row: Mapping[str, Any]) -> tuple[tuple[float, float], ...]:
    times = row.get("times")
    return tuple(map(span_of, times)) if times else ()


def id_of(row: Mapping[str, Any]) -> str:
    return str(row.get("id", ""))


_READERS = {"text": of_text, "words": of_words, "nbest": of_nbest, "slots": of_slots}
