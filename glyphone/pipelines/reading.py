"""Input of a pipeline: lines of TSV or JSON Lines, as items in blocks of whole documents.

A text is a column of TSV, by its number from 1, or a key of a JSON object; so is the name of the
document that it belongs to, where several lines are one. Objects that already have candidates, as
`glyphone run --format jsonl` writes them, keep them.

>>> reading = Reading(text="said", document="id")
>>> item = item_of('{"said": "call me", "id": 7}', 1, reading, "jsonl")
>>> item.text, item.document, item.fields
('call me', '7', {'said': 'call me', 'id': 7})
>>> str(item_of('{"said": 7}', 2, Reading(text="said"), "jsonl").error)
'reading: said is 7 (it must be text in quotes)'
>>> item_of("call me\\t7", 1, Reading(document="2"), "tsv").fields
{'text': 'call me', 'columns': ['call me', '7']}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from glyphone.batch.driver import Chunk
from glyphone.batch.sources import TextSource, line_checksum
from glyphone.data.errors import FormatError, GlyphoneError, ItemError
from glyphone.data.fields import Between, WrongSetting, check_settings, read_setting
from glyphone.data.json_objects import parse_object
from glyphone.data.lines import Source, is_text, read_blocks
from glyphone.data.records import Candidate
from glyphone.pipelines.registry import Item

BLOCK = 1024
# Those of a document are in memory at once.
MOST_TOGETHER = 1_000_000


@dataclass(frozen=True)
class Reading:
    """Where a text stands, and what document it belongs to.

    By default, a text is in the first column, or is the "text" of an object. It is a document of
    its own, unless `document` names a column or key, or each `window` of so many lines is one.
    """

    text: str | None = None
    document: str | None = None
    window: Annotated[int, Between(1)] | None = None

    def __post_init__(self) -> None:
        if self.document is not None and self.window is not None:
            raise WrongSetting(
                "window", "there are a document and a window", remedy="leave one out"
            )

    def check_rows(self) -> None:
        """Refuses documents of several rows, which need not end where parts of Parquet do."""
        if self.document is not None or self.window is not None:
            remedy = "read JSON Lines, or leave document and window out of [input]"
            raise GlyphoneError("each row of Parquet is a document of its own", remedy=remedy)

    def check(self, form: str) -> None:
        """Refuses what cannot be in a file of this form."""
        for name in (self.text, self.document) if form == "tsv" else ():
            if name is not None and (not name.isdecimal() or int(name) < 1):
                message = f"{name!r} is no column of TSV"
                remedy = "columns have numbers, from 1; or read JSON Lines: --read jsonl"
                raise GlyphoneError(message, remedy=remedy)


@dataclass(frozen=True)
class Documents(TextSource):
    """The items of a file, in chunks of whole documents."""

    reading: Reading
    form: str

    def all_chunks(self) -> Iterator[Chunk]:
        return read_documents(self.path, self.reading, self.form)


def read_documents(source: Source, reading: Reading, form: str) -> Iterator[Chunk]:
    """The items of a file, in chunks of whole documents."""
    waiting: list[Item] = []
    crc = 0
    for block in read_blocks(source, lines=BLOCK):
        for line, text in enumerate(block.lines, block.first_line):
            item = item_of(text, line, reading, form)
            document = waiting[-1].document if waiting else ""
            if item.error is not None:  # what cannot be read does not end a document
                item = replace(item, document=document)
            together = bool(document) and item.document == document
            if len(waiting) >= BLOCK and not together:
                yield Chunk(waiting, line - 1, crc, len(waiting))
                waiting = []
            if len(waiting) >= MOST_TOGETHER:
                message = f"the document {document!r} has more than {MOST_TOGETHER} lines"
                raise FormatError(message, path=source, line=line, remedy="take a window of lines")
            waiting.append(item)
            crc = line_checksum(text, crc)
        if waiting and not waiting[-1].document:
            yield Chunk(waiting, waiting[-1].line, crc, len(waiting))
            waiting = []
    if waiting:
        yield Chunk(waiting, waiting[-1].line, crc, len(waiting))


def item_of(line: str, number: int, reading: Reading, form: str) -> Item:
    """The item of a line; one that cannot be read has an error."""
    try:
        if not is_text(line):
            raise ItemError("is not UTF-8", remedy="re-encode it")
        item = of_json(line, reading) if form == "jsonl" else of_columns(line, reading)
    except ItemError as error:
        error.stage = "reading"
        return Item(line, line=number, error=error)
    if reading.window is not None:
        item = replace(item, document=str((number - 1) // reading.window))
    return replace(item, line=number)


def of_columns(line: str, reading: Reading) -> Item:
    columns = line.split("\t")

    def cell(name: str) -> str:
        if int(name) > len(columns):
            remedy = "separate columns by TAB, or take another"
            raise ItemError(f"column {name} is missing: {len(columns)} found", remedy=remedy)
        return columns[int(name) - 1]

    text = cell(reading.text or "1")
    document = "" if reading.document is None else cell(reading.document)
    fields = {"text": text} | ({"columns": columns} if len(columns) > 1 else {})
    return Item(text, document=document, fields=fields)


def of_json(line: str, reading: Reading) -> Item:
    fields = parse_object(line)
    key = reading.text or "text"
    for name in filter(None, (key, reading.document)):
        if name not in fields:
            raise ItemError(f"has no {name!r}", remedy=f"there are: {', '.join(fields)}"[:200])
    try:
        text = read_setting(key, fields[key], str)
        candidates = tuple(candidate_of(row, text) for row in listed(fields, "candidates"))
        rejected = tuple(candidate_of(row, text) for row in listed(fields, "rejected"))
    except GlyphoneError as error:
        raise ItemError(error.message, remedy=error.remedy) from None
    document = "" if reading.document is None else str(fields[reading.document])
    return Item(text, candidates, rejected, document, fields)


def listed(fields: Mapping[str, Any], name: str) -> list[Any]:
    values = fields.get(name, [])
    if not isinstance(values, list) or not all(isinstance(row, dict) for row in values):
        raise ItemError(f"{name} are no list of objects", remedy="leave them out")
    return values


def candidate_of(row: Mapping[str, Any], text: str) -> Candidate:
    """A candidate as `glyphone.pipelines.writing` writes them."""
    candidate = Candidate(**check_settings(Candidate, row))
    span = candidate.span
    if len(span) != 2 or not 0 <= span[0] <= span[1] <= len(text):
        raise ItemError(f"a candidate has the span {list(span)}", remedy="write [begin, end]")
    return candidate
