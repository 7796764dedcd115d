"""Gold marks of messages, written by hand: a TSV template out, marked messages in.

A template has a message a line, for a spreadsheet:

    checked  id  text                       caller phrase  caller name  numbers
             7   hi this is Pat call 5 5 5                              5 5 5 = 555

Marks are words copied from the text. Several numbers have | between them, each its digits behind
=, an extension behind x: `five five five = 555 x12`, and ? for digits that the caller gave up.
Words that stand in the text more than once are told apart by their place, `five five five #2`.
Messages count that are `checked`, whatever is written there; columns may be in any order, and
others beside them. Cells are in quotes as spreadsheets write them: those with quotes in them.

>>> message = Message(id="7", words=("hi", "this", "is", "Pat"), caller_phrase=(1, 4))
>>> format_marks(message)
['', '7', 'hi this is Pat', 'this is Pat', '', '']
>>> cells = {"id": "7", "text": "it's Pat or Pat", "caller phrase": "it's Pat or Pat"}
>>> parse_marks({**cells, "caller name": "Pat #2"}).caller_name
(3, 4)
>>> parse_marks({**cells, "caller name": "Pat"})
Traceback (most recent call last):
glyphone.data.errors.ItemError: column 'caller name': 'Pat' stands there 2 times (write #1 ...)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from glyphone.data import progress
from glyphone.data.errors import FormatError, ItemError
from glyphone.data.lines import is_text, open_text_output, read_lines
from glyphone.evaluation.marked import report_failures
from glyphone.io.messages import Failure
from glyphone.io.paths import check_distinct
from glyphone.voicemail.files import find_in_lines, parse_line
from glyphone.voicemail.findings import Findings
from glyphone.voicemail.model import VoicemailModel
from glyphone.voicemail.records.candidates import NumberCandidate
from glyphone.voicemail.records.messages import Message, Number, Span, parse_message

CHECKED, ID, TEXT, PHRASE, NAME, NUMBERS = COLUMNS = (
    *("checked", "id", "text"),
    *("caller phrase", "caller name", "numbers"),
)
CHECK = f"write x in the column {CHECKED!r} of messages whose marks are right"
BETWEEN, EQUALS, GIVEN_UP = "|", "=", "?"
COPY = "copy words from the column 'text'"
_PLACE = re.compile(r"#([1-9][0-9]*)")
_DIGITS = re.compile(r"([-+.() 0-9]*[0-9][-+.() 0-9]*?)(?: *x *([0-9]+))?")


@dataclass
class Gold:
    """The messages of a file by line, lines that are amiss, and how many are not checked."""

    messages: list[tuple[int, Message]] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    unchecked: int = 0


def write_template(
    source: str,
    output: str,
    *,
    text: bool = False,
    model: VoicemailModel | None = None,
    errors: str | None = None,
) -> int:
    """Writes messages with empty marks, or those of a model; returns how many lines failed.

    Lines are those that `glyphone voicemail` reads; those that fail go to the file `errors`, or to
    stderr. No message is checked.
    """
    check_distinct(
        read=[source],
        written=[output, errors],
        what="messages, template and errors",
        options="INPUT, -o and --errors",
    )
    messages: list[tuple[int, Message]] = []
    failures: list[Failure] = []
    lines = [*read_lines(source)]
    if model is not None:
        found, failures = find_in_lines(model, lines, text=text)
        messages = [(number, as_message(one, str(number))) for number, one in found]
    else:
        for number, line in lines:
            try:
                transcript = parse_line(line, text=text)
                messages.append(
                    (number, Message(id=transcript.id or str(number), words=transcript.words))
                )
            except ItemError as error:
                failures.append((number, line, error))
    with open_text_output(output) as stream:
        stream.write("\t".join(COLUMNS) + "\n")
        for _, message in messages:
            stream.write("\t".join(map(quote_cell, format_marks(message))) + "\n")
    report_failures(failures, source, errors)
    return len(failures)


def as_message(findings: Findings, name: str = "") -> Message:
    """Findings as the marks of a message; a caller's name outside of the phrase is left out."""
    caller, transcript = findings.caller, findings.transcript
    inside = caller.name and Message.is_within(caller.name, caller.phrase)
    return Message(
        id=transcript.id or name,
        words=transcript.words,
        caller_phrase=caller.phrase,
        caller_name=caller.name if inside else None,
        numbers=tuple(
            Number(begin=one.begin, end=one.end, digits=one.digits, extension=one.extension)
            for one in findings.numbers
        ),
    )


def format_marks(message: Message) -> list[str]:
    """The cells of a message that is not checked."""
    words, phrase = message.words, message.caller_phrase
    numbers = (number_text(words, number) for number in message.numbers)
    return [
        "",
        message.id,
        message.text,
        span_text(words, phrase),
        span_text(words, message.caller_name, within=phrase),
        f" {BETWEEN} ".join(numbers),
    ]


def number_text(words: Sequence[str], number: Number) -> str:
    """The words of a number and its digits.

    >>> number_text("call five five five".split(), Number(begin=1, end=4, digits="555"))
    'five five five = 555'
    """
    digits = GIVEN_UP
    if number.digits is not None:
        digits = NumberCandidate(0, 0, number.digits, number.extension).display
    return f"{span_text(words, (number.begin, number.end))} {EQUALS} {digits}"


def span_text(words: Sequence[str], span: Span | None, *, within: Span | None = None) -> str:
    """The words of a span, with their place if they stand in the text more than once."""
    if span is None:
        return ""
    part = words[slice(*span)]
    starts = starts_of(part, words, within)
    if len(starts) > 1 or _PLACE.fullmatch(part[-1]):
        part = [*part, f"#{starts.index(span[0]) + 1}"]
    return " ".join(part)


def starts_of(part: Sequence[str], words: Sequence[str], within: Span | None) -> list[int]:
    """Where words stand among others, or in a part of these."""
    begin, end = within or (0, len(words))
    size = len(part)
    return [k for k in range(begin, end - size + 1) if [*words[k : k + size]] == [*part]]


def parse_marks(cells: Mapping[str, str]) -> Message:
    """The message of a line by the names of its columns; ItemError if marks are not in the text."""
    words = tuple(cells[TEXT].split())
    phrase = find_span(cells.get(PHRASE, ""), words, PHRASE)
    name_text = cells.get(NAME, "")
    if phrase is None and name_text.strip():
        remedy = f"fill in the column {PHRASE!r}, with the name in it"
        raise ItemError("there is a name without a phrase", stage=column(NAME), remedy=remedy)
    return Message(
        id=cells[ID],
        words=words,
        caller_phrase=phrase,
        caller_name=find_span(name_text, words, NAME, within=phrase),
        numbers=tuple(parse_numbers(cells.get(NUMBERS, ""), words)),
    )


def column(name: str) -> str:
    return f"column {name!r}"


def find_span(
    text: str, words: Sequence[str], name: str, *, within: Span | None = None
) -> Span | None:
    """The place of words that were copied from a text, None without any."""
    part = text.split()
    if not part:
        return None
    place = _PLACE.fullmatch(part[-1]) if len(part) > 1 else None
    part = part[:-1] if place else part
    starts = starts_of(part, words, within)
    told = repr(" ".join(part))
    if not starts:
        raise ItemError(missing_words(part, words, within), stage=column(name), remedy=COPY)
    if place is None and len(starts) > 1:
        remedy = f"write #1 to #{len(starts)} behind it"
        message = f"{told} stands there {len(starts)} times"
        raise ItemError(message, stage=column(name), remedy=remedy)
    nth = int(place[1]) if place else 1
    if nth > len(starts):
        message = f"{told} stands there {len(starts)} times, so there is no {place and place[0]}"
        raise ItemError(message, stage=column(name), remedy=f"write #1 to #{len(starts)}")
    begin = starts[nth - 1]
    return begin, begin + len(part)


def missing_words(part: Sequence[str], words: Sequence[str], within: Span | None) -> str:
    """The first word of a part with which it is no longer in the text.

    >>> missing_words(["is", "Patt"], ["this", "is", "Pat"], None)
    "'is' stands there, but 'Patt' does not follow"
    """
    where = "in the text" if within is None else "in the caller phrase"
    size = next(k for k in range(1, len(part) + 1) if not starts_of(part[:k], words, within))
    if size == 1:
        return f"{part[0]!r} is not {where}"
    return f"{' '.join(part[: size - 1])!r} stands there, but {part[size - 1]!r} does not follow"


def parse_numbers(text: str, words: Sequence[str]) -> Iterator[Number]:
    """The numbers of a cell, in its order."""
    parts = [part for part in re.split(r"(?<!\S)\|(?!\S)", text) if part.strip()]
    for part in parts:
        said, equals, written = part.rpartition(EQUALS)
        digits = _DIGITS.fullmatch(written.strip())
        given_up = written.strip() == GIVEN_UP
        if not equals or not (digits or given_up):
            message = f"{part.strip()!r} has no digits behind {EQUALS}"
            remedy = f"write WORDS {EQUALS} 908-555-1212 x12 {BETWEEN} WORDS {EQUALS} {GIVEN_UP}"
            raise ItemError(message, stage=column(NUMBERS), remedy=remedy)
        span = find_span(said, words, NUMBERS)
        if span is None:
            message = f"{part.strip()!r} has no words"
            raise ItemError(message, stage=column(NUMBERS), remedy=COPY)
        found = re.sub("[^0-9]", "", digits[1]) if digits else None
        extension = (digits[2] or "") if digits else ""
        yield Number(begin=span[0], end=span[1], digits=found, extension=extension)


def quote_cell(text: str) -> str:
    """A cell as spreadsheets write it.

    >>> quote_cell('"Pat"'), unquote_cell('\"\"\"Pat\"\"\"')
    ('\"\"\"Pat\"\"\"', '"Pat"')
    """
    return '"' + text.replace('"', '""') + '"' if '"' in text else text


def unquote_cell(cell: str) -> str:
    if not cell.startswith('"'):
        return cell
    if len(cell) < 2 or not cell.endswith('"'):
        message = "a cell begins with a quote and does not end with one"
        raise ItemError(message, remedy="put each cell on one line, and quotes around it")
    return cell[1:-1].replace('""', '"')


def read_gold(path: str) -> Gold:
    """The marked messages of a file: JSON Lines, or a template that was filled in."""
    gold = Gold()
    names: list[str] | None = None
    for number, line in progress.steps(read_lines(path), f"reading {path}"):
        if number == 1 and not line.startswith("{") and "\t" in line:
            names = header_of(line, path)
            continue
        item = line
        try:
            if not is_text(line):
                raise ItemError("is not UTF-8", remedy="save the file as UTF-8")
            if names is None:
                gold.messages.append((number, parse_message(line)))
                continue
            cells = dict(zip(names, [*map(unquote_cell, line.split("\t"))], strict=False))
            if cells.get(CHECKED, "").strip():
                item = cells.get(ID, "").strip() or str(number)
                cells = {TEXT: "", **cells, ID: item}
                gold.messages.append((number, parse_marks(cells)))
            else:
                gold.unchecked += bool(line.strip())
        except ItemError as error:
            error.stage = error.stage or "reading"
            gold.failures.append((number, error.item or item, error))
    return gold


def unchecked_note(path: str, gold: Gold) -> str:
    return f"{path}: {gold.unchecked} messages are not checked, and left out ({CHECK})"


def header_of(line: str, path: str) -> list[str]:
    """The names of the columns of a template, in the order of the file."""
    names = [unquote_cell(cell).strip() for cell in line.split("\t")]
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        remedy = "glyphone voicemail template writes it; or give JSON Lines"
        told = ", ".join(map(repr, missing))
        raise FormatError(f"its first line has no {told}", path=path, line=1, remedy=remedy)
    return names
