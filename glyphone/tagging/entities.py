"""Named entities learnt from sentences in columns: a file of CoNLL in, a learner's file out.

The first column has tokens and the last one labels. The recogniser in two phases leaves columns
between them out; for the semi-Markov field they are features, 1, 2 and so on.

>>> import tempfile
>>> from pathlib import Path
>>> path = Path(tempfile.mkdtemp()) / "train.conll"
>>> text = "El O\\nseñor O\\nPaz B-PER\\n\\nAna B-PER\\nve O\\nLima B-LOC\\n\\n"
>>> _ = path.write_text(text * 3, encoding="utf-8")
>>> read_labelled(str(path), "bio", alone=True)[0].labels
('O', 'O', 'B-PER')
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from collections.abc import Sequence as Many
from typing import Any

from glyphone.data import progress
from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.data.lines import read_lines
from glyphone.data.parallel import available_cores
from glyphone.data.records import Sequence
from glyphone.data.treebanks.conll import COLUMNS, DOCUMENT, LEFT_OUT, read_conll
from glyphone.io.messages import print_message
from glyphone.io.paths import check_distinct, check_output
from glyphone.io.tables import format_table
from glyphone.learners.sequences.clusters import Clusters
from glyphone.models.learners import file as learner_file
from glyphone.tagging.columns import column_names
from glyphone.tagging.learners import SEMI_MARKOV, make_learner
from glyphone.tagging.measuring import evaluate_labels

TWO_PHASES = "two-phase"
LEARNERS = (TWO_PHASES, SEMI_MARKOV)
Figures = list[tuple[str, str]]


def train_file(
    path: str,
    output: str,
    *,
    dev: str | None = None,
    seed: int = 0,
    jobs: int | None = None,
    scheme: str = "bio",
    learner: str = TWO_PHASES,
    clusters: str | None = None,
    **chosen: Any,
) -> int:
    """Trains, saves and measures a recogniser of named entities.

    `dev` has the same columns; by it the semi-Markov field knows when to end, too. `clusters` is a
    file of word classes to look at, `chosen` are options of `SemiMarkovCRF`. Nothing is random;
    returns 0, for nothing is refused.
    """
    from glyphone.learners.clusters.files import read_clusters

    if learner not in LEARNERS:
        raise UnknownName("learner of entities", learner, LEARNERS)
    if learner == TWO_PHASES and chosen:
        named = ", ".join("--" + name.replace("_", "-") for name in sorted(chosen))
        message = f"the {TWO_PHASES} recogniser has no {named}"
        raise GlyphoneError(message, remedy=f"leave it out, or choose --learner {SEMI_MARKOV}")
    check_output(output)
    check_distinct(
        read=[path, dev, clusters],
        written=[output],
        what="sentences, dev sentences, classes and model",
        options="--dev, --clusters and -o",
    )
    classes = read_clusters(clusters) if clusters else None
    alone = learner == TWO_PHASES
    sentences = read_labelled(path, scheme, alone=alone)
    held_out = read_labelled(dev, scheme, alone=alone) if dev else []
    print_message(f"learning from {len(sentences)} sentences")
    if learner == TWO_PHASES:
        recognizer, more = learn_two_phases(sentences, classes)
    else:
        recognizer, more = learn_segments(
            sentences, held_out, jobs, {**chosen, "clusters": classes}
        )
    learner_file.save(recognizer, output)
    figures = [
        ("sentences", f"{len(sentences)}"),
        ("tokens", f"{sum(len(sentence.tokens) for sentence in sentences)}"),
        *more,
        ("bytes", f"{os.path.getsize(output)}"),
    ]
    print(f"{output}: recogniser of named entities\n\n{format_table(figures, '<<')}")
    if held_out:
        found = recognizer.predict(held_out)
        print(f"\n{evaluate_labels(held_out, found, name=str(dev), seed=seed)}")
    return 0


def learn_two_phases(sentences: Many[Sequence], clusters: Clusters | None) -> tuple[Any, Figures]:
    """A recogniser in two phases, and its figures."""
    from glyphone.learners.entities.recognizer import EntityRecognizer

    recognizer = EntityRecognizer(clusters=clusters).fit(sentences)
    return recognizer, [("kinds", ", ".join(recognizer.classifier_.classes_))]


def learn_segments(
    sentences: Many[Sequence],
    held_out: Many[Sequence],
    jobs: int | None,
    chosen: Mapping[str, Any],
) -> tuple[Any, Figures]:
    """A semi-Markov field, and its figures."""
    learner: Any = make_learner(SEMI_MARKOV, (), chosen, jobs=jobs or available_cores())
    learner.fit(sentences, dev=held_out or None)
    kept = f"{100 * learner.filter_kept_:.1f} % of spans"
    recall = f"{100 * learner.filter_recall_:.2f} % of phrases"
    return learner, [
        ("kinds", ", ".join(learner.classes_)),
        ("candidates", f"{kept}, {recall}"),
        ("too long", f"{learner.too_long_} phrases"),
        ("weights", f"{len(learner.model_.weights)} of {learner.n_weights_}"),
        ("ended", f"{learner.ended_}, after {len(learner.history_)} iterations"),
    ]


def read_labelled(path: str, scheme: str, *, alone: bool) -> list[Sequence]:
    """The sentences of a file whose first column has tokens, and whose last one has labels.

    Columns between them are left out where tokens are read `alone`.
    """
    if path == "-":
        raise GlyphoneError("sentences are read twice", path=path, remedy="save them to a file")
    rows = (line.split() for _, line in read_lines(path))
    width = next((len(row) for row in rows if row and row[0] != DOCUMENT), 2)
    between = [LEFT_OUT] * (width - 2) if alone else column_names(width - 1)[1:]
    columns = (COLUMNS[0], *between, COLUMNS[1])
    return [*progress.steps(read_conll(path, columns=columns, scheme=scheme), f"reading {path}")]
