"""Named entities learnt from sentences in columns: a file of CoNLL in, a learner's file out.

The first column has tokens and the last one labels; columns between them are left out.

>>> import tempfile
>>> from pathlib import Path
>>> path = Path(tempfile.mkdtemp()) / "train.conll"
>>> text = "El O\\nseñor O\\nPaz B-PER\\n\\nAna B-PER\\nve O\\nLima B-LOC\\n\\n"
>>> _ = path.write_text(text * 3, encoding="utf-8")
>>> read(str(path), "bio")[0].labels
('O', 'O', 'B-PER')
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from glyphone import learner_file
from glyphone.data.chunks import Score, scores
from glyphone.data.conll import COLUMNS, DOCUMENT, LEFT_OUT, read_conll
from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.data.lines import read_lines
from glyphone.data.records import Sequence
from glyphone.io.messages import progress, say
from glyphone.io.paths import check_distinct, check_output
from glyphone.io.tables import share, table


@dataclass(frozen=True, kw_only=True)
class EntityJob:
    """A file of sentences, and where the learner goes; `dev` has the same columns.

    `chosen` are options of other kinds of training, and refused.
    """

    path: str
    output: str
    dev: str | None = None
    scheme: str = "bio"
    chosen: Mapping[str, Any] = field(default_factory=dict)


def train_file(job: EntityJob) -> None:
    """Trains, saves and measures a recogniser of named entities."""
    from glyphone.learners.entities.recognizer import EntityRecognizer

    for name in job.chosen:
        raise UnknownName("option of entities", name, ("dev", "scheme"))
    check_output(job.output)
    check_distinct(
        read=[job.path, job.dev],
        written=[job.output],
        what="sentences, dev sentences and model",
        options="--dev and -o",
    )
    sentences = read(job.path, job.scheme)
    held_out = read(job.dev, job.scheme) if job.dev else []
    say(f"learning from {len(sentences)} sentences")
    recognizer = EntityRecognizer().fit(sentences)
    learner_file.save(recognizer, job.output)
    figures = [
        ("sentences", f"{len(sentences)}"),
        ("tokens", f"{sum(len(sentence.tokens) for sentence in sentences)}"),
        ("kinds", ", ".join(recognizer.classifier_.classes_)),
        ("bytes", f"{os.path.getsize(job.output)}"),
    ]
    print(f"{job.output}: recogniser of named entities\n\n{table(figures, '<<')}")
    if held_out:
        found = recognizer.predict(held_out)
        told = scores([sentence.labels for sentence in held_out], found)
        print(f"\n{job.dev}: {len(held_out)} sentences\n\n{table(rows_of(told), '<>>>')}")


def read(path: str, scheme: str) -> list[Sequence]:
    """The sentences of a file whose first column has tokens, and whose last one has labels."""
    if path == "-":
        raise GlyphoneError("sentences are read twice", path=path, remedy="save them to a file")
    rows = (line.split() for _, line in read_lines(path))
    width = next((len(row) for row in rows if row and row[0] != DOCUMENT), 2)
    columns = (COLUMNS[0], *[LEFT_OUT] * (width - 2), COLUMNS[1])
    return [*progress(read_conll(path, columns=columns, scheme=scheme), f"reading {path}")]


def rows_of(found: dict[str, Score]) -> list[tuple[str, ...]]:
    """Precision, recall and F of each kind, all of them first."""
    kinds = sorted(found)
    return [("kind", "precision", "recall", "F")] + [
        (kind or "all", *(share(value) for value in (one.precision, one.recall, one.f)))
        for kind, one in ((kind, found[kind]) for kind in kinds)
    ]
