"""Precision, recall and F of findings against the marks of messages.

Strict: the spans are equal. Containment: the phrase found contains the caller's name, or the marked
phrase where there is no name. Telephone numbers are measured by their spans, and by their spans
and digits.

>>> spans = [(1, 3), None, (0, 2)]
>>> print(score_spans(spans, [(1, 3), (0, 1), None]))
precision 50.00 %, recall 50.00 %, F 50.00 (1 of 2 found, 2 given)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from glyphone.data.treebanks.chunks import PhraseScore
from glyphone.voicemail.findings import Findings
from glyphone.voicemail.model import VoicemailModel
from glyphone.voicemail.records.messages import Message, Span

TASKS = ("caller phrase", "its name contained", "caller name", "telephone numbers", "digits")


def measure_model(model: VoicemailModel, messages: Sequence[Message]) -> list[PhraseScore]:
    """Scores of all tasks, in their order."""
    findings = list(model.apply([message.words for message in messages]))
    return task_scores(findings, messages)


def task_scores(findings: Sequence[Findings], messages: Sequence[Message]) -> list[PhraseScore]:
    phrases = [one.caller.phrase for one in findings]
    gold = [message.caller_phrase for message in messages]
    needed = [message.caller_name or message.caller_phrase for message in messages]
    spans, digits = score_numbers(findings, messages)
    return [
        score_spans(gold, phrases),
        score_spans(needed, phrases, contains_span),
        score_spans(
            [message.caller_name for message in messages], [one.caller.name for one in findings]
        ),
        spans,
        digits,
    ]


def is_same_span(gold: Span, given: Span) -> bool:
    return gold == given


def contains_span(gold: Span, given: Span) -> bool:
    return given[0] <= gold[0] and gold[1] <= given[1]


def score_spans(
    gold: Sequence[Span | None],
    given: Sequence[Span | None],
    right: Callable[[Any, Any], bool] = is_same_span,
) -> PhraseScore:
    """The score of at most one span a message."""
    pairs = zip(gold, given, strict=True)
    hits = sum(one is not None and other is not None and right(one, other) for one, other in pairs)
    return PhraseScore(
        hits, sum(one is not None for one in gold), sum(one is not None for one in given)
    )


def score_numbers(
    findings: Sequence[Findings], messages: Sequence[Message]
) -> tuple[PhraseScore, PhraseScore]:
    """The score of spans of numbers, and the score of spans with their digits."""
    spans = digits = gold = given = 0
    for one, message in zip(findings, messages, strict=True):
        marked = {(n.begin, n.end): n for n in message.numbers if n.digits is not None}
        gold += len(marked)
        given += len(one.numbers)
        for number in one.numbers:
            right = marked.get((number.begin, number.end))
            if right is not None:
                spans += 1
                digits += (right.digits, right.extension) == (number.digits, number.extension)
    return PhraseScore(spans, gold, given), PhraseScore(digits, gold, given)
