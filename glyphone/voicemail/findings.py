"""What was found in a message, for Python and as JSON.

Spans count words, the end not included; times are seconds, where the transcript has them.

>>> from glyphone.voicemail.caller import Caller
>>> number = NumberCandidate(4, 11, "5550123", score=0.9, kept=True)
>>> caller = Caller((0, 3), (2, 3), 0.99, 0.9, 0.8)
>>> said = Transcript.of("this is Pat call five five five oh one two three")
>>> found = Found(said, caller, (number,))
>>> found.phrase, found.name, [number.display for number in found.numbers]
('this is Pat', 'Pat', ['555-0123'])
>>> row_of(found)["caller"]["name"]
{'span': [2, 3], 'text': 'Pat', 'probability': 0.8}
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from glyphone.voicemail.caller import Caller
from glyphone.voicemail.generator_records import Span
from glyphone.voicemail.records import NumberCandidate
from glyphone.voicemail.transcripts import Transcript

DIGITS = 4  # of probabilities and seconds
ALTERNATIVES = 3


@dataclass(frozen=True)
class Found:
    """The caller of a message and all candidates for telephone numbers, kept or not."""

    transcript: Transcript
    caller: Caller
    candidates: tuple[NumberCandidate, ...] = ()

    @cached_property
    def numbers(self) -> list[NumberCandidate]:
        return [one for one in self.candidates if one.kept]

    @cached_property
    def rejected(self) -> list[NumberCandidate]:
        return [one for one in self.candidates if not one.kept]

    @property
    def phrase(self) -> str:
        """The words in which the caller says who it is."""
        return self.of(self.caller.phrase)

    @property
    def name(self) -> str:
        return self.of(self.caller.name)

    def of(self, span: Span | None) -> str:
        return "" if span is None else " ".join(self.transcript.words[slice(*span)])


def row_of(found: Found) -> dict[str, Any]:
    """As an object of JSON."""
    transcript, caller = found.transcript, found.caller
    row: dict[str, Any] = {"id": transcript.id} if transcript.id else {}
    row["text"] = transcript.text
    row["caller"] = None
    if caller.phrase is not None:
        row["caller"] = {
            **part(found, caller.phrase, caller.phrase_probability),
            "name": part(found, caller.name, caller.name_probability) if caller.name else None,
            "anyone": round(caller.anyone, DIGITS),
        }
    row["numbers"] = [number_row(found, one) for one in found.numbers]
    row["rejected"] = [{**number_row(found, one), "reason": one.reason} for one in found.rejected]
    return row


def part(found: Found, span: Span, probability: float) -> dict[str, Any]:
    """Some words: where, which, when, how probable."""
    row: dict[str, Any] = {"span": list(span), "text": found.of(span)}
    if found.transcript.times:
        times = found.transcript.times
        row["time"] = [round(times[span[0]][0], DIGITS), round(times[span[1] - 1][1], DIGITS)]
    return {**row, "probability": round(probability, DIGITS)}


def number_row(found: Found, one: NumberCandidate) -> dict[str, Any]:
    row = {"digits": one.digits, "extension": one.extension, "display": one.display}
    row |= part(found, (one.begin, one.end), one.score)
    others = [
        {"digits": way.digits, "extension": way.extension, "probability": round(way.posterior, 4)}
        for way in one.alternatives[1 : 1 + ALTERNATIVES]
    ]
    return {**row, "alternatives": others} if others else row
