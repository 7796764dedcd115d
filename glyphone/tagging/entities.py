"""Named entities learnt from sentences in columns: a file of CoNLL in, a learner's file out.

The first column has tokens and the last one labels; columns between them are left out.

>>> import tempfile
>>> from pathlib import Path
>>> path = Path(tempfile.mkdtemp()) / "train.conll"
>>> text = "El O\\nseñor O\\nPaz B-PER\\n\\nAna B-PER\\nve O\\nLima B-LOC\\n\\n"
>>> _ = path.write_text(text * 3, encoding="utf-8")
>>> read_labelled(str(path), "bio")[0].labels
('O', 'O', 'B-PER')
"""

from __future__ import annotations

import os

from glyphone.data import progress
from glyphone.data.errors import GlyphoneError
from glyphone.data.lines import read_lines
from glyphone.data.records import Sequence
from glyphone.data.treebanks.conll import COLUMNS, DOCUMENT, LEFT_OUT, read_conll
from glyphone.io.messages import print_message
from glyphone.io.paths import check_distinct, check_output
from glyphone.io.tables import format_table
from glyphone.models.learners import file as learner_file
from glyphone.tagging.measuring import evaluate_labels


def train_file(
    path: str,
    output: str,
    *,
    dev: str | None = None,
    seed: int = 0,
    jobs: int | None = None,
    scheme: str = "bio",
    clusters: str | None = None,
) -> int:
    """Trains, saves and measures a recogniser of named entities.

    `dev` has the same columns; `clusters` is a file of word classes to look at. Nothing is
    random, or done in threads; returns 0, for nothing is refused.
    """
    from glyphone.learners.clusters.files import read_clusters
    from glyphone.learners.entities.recognizer import EntityRecognizer

    check_output(output)
    check_distinct(
        read=[path, dev, clusters],
        written=[output],
        what="sentences, dev sentences, classes and model",
        options="--dev, --clusters and -o",
    )
    classes = read_clusters(clusters) if clusters else None
    sentences = read_labelled(path, scheme)
    held_out = read_labelled(dev, scheme) if dev else []
    print_message(f"learning from {len(sentences)} sentences")
    recognizer = EntityRecognizer(clusters=classes).fit(sentences)
    learner_file.save(recognizer, output)
    figures = [
        ("sentences", f"{len(sentences)}"),
        ("tokens", f"{sum(len(sentence.tokens) for sentence in sentences)}"),
        ("kinds", ", ".join(recognizer.classifier_.classes_)),
        ("bytes", f"{os.path.getsize(output)}"),
    ]
    print(f"{output}: recogniser of named entities\n\n{format_table(figures, '<<')}")
    if held_out:
        found = recognizer.predict(held_out)
        print(f"\n{evaluate_labels(held_out, found, name=str(dev), seed=seed)}")
    return 0


def read_labelled(path: str, scheme: str) -> list[Sequence]:
    """The sentences of a file whose first column has tokens, and whose last one has labels."""
    if path == "-":
        raise GlyphoneError("sentences are read twice", path=path, remedy="save them to a file")
    rows = (line.split() for _, line in read_lines(path))
    width = next((len(row) for row in rows if row and row[0] != DOCUMENT), 2)
    columns = (COLUMNS[0], *[LEFT_OUT] * (width - 2), COLUMNS[1])
    return [*progress.steps(read_conll(path, columns=columns, scheme=scheme), f"reading {path}")]
