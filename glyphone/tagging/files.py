"""A file of tokens in columns, or of running text, labelled by a tagger: sentences are the items.

TSV has the columns that were read, and labels in one more; JSON Lines have an object for each
sentence. A row of Parquet is a sentence, whose columns are lists of text; to rows `labels` and
`error` are added. A sentence with a line or a cell that is amiss fails alone. Of running text each
line is an item, which may hold several sentences; JSON Lines tell the line, and where tokens stand.

>>> sentence = Sentence(("la", "casa"), {"1": ("DET", "NOUN")}, ("B-NP", "I-NP"))
>>> as_jsonl(sentence)
'{"tokens": ["la", "casa"], "columns": [["DET", "NOUN"]], "labels": ["B-NP", "I-NP"]}\\n'
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from glyphone.batch.driver import Chunk, Task, Worked, run_task
from glyphone.batch.job import Files, check_files
from glyphone.batch.sinks import TextSink
from glyphone.batch.sources import Lines, TextSource, line_checksum
from glyphone.data.errors import FormatError, GlyphoneError, ItemError
from glyphone.data.lines import LineBlock, is_text, read_blocks
from glyphone.data.records import Sequence as Sentence
from glyphone.data.text.abbreviations import check_language
from glyphone.data.text.sentences import sentences_of_text
from glyphone.data.text.tokens import Token
from glyphone.data.treebanks.conll import COLUMNS, format_sentence, is_token, parse_sentence
from glyphone.fst.storage import container as storage_container
from glyphone.io.formats import PARQUET
from glyphone.io.messages import Failure, unread_failure
from glyphone.models.learners import file as learner_file
from glyphone.tagging.columns import column_names, load_tagger

if TYPE_CHECKING:
    from glyphone.batch.parquet import AddedColumns, Row
    from glyphone.learners.sequences.sentences import SentenceEstimator

# Lines of a chunk, if its last sentence does not end later.
BLOCK = 8192
Line = tuple[int, str]


@dataclass(frozen=True)
class SentenceLines:
    """The lines of some sentences, and how many columns the first line of the file has."""

    sentences: list[list[Line]]
    width: int


@dataclass(frozen=True)
class Sentences(TextSource):
    """Lines with tokens, and others between sentences."""

    lines: int = BLOCK

    def all_chunks(self) -> Iterator[Chunk]:
        sentences: list[list[Line]] = []
        crc, last, width, inside = 0, 0, 0, False
        for block in read_blocks(self.path, lines=self.lines):
            for last, line in enumerate(block.lines, block.first_line):
                if not is_token(line):
                    inside = False
                elif inside:
                    sentences[-1].append((last, line))
                else:
                    width = width or len(line.split())
                    sentences.append([(last, line)])
                    inside = True
                crc = line_checksum(line, crc)
            if not inside:
                yield Chunk(SentenceLines(sentences, width), last, crc, len(sentences))
                sentences = []
        if sentences:
            yield Chunk(SentenceLines(sentences, width), last, crc, len(sentences))


@dataclass(frozen=True, kw_only=True)
class TagJob(Files):
    """Sentences, and where labels go.

    `columns` are those of Parquet, all lists of text if none. With a `language` (ISO 639-3) the
    input is running text.
    """

    columns: tuple[str, ...] = ()
    language: str | None = None

    def settings(self, fingerprint: str) -> dict[str, Any]:
        return {
            **super().settings(fingerprint),
            "--columns": [*self.columns],
            **({} if self.language is None else {"--language": self.language}),
        }


def tag_file(job: TagJob, *, jobs: int | None = None, resume: bool = False) -> int:
    """Writes sentences with their labels, and returns how many failed."""
    learner = load_tagger(job.model)
    check_files(job, resume=resume, read=[job.model])
    if job.columns and job.format != PARQUET:
        remedy = "leave it out, or read a file of Parquet"
        raise GlyphoneError("columns of text have no names for --columns", remedy=remedy)
    if job.language is not None:
        check_language(job.language)
        if job.format == PARQUET:
            remedy = "leave it out, or name another --format"
            raise GlyphoneError("--language is for running text, not for Parquet", remedy=remedy)
    make = rows_task if job.format == PARQUET else text_task
    return run_task(make(learner, job), jobs=jobs, resume=resume)


def text_task(learner: SentenceEstimator, job: TagJob) -> Task:
    work: Any = tag_lines if job.language is None else tag_texts
    return Task(
        files=job,
        settings=job.settings(storage_container.checksum(learner_file.to_contents(learner))),
        source=Sentences(job.source, BLOCK) if job.language is None else Lines(job.source),
        sink=TextSink(job.output),
        work=lambda given: work(learner, given, job),
        items="sentences" if job.language is None else "lines",
    )


def rows_task(learner: SentenceEstimator, job: TagJob) -> Task:
    """The task that adds labels to rows of Parquet."""
    from glyphone.batch import parquet
    from glyphone.batch.arrow import ParquetReading, import_pyarrow

    pa = import_pyarrow()
    added = [("labels", pa.list_(pa.string())), ("error", pa.string())]

    def work(given: Sequence[Row]) -> AddedColumns:
        sentences: list[Sentence] = []
        failures: list[Failure] = []
        for number, cells in given:
            try:
                sentences.append(sentence_of_cells(cells, reading.columns))
            except ItemError as error:
                item = " ".join(token or "" for token in cells[0])
                failures.append((number, item, error))
        labels = learner.predict(sentences) if sentences else []
        return parquet.AddedColumns({"labels": [*map(list, labels)]}, failures)

    reading = ParquetReading.of_lists(job.source, job.columns, "--columns")
    settings = job.settings(storage_container.checksum(learner_file.to_contents(learner)))
    return parquet.parquet_task(
        job, settings, parquet.Adding(reading, added, work), items="sentences"
    )


def sentence_of_cells(cells: Sequence[Sequence[str | None]], names: Sequence[str]) -> Sentence:
    """The sentence of lists of text, those of tokens first; ItemError if they are no sentence.

    >>> sentence_of_cells([["la", "casa"], ["DET", "NOUN"]], ["tokens", "pos"]).columns
    {'1': ('DET', 'NOUN')}
    """
    columns: list[tuple[str, ...]] = []
    for name, cell in zip(names, cells, strict=True):
        texts = [text for text in cell if text is not None and is_text(text)]
        if len(texts) < len(cell):
            message = f"column {name!r} has a null or bytes that are not UTF-8"
            raise ItemError(message, stage="reading", remedy="fill it in, or re-encode it")
        if len(texts) != len(cells[0]):
            message = f"column {name!r} has {len(texts)} values for {len(cells[0])} tokens"
            raise ItemError(message, stage="reading", remedy="give one for each token")
        columns.append(tuple(texts))
    tokens, *others = columns
    return Sentence(tokens, dict(zip(column_names(len(cells))[1:], others, strict=True)), ())


def tag_lines(learner: SentenceEstimator, lines: SentenceLines, job: TagJob) -> Worked:
    """Sentences with their labels, as text; one with a line that is amiss is a failure."""
    columns = column_names(lines.width)
    sentences: list[Sentence] = []
    failures: list[Failure] = []
    for rows in lines.sentences:
        try:
            sentences.append(parse_sentence(rows, columns=columns, path=job.source))
        except FormatError as error:
            failures.append(unread_failure(error))
    labels: Sequence[Any] = learner.predict(sentences) if sentences else ()
    write = FORMATS[job.format]
    texts = (
        write(Sentence(sentence.tokens, sentence.columns, given))
        for sentence, given in zip(sentences, labels, strict=True)
    )
    return Worked("".join(texts), failures)


def tag_texts(learner: SentenceEstimator, block: LineBlock, job: TagJob) -> Worked:
    """The sentences of lines of running text with their labels, as text."""
    found: list[tuple[int, list[Token]]] = []
    failures: list[Failure] = []
    for number, line in enumerate(block.lines, block.first_line):
        if is_text(line):
            found += [(number, tokens) for tokens in sentences_of_text(line, job.language or "")]
        else:
            error = ItemError("not UTF-8", stage="reading", remedy="re-encode it")
            failures.append((number, line, error))
    sentences = [Sentence(tuple(token.text for token in tokens)) for _, tokens in found]
    labels: Sequence[Any] = learner.predict(sentences) if sentences else ()
    texts = []
    for (number, tokens), sentence, given in zip(found, sentences, labels, strict=True):
        if job.format == "tsv":
            texts.append(as_columns(Sentence(sentence.tokens, {}, given)))
            continue
        spans = [(token.begin, token.end) for token in tokens]
        row = {"line": number, "tokens": sentence.tokens, "spans": spans, "labels": given}
        texts.append(json.dumps(row, ensure_ascii=False) + "\n")
    return Worked("".join(texts), failures)


def as_columns(sentence: Sentence) -> str:
    columns = (COLUMNS[0], *sentence.columns, COLUMNS[1])
    return format_sentence(sentence, columns=columns, path="the output", separator="\t")


def as_jsonl(sentence: Sentence) -> str:
    columns = [*sentence.columns.values()]
    row = {"tokens": sentence.tokens, "columns": columns, "labels": sentence.labels}
    return json.dumps(row, ensure_ascii=False) + "\n"


FORMATS: dict[str, Callable[[Sentence], str]] = {"tsv": as_columns, "jsonl": as_jsonl}
