"""Findings in a message, for Python and as JSON.

`findings_row` defines the JSON; `findings_json` writes its text without making objects, in a third
of the time.

Spans count words, the end not included; times are seconds, where the transcript has them.

>>> from glyphone.voicemail.callers.model import Caller
>>> number = NumberCandidate(4, 11, "5550123", score=0.9, kept=True)
>>> caller = Caller((0, 3), (2, 3), 0.99, 0.9, 0.8)
>>> transcript = Transcript.of("this is Pat call five five five oh one two three")
>>> findings = Findings(transcript, caller, (number,))
>>> findings.phrase, findings.name, [number.display for number in findings.numbers]
('this is Pat', 'Pat', ['555-0123'])
>>> findings_row(findings)["caller"]["name"]
{'span': [2, 3], 'text': 'Pat', 'probability': 0.8}
>>> findings_json(findings) == encode_json(findings_row(findings))
True
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from glyphone.voicemail.callers.model import Caller
from glyphone.voicemail.records.candidates import Alternative, NumberCandidate
from glyphone.voicemail.records.messages import Span
from glyphone.voicemail.records.transcripts import Transcript

if TYPE_CHECKING:
    from glyphone.matching.partners import HeardNames, Partner

DIGITS = 4  # of probabilities and seconds
ALTERNATIVES = 3
# json.dumps makes an encoder at each call.
encode_json = json.JSONEncoder(ensure_ascii=False).encode
quote_json = json.encoder.encode_basestring


@dataclass(frozen=True)
class Findings:
    """The caller of a message and all candidates for telephone numbers, kept or not.

    `names` are the likeliest names of the caller in any hypothesis, if they were asked for, with
    their probabilities; `customers` the names of a list that the caller may be, None without one.
    """

    transcript: Transcript
    caller: Caller
    candidates: tuple[NumberCandidate, ...] = ()
    names: HeardNames = ()
    customers: tuple[Partner, ...] | None = None

    @cached_property
    def numbers(self) -> list[NumberCandidate]:
        return [one for one in self.candidates if one.kept]

    @cached_property
    def rejected(self) -> list[NumberCandidate]:
        return [one for one in self.candidates if not one.kept]

    @property
    def phrase(self) -> str:
        """The words in which the caller gives a name or a role."""
        return self.text_of(self.caller.phrase)

    @property
    def name(self) -> str:
        return self.text_of(self.caller.name)

    def text_of(self, span: Span | None) -> str:
        return "" if span is None else " ".join(self.transcript.words[slice(*span)])


def findings_row(findings: Findings) -> dict[str, Any]:
    """The findings as an object of JSON."""
    transcript, caller = findings.transcript, findings.caller
    row: dict[str, Any] = {"id": transcript.id} if transcript.id else {}
    row["text"] = transcript.text
    row["caller"] = None
    if caller.phrase is not None:
        row["caller"] = {
            **span_row(findings, caller.phrase, caller.phrase_probability),
            "name": span_row(findings, caller.name, caller.name_probability)
            if caller.name
            else None,
            "anyone": round(caller.anyone, DIGITS),
        }
    if findings.customers is not None:
        row["customers"] = [*map(customer_row, findings.customers)]
    row["numbers"] = [number_row(findings, one) for one in findings.numbers]
    row["rejected"] = [
        {**number_row(findings, one), "reason": one.reason} for one in findings.rejected
    ]
    return row


def span_row(findings: Findings, span: Span, probability: float) -> dict[str, Any]:
    """A span as an object of JSON: place, words, times and probability."""
    row: dict[str, Any] = {"span": list(span), "text": findings.text_of(span)}
    if findings.transcript.times:
        times = findings.transcript.times
        row["time"] = [round(times[span[0]][0], DIGITS), round(times[span[1] - 1][1], DIGITS)]
    return {**row, "probability": round(probability, DIGITS)}


def customer_row(one: Partner) -> dict[str, Any]:
    probability = round(one.probability, DIGITS)
    return {"name": one.name, "lines": list(one.lines), "probability": probability}


def number_row(findings: Findings, one: NumberCandidate) -> dict[str, Any]:
    row = {"digits": one.digits, "extension": one.extension, "display": one.display}
    row |= span_row(findings, (one.begin, one.end), one.score)
    others = [
        {"digits": way.digits, "extension": way.extension, "probability": share}
        for way in one.alternatives[1 : 1 + ALTERNATIVES]
        for share in (round(way.posterior, DIGITS),)
    ]
    return {**row, "alternatives": others} if others else row


def findings_json(findings: Findings) -> str:
    """The text of JSON for `findings_row(findings)`."""
    transcript, caller = findings.transcript, findings.caller
    who = "null"
    if caller.phrase is not None:
        name = "null"
        if caller.name:
            name = f"{{{span_json(findings, caller.name, caller.name_probability)}}}"
        who = (
            f"{{{span_json(findings, caller.phrase, caller.phrase_probability)}"
            f', "name": {name}, "anyone": {round(caller.anyone, DIGITS)!r}}}'
        )
    kept = ", ".join(f"{{{number_json(findings, one)}}}" for one in findings.candidates if one.kept)
    rejected = ", ".join(
        f'{{{number_json(findings, one)}, "reason": {quote_json(one.reason)}}}'
        for one in findings.candidates
        if not one.kept
    )
    name = f'"id": {quote_json(transcript.id)}, ' if transcript.id else ""
    customers = ""
    if findings.customers is not None:
        customers = f'"customers": {encode_json([*map(customer_row, findings.customers)])}, '
    return (
        f'{{{name}"text": {quote_json(transcript.text)}, "caller": {who}, {customers}'
        f'"numbers": [{kept}], "rejected": [{rejected}]}}'
    )


def span_json(findings: Findings, span: Span, probability: float) -> str:
    begin, end = span
    time = ""
    if findings.transcript.times:
        times = findings.transcript.times
        first, last = times[begin][0], times[end - 1][1]
        time = f', "time": [{round(first, DIGITS)!r}, {round(last, DIGITS)!r}]'
    text = quote_json(findings.text_of(span))
    return (
        f'"span": [{begin}, {end}], "text": {text}{time}, '
        f'"probability": {round(probability, DIGITS)!r}'
    )


def number_json(findings: Findings, one: NumberCandidate) -> str:
    """The text of JSON for a number; digits need no escapes."""
    line = (
        f'"digits": "{one.digits}", "extension": "{one.extension}", "display": "{one.display}", '
        + span_json(findings, (one.begin, one.end), one.score)
    )
    if len(one.alternatives) < 2:
        return line
    return f'{line}, "alternatives": [{alternatives_json(one.alternatives[1 : 1 + ALTERNATIVES])}]'


def alternatives_json(ways: Iterable[Alternative]) -> str:
    return ", ".join(
        f'{{"digits": "{way.digits}", "extension": "{way.extension}", '
        f'"probability": {round(way.posterior, DIGITS)!r}}}'
        for way in ways
    )
