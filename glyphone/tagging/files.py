"""A file of tokens in columns, labelled by a tagger: sentences are the items.

TSV has the columns that were read, and labels in one more; JSON Lines have an object for each
sentence. A sentence with a line that is amiss fails alone.

>>> sentence = Sentence(("la", "casa"), {"1": ("DET", "NOUN")}, ("B-NP", "I-NP"))
>>> as_jsonl(sentence)
'{"tokens": ["la", "casa"], "columns": [["DET", "NOUN"]], "labels": ["B-NP", "I-NP"]}\\n'
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from glyphone.batch.driver import Chunk, Files, Task, Worked, run_task
from glyphone.batch.job import check_files
from glyphone.batch.sinks import TextSink
from glyphone.batch.sources import TextSource, line_checksum
from glyphone.data.errors import FormatError
from glyphone.data.lines import read_blocks
from glyphone.data.records import Sequence as Sentence
from glyphone.data.treebanks.conll import COLUMNS, format_sentence, is_token, parse_sentence
from glyphone.fst.storage import container as storage_container
from glyphone.io.messages import Failure, unread_failure
from glyphone.models.learners import file as learner_file
from glyphone.tagging.columns import column_names, load_tagger

# Lines of a chunk, if its last sentence does not end later.
BLOCK = 8192
Line = tuple[int, str]


@dataclass(frozen=True)
class Lines:
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
                yield Chunk(Lines(sentences, width), last, crc, len(sentences))
                sentences = []
        if sentences:
            yield Chunk(Lines(sentences, width), last, crc, len(sentences))


def tag_file(files: Files, *, jobs: int | None = None, resume: bool = False) -> int:
    """Writes sentences with their labels, and returns how many failed."""
    learner = load_tagger(files.model)
    check_files(files, resume=resume, read=[files.model])
    task = Task(
        files=files,
        settings=files.settings(storage_container.checksum(learner_file.to_contents(learner))),
        source=Sentences(files.source, BLOCK),
        sink=TextSink(files.output),
        work=lambda lines: tag_lines(learner, lines, files),
        items="sentences",
    )
    return run_task(task, jobs=jobs, resume=resume)


def tag_lines(learner: Any, lines: Lines, files: Files) -> Worked:
    """Sentences with their labels, as text; one with a line that is amiss is a failure."""
    columns = column_names(lines.width)
    sentences: list[Sentence] = []
    failures: list[Failure] = []
    for rows in lines.sentences:
        try:
            sentences.append(parse_sentence(rows, columns=columns, path=files.source))
        except FormatError as error:
            failures.append(unread_failure(error))
    labels: Sequence[Any] = learner.predict(sentences) if sentences else ()
    write = FORMATS[files.format]
    found = (
        write(Sentence(sentence.tokens, sentence.columns, given))
        for sentence, given in zip(sentences, labels, strict=True)
    )
    return Worked("".join(found), failures)


def as_columns(sentence: Sentence) -> str:
    columns = (COLUMNS[0], *sentence.columns, COLUMNS[1])
    return format_sentence(sentence, columns=columns, path="the output", separator="\t")


def as_jsonl(sentence: Sentence) -> str:
    columns = [*sentence.columns.values()]
    row = {"tokens": sentence.tokens, "columns": columns, "labels": sentence.labels}
    return json.dumps(row, ensure_ascii=False) + "\n"


FORMATS: dict[str, Callable[[Sentence], str]] = {"tsv": as_columns, "jsonl": as_jsonl}
