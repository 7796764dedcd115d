"""Voicemail messages with callers and numbers marked: JSON Lines for training and evaluation.

    {"id": "train-0-000000",
     "words": ["hi", "this", "is", "Pat", "call", "four", "oh", "two", "one"],
     "text": "hi this is Pat call four oh two one", "caller_phrase": [1, 4], "caller_name": [3, 4],
     "numbers": [{"begin": 5, "end": 9, "digits": "4021", "extension": "", "kind": "spoken",
                  "manner": "plain", "again": false}],
     "marks": [{"begin": 0, "end": 1, "kind": "greeting"}], "times": [], "origin": {"seed": 0}}

All places are counted in words, the end not included. `digits` are the digits that the caller
meant, even if a recogniser heard others, and null where the caller gave up. `words` may be left out
if `text` has them between spaces; other keys may be left out if they are empty.

>>> message = parse_message('{"id": "a", "text": "hi it\\'s me", "caller_phrase": [1, 3]}')
>>> message.words, message.text_of(message.caller_phrase), message.caller_name
(('hi', "it's", 'me'), "it's me", None)
>>> tag_text(message)
"hi <caller> it's me </caller>"
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from glyphone.data.errors import FormatError, GlyphoneError, ItemError
from glyphone.data.fields import check_settings
from glyphone.data.json_objects import parse_object
from glyphone.data.lines import Source, read_lines
from glyphone.data.treebanks.chunks import Phrase

Span = tuple[int, int]
NumberKind = Literal["spoken", "worded", "messy", "written"]
# The marks that the text form shows, beside callers and numbers.
SECTIONS = ("greeting", "closing")


@dataclass(frozen=True, kw_only=True)
class Number:
    """A telephone number from one word to before another.

    It is `spoken` in number words alone, `worded` with "area code" or "extension", `messy` with
    other words between, or `written` in figures. `manner` is plain, pairs, hundred or double; or
    filler, corrected, fragment or abandoned. A number said `again` occurs earlier, too.
    """

    begin: int
    end: int
    digits: str | None
    extension: str = ""
    kind: NumberKind = "spoken"
    manner: str = "plain"
    again: bool = False


@dataclass(frozen=True, kw_only=True)
class Message:
    """The words of a message, their times in seconds if known, and its marks.

    `marks` are parts that are neither caller nor number: greeting, closing, lead (in to a number),
    filler, repeated, fragment, correction, abandoned, and distractor.KIND for other numbers.
    """

    id: str
    words: tuple[str, ...]
    caller_phrase: Span | None = None
    caller_name: Span | None = None
    numbers: tuple[Number, ...] = ()
    marks: tuple[Phrase, ...] = ()
    times: tuple[tuple[float, float], ...] = ()
    origin: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        parts = [(number.begin, number.end) for number in self.numbers]
        parts += [(mark.begin, mark.end) for mark in self.marks]
        for span in filter(None, (self.caller_phrase, self.caller_name, *parts)):
            if len(span) != 2 or not 0 <= span[0] < span[1] <= len(self.words):
                message = f"{list(span)} is no part of {len(self.words)} words"
                raise ItemError(message, item=self.id, remedy="write [begin, end]")
        if self.caller_name and not self.is_within(self.caller_name, self.caller_phrase):
            remedy = "mark the phrase around the name, or no name"
            raise ItemError("the caller's name is not in the phrase", item=self.id, remedy=remedy)
        if self.times and [len(pair) for pair in self.times] != [2] * len(self.words):
            remedy = "give [begin, end] in seconds for each word, or none"
            raise ItemError("times do not fit the words", item=self.id, remedy=remedy)

    @staticmethod
    def is_within(inner: Span, outer: Span | None) -> bool:
        return outer is not None and outer[0] <= inner[0] and inner[1] <= outer[1]

    @property
    def text(self) -> str:
        return " ".join(self.words)

    def text_of(self, span: Span | None) -> str:
        """The words of a part."""
        return "" if span is None else " ".join(self.words[slice(*span)])


def format_message(message: Message) -> str:
    row = asdict(message)
    row["origin"] = dict(message.origin)
    head = {"id": row.pop("id"), "words": row.pop("words"), "text": message.text}
    return json.dumps(head | row, ensure_ascii=False)


def parse_message(line: str) -> Message:
    """The message of a line of JSON; a line that is none raises ItemError."""
    row = parse_object(line)
    text = row.pop("text", None)
    if "words" not in row and isinstance(text, str):
        row["words"] = text.split()
    try:
        values = check_settings(MessageFields, row)
        numbers = tuple(
            Number(**check_settings(Number, part)) for part in values.pop("numbers", ())
        )
        marks = tuple(Phrase(**check_settings(Phrase, part)) for part in values.pop("marks", ()))
    except GlyphoneError as error:
        raise ItemError(error.message, remedy=error.remedy) from None
    message = Message(**values, numbers=numbers, marks=marks)
    if text is not None and text != message.text:
        raise ItemError("the text is not that of the words", remedy="leave one of them out")
    return message


@dataclass(frozen=True, kw_only=True)
class MessageFields:
    """The keys of a JSON object of a message."""

    id: str
    words: tuple[str, ...]
    caller_phrase: tuple[int, int] | None = None
    caller_name: tuple[int, int] | None = None
    numbers: tuple[Mapping[str, Any], ...] = ()
    marks: tuple[Mapping[str, Any], ...] = ()
    times: tuple[tuple[float, float], ...] = ()
    origin: Mapping[str, Any] = field(default_factory=dict)


def read_messages(path: Source) -> Iterator[Message]:
    """The messages of a file, `-` or `.gz`; a line that is none raises FormatError."""
    for number, line in read_lines(path):
        try:
            yield parse_message(line)
        except ItemError as error:
            raise FormatError(
                error.message, path=path, line=number, item=error.item, remedy=error.remedy
            ) from error


def tag_text(message: Message) -> str:
    """The text with tags around greeting, caller, telno and closing."""
    tagged = [(number.begin, number.end, "telno") for number in message.numbers]
    tagged += [(mark.begin, mark.end, mark.kind) for mark in message.marks if mark.kind in SECTIONS]
    if message.caller_phrase:
        tagged.append((*message.caller_phrase, "caller"))
    before = {begin: f"<{tag}> " for begin, _, tag in tagged}
    after = {end - 1: f" </{tag}>" for _, end, tag in tagged}
    return " ".join(
        before.get(place, "") + word + after.get(place, "")
        for place, word in enumerate(message.words)
    )
