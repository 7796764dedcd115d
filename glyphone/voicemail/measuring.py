"""How well what is found in messages agrees with what is marked in them.

Strict: the span is the same. Containment: the phrase has all of the caller's name in it, or of the
phrase where there is no name. Telephone numbers are measured by their spans, and by their spans and
digits.

>>> spans = [(1, 3), None, (0, 2)]
>>> print(score(spans, [(1, 3), (0, 1), None]))
precision 50.00 %, recall 50.00 %, F 50.00 (1 of 2 found, 2 given)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from glyphone.data.treebanks.chunks import PhraseScore
from glyphone.voicemail.findings import Found
from glyphone.voicemail.model import VoicemailModel
from glyphone.voicemail.records.messages import Message, Span

TASKS = ("caller phrase", "its name contained", "caller name", "telephone numbers", "digits")


def measured(model: VoicemailModel, messages: Sequence[Message]) -> list[PhraseScore]:
    """Scores of all tasks, in their order."""
    found = list(model.apply([message.words for message in messages]))
    return scores(found, messages)


def scores(found: Sequence[Found], messages: Sequence[Message]) -> list[PhraseScore]:
    phrases = [one.caller.phrase for one in found]
    gold = [message.caller_phrase for message in messages]
    needed = [message.caller_name or message.caller_phrase for message in messages]
    spans, digits = numbers_of(found, messages)
    return [
        score(gold, phrases),
        score(needed, phrases, contained),
        score([message.caller_name for message in messages], [one.caller.name for one in found]),
        spans,
        digits,
    ]


def same(gold: Span, given: Span) -> bool:
    return gold == given


def contained(gold: Span, given: Span) -> bool:
    return given[0] <= gold[0] and gold[1] <= given[1]


def score(
    gold: Sequence[Span | None],
    given: Sequence[Span | None],
    right: Callable[[Any, Any], bool] = same,
) -> PhraseScore:
    """Of one span a message, or none."""
    pairs = zip(gold, given, strict=True)
    hits = sum(one is not None and other is not None and right(one, other) for one, other in pairs)
    return PhraseScore(
        hits, sum(one is not None for one in gold), sum(one is not None for one in given)
    )


def numbers_of(
    found: Sequence[Found], messages: Sequence[Message]
) -> tuple[PhraseScore, PhraseScore]:
    """Of spans that are numbers, and of numbers with their digits."""
    spans = digits = gold = given = 0
    for one, message in zip(found, messages, strict=True):
        marked = {(n.begin, n.end): n for n in message.numbers if n.digits is not None}
        gold += len(marked)
        given += len(one.numbers)
        for number in one.numbers:
            right = marked.get((number.begin, number.end))
            if right is not None:
                spans += 1
                digits += (right.digits, right.extension) == (number.digits, number.extension)
    return PhraseScore(spans, gold, given), PhraseScore(digits, gold, given)
