"""Transcripts of messages from lines of JSON, in the forms that recognisers write.

    {"text": "hi it's me"}                                   words between spaces
    {"words": ["hi", "it's", "me"], "times": [[0.1, 0.4], [0.6, 0.9], [0.9, 1.2]]}
    {"words": [{"word": "hi", "start": 0.1, "end": 0.4}, ...]}
    {"nbest": [{"text": "hi it's me", "score": -3.1}, ...]}  scores are natural logarithms
    {"slots": [[["hi", 0.9], ["high", 0.1]], ...]}           a confusion network; "" is no word

Each form may have an "id"; other keys are kept. Times are in seconds, one pair for each word or
slot; hypotheses of an n-best list may have their own.

>>> row = parse_transcript('{"id": 7, "words": [{"word": "hi", "start": 0.5, "end": 0.75}]}')
>>> row.words, row.times, row.id
(('hi',), ((0.5, 0.75),), '7')
>>> parse_transcript('{"nbest": [{"text": "a b", "score": 0}, {"text": "a", "score": -1}]}').others
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

# Forms with more information come first: words before text.
FORMS = ("slots", "nbest", "words", "text")
MOST_HYPOTHESES = 1000
REMEDY = 'write "text", "words", "nbest" or "slots"'
Words = tuple[str, ...]


@dataclass(frozen=True)
class Transcript:
    """The words of a message, their times if known, and other hypotheses of the recogniser.

    `score` is the log probability of the words; `others` are other hypotheses with theirs; `slots`
    are a confusion network, whose most probable words are `words`.
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


def parse_transcript(line: str) -> Transcript:
    """The transcript of a line of JSON; a line that is none raises ItemError."""
    row = parse_object(line)
    form = next((form for form in FORMS if form in row), None)
    if form is None:
        raise ItemError("has no transcript", remedy=REMEDY)
    try:
        return _READERS[form](row)
    except ItemError:
        raise
    except (GlyphoneError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise ItemError(
            f"{form!r} is not as it should be: {describe_error(error)}", remedy=REMEDY
        ) from None


def describe_error(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return str(error)[:100] if isinstance(error, GlyphoneError | ValueError) else "wrong types"


def read_text(row: Mapping[str, Any]) -> Transcript:
    return Transcript(tuple(check_text(row["text"]).split()), times_of(row), id_of(row), fields=row)


def read_hypothesis(row: Mapping[str, Any]) -> Transcript:
    """A hypothesis of an n-best list."""
    return read_words(row) if "words" in row else read_text(row)


def read_words(row: Mapping[str, Any]) -> Transcript:
    words = row["words"]
    if not isinstance(words, list):
        raise ValueError("words are a list")
    times = times_of(row)
    if words and all(isinstance(word, dict) for word in words):
        if not times and "start" in words[0]:
            times = tuple(check_interval([word["start"], word["end"]]) for word in words)
        words = [word["word"] for word in words]
    return Transcript(tuple(map(check_word, words)), times, id_of(row), fields=row)


def read_nbest(row: Mapping[str, Any]) -> Transcript:
    rows = row["nbest"]
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_HYPOTHESES:
        raise ValueError(f"a list of 1 to {MOST_HYPOTHESES} hypotheses")
    hypotheses = [(read_hypothesis(item), check_number(item["score"])) for item in rows]
    (best, score), *rest = sorted(hypotheses, key=lambda pair: -pair[1])
    others = tuple((hypothesis.words, weight) for hypothesis, weight in rest)
    times = times_of(row) or best.times
    return Transcript(best.words, times, id_of(row), score, others, fields=row)


def read_slots(row: Mapping[str, Any]) -> Transcript:
    slots = tuple(
        tuple((check_text(word).strip(), check_number(share)) for word, share in slot)
        for slot in row["slots"]
    )
    for slot in slots:
        if not slot or any(share < 0 or len(word.split()) > 1 for word, share in slot):
            raise ValueError("a slot has words with probabilities, one at least")
    best = [max(slot, key=lambda pair: pair[1])[0] for slot in slots]
    words, times = tuple(filter(None, best)), times_of(row)
    if len(times) == len(slots):
        times = tuple(time for time, word in zip(times, best, strict=True) if word)
    return Transcript(words, times, id_of(row), slots=slots, fields=row)


def check_text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r:.40} is no text")
    return value


def check_word(value: Any) -> str:
    if not check_text(value).strip() or len(value.split()) > 1:
        raise ValueError(f"{value!r:.40} is not one word")
    return str(value).strip()


def check_number(value: Any) -> float:
    number = float(read_value(value, float))
    if not math.isfinite(number):
        raise ValueError(f"{value!r:.40} is no number")
    return number


def check_interval(value: Any) -> tuple[float, float]:
    begin, end = (check_number(number) for number in value)
    if not begin <= end:
        raise ValueError(f"{begin:g} is after {end:g}")
    return begin, end


def times_of(row: Mapping[str, Any]) -> tuple[tuple[float, float], ...]:
    times = row.get("times")
    return tuple(map(check_interval, times)) if times else ()


def id_of(row: Mapping[str, Any]) -> str:
    return str(row.get("id", ""))


_READERS = {"text": read_text, "words": read_words, "nbest": read_nbest, "slots": read_slots}
