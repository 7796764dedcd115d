"""Findings against the marks of messages: callers, numbers and their digits.

Strict: the spans are equal. Containment: the phrase found contains the caller's name, or the marked
phrase where there is no name; the words found contain exactly one number. Numbers without digits,
which a caller gave up, are no gold marks; a number that is found there is wrong.

>>> spans = [(1, 3), None, (0, 2)]
>>> print(tally_spans("name", spans, [(1, 3), (0, 1), None]))
name: precision 50.00 %, recall 50.00 %, F 50.00 %
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from glyphone.data.errors import ItemError
from glyphone.data.parallel import map_in_order
from glyphone.evaluation.marked import MarkedEvaluation, nothing_to_measure, report_failures
from glyphone.evaluation.tallies import Counts, Tally, count_same
from glyphone.evaluation.wrong import WrongItem
from glyphone.io.messages import Failure, print_message
from glyphone.voicemail.callers.model import NO_CALLER
from glyphone.voicemail.files import find_each
from glyphone.voicemail.findings import Findings
from glyphone.voicemail.marking import CHECK, as_message, number_text, read_gold, unchecked_note
from glyphone.voicemail.model import BLOCK, VoicemailModel
from glyphone.voicemail.records.messages import Message, Number, Span
from glyphone.voicemail.records.transcripts import Transcript

TASKS = (
    *("caller phrase", "its name contained", "caller name"),
    *("telephone numbers", "one number contained", "digits"),
)
# Words from one place to before another, and their digits; an extension stands behind an x.
FoundNumber = tuple[int, int, str]


def measure_file(
    model: VoicemailModel,
    path: str,
    *,
    name: str = "",
    failures: str | None = None,
    jobs: int | None = None,
    seed: int = 0,
) -> tuple[MarkedEvaluation, int]:
    """The evaluation on a file of marked messages, and how many lines were refused."""
    gold = read_gold(path)
    if not gold.messages:
        remedy = CHECK if gold.unchecked else "glyphone voicemail generate, or template"
        raise nothing_to_measure(path, gold.failures, remedy)
    if gold.unchecked:
        print_message(unchecked_note(path, gold))
    lines, messages = zip(*gold.messages, strict=True)
    failed: list[Failure] = [*gold.failures]
    findings = []
    for line, message, found in zip(
        lines, messages, find_all(model, messages, jobs=jobs), strict=True
    ):
        if isinstance(found, ItemError):  # its marks are missed
            failed.append((line, message.text, found))
            found = Findings(Transcript(message.words, id=message.id), NO_CALLER)
        findings.append(found)
    report_failures(failed, path, failures)
    evaluation = evaluate_findings(
        findings, messages, lines=lines, name=name, failed=len(failed), seed=seed
    )
    return evaluation, len(failed)


def find_all(
    model: VoicemailModel, messages: Sequence[Message], *, jobs: int | None
) -> Iterator[Findings | ItemError]:
    """The findings in each message, or an error, on all cores."""
    rows = [Transcript(message.words, id=message.id) for message in messages]
    blocks = iter([rows[k : k + BLOCK] for k in range(0, len(rows), BLOCK)])
    for _, found in map_in_order(lambda block: [*find_each(model, block)], blocks, jobs=jobs):
        yield from found


def measure_model(model: VoicemailModel, messages: Sequence[Message]) -> list[Tally]:
    """The tallies of all tasks, in their order."""
    findings = list(model.apply([message.words for message in messages]))
    return task_tallies(findings, messages)


def evaluate_findings(
    findings: Sequence[Findings],
    messages: Sequence[Message],
    *,
    lines: Sequence[int],
    name: str = "",
    failed: int = 0,
    seed: int = 0,
) -> MarkedEvaluation:
    """Figures of all tasks, and what is wrong in which line."""
    wrong = (
        one
        for line, message, found in zip(lines, messages, findings, strict=True)
        for one in wrong_marks(message, found, line)
    )
    return MarkedEvaluation(
        name,
        "messages",
        len(messages),
        tallies=tuple(task_tallies(findings, messages)),
        failed=failed,
        seed=seed,
        wrong=tuple(wrong),
    )


def wrong_marks(message: Message, findings: Findings, line: int) -> Iterator[WrongItem]:
    """The phrase, the name and the numbers of a message where findings differ from gold."""
    given = as_message(findings)
    for task, gold_span, found_span in (
        ("caller phrase", message.caller_phrase, given.caller_phrase),
        ("caller name", message.caller_name, given.caller_name),
    ):
        if gold_span != found_span:
            both = message.text_of(gold_span), message.text_of(found_span)
            yield WrongItem(line, message.text, task, *both)
    gold, found = map(numbers_of, (message, given))
    if gold.keys() != found.keys():
        texts = (
            " | ".join(
                number_text(message.words, one)
                for mark, one in sorted(side.items())
                if mark not in other
            )
            for side, other in ((gold, found), (found, gold))
        )
        yield WrongItem(line, message.text, "telephone numbers", *texts)


def numbers_of(message: Message) -> dict[tuple[int, int, str], Number]:
    """The numbers with digits of a message, by their words and digits.

    >>> number = Number(begin=1, end=2, digits="555", extension="7")
    >>> [*numbers_of(Message(id="1", words=("call", "555x7"), numbers=(number,)))]
    [(1, 2, '555x7')]
    """
    return {
        (one.begin, one.end, join_digits(one.digits, one.extension)): one
        for one in message.numbers
        if one.digits is not None
    }


def task_tallies(findings: Sequence[Findings], messages: Sequence[Message]) -> list[Tally]:
    phrases = [one.caller.phrase for one in findings]
    names = [one.caller.name for one in findings]
    found = [
        [(n.begin, n.end, join_digits(n.digits, n.extension)) for n in one.numbers]
        for one in findings
    ]
    return [*tally_callers(phrases, names, messages), *tally_numbers(found, messages)]


def tally_callers(
    phrases: Sequence[Span | None], names: Sequence[Span | None], messages: Sequence[Message]
) -> list[Tally]:
    """Tallies of phrases, of names contained in them, and of names."""
    needed = [message.caller_name or message.caller_phrase for message in messages]
    return [
        tally_spans(TASKS[0], [message.caller_phrase for message in messages], phrases),
        tally_spans(TASKS[1], needed, phrases, contains_span),
        tally_spans(TASKS[2], [message.caller_name for message in messages], names),
    ]


def is_same_span(gold: Span, given: Span) -> bool:
    return gold == given


def contains_span(gold: Span, given: Span) -> bool:
    return given[0] <= gold[0] and gold[1] <= given[1]


def tally_spans(
    name: str,
    gold: Sequence[Span | None],
    given: Sequence[Span | None],
    right: Callable[[Span, Span], bool] = is_same_span,
) -> Tally:
    """The tally of at most one span a message."""
    rows = []
    for one, other in zip(gold, given, strict=True):
        hit = one is not None and other is not None and right(one, other)
        rows.append((hit, hit, one is not None, other is not None))
    return Tally.of(name, rows)


def join_digits(digits: str, extension: str) -> str:
    """The digits of a number, with its extension behind an x.

    >>> join_digits("5550123", "12"), join_digits("5550123", ""), join_digits("", "12")
    ('5550123x12', '5550123', '12')
    """
    return f"{digits}x{extension}" if digits and extension else digits or extension


def tally_numbers(
    found: Sequence[Sequence[FoundNumber]], messages: Sequence[Message]
) -> list[Tally]:
    """Tallies of numbers by their words, by containing one number, and by words and digits."""
    counts = [count_numbers(row, message) for row, message in zip(found, messages, strict=True)]
    return [Tally.of(name, [row[k] for row in counts]) for k, name in enumerate(TASKS[3:])]


def count_numbers(found: Sequence[FoundNumber], message: Message) -> tuple[Counts, Counts, Counts]:
    """The counts of one message for each of the three tasks of numbers.

    Words found that contain exactly one gold number are right by containing; gold numbers that
    any words found contain are reached.
    """
    marks = numbers_of(message)
    there = {(begin, end) for begin, end, _ in marks}
    spans = {(begin, end) for begin, end, _ in found}
    inside = [[span for span in there if contains_span(span, one)] for one in spans]
    contained = (
        sum(len(row) == 1 for row in inside),
        len({span for row in inside for span in row}),
        len(there),
        len(spans),
    )
    return count_same(there, spans), contained, count_same({*marks}, {*found})
