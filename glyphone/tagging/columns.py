"""Taggers learnt from tokens in columns: files of CoNLL and of patterns in, a learner's file out.

The first column has tokens, which patterns call 0; those behind it are 1, 2 and so on. The last one
has labels.

>>> import tempfile
>>> from pathlib import Path
>>> path = Path(tempfile.mkdtemp()) / "train.conll"
>>> _ = path.write_text("la DET B-NP\\ncasa NOUN I-NP\\nve VERB O\\n\\n", encoding="utf-8")
>>> sentence = read_sentences(str(path))[0]
>>> sentence.columns["1"], sentence.labels
(('DET', 'NOUN', 'VERB'), ('B-NP', 'I-NP', 'O'))
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from glyphone.data import progress
from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.lines import read_lines
from glyphone.data.records import Sequence as Sentence
from glyphone.data.treebanks.conll import COLUMNS, DOCUMENT, read_conll
from glyphone.io.messages import print_message
from glyphone.io.paths import check_distinct, check_output
from glyphone.io.tables import format_table, percentage
from glyphone.models.learners import file as learner_file
from glyphone.tagging.learners import (
    CRF,
    LATENT,
    check_options,
    default_patterns,
    find_tagger,
    make_learner,
)
from glyphone.tagging.measuring import evaluate_labels

if TYPE_CHECKING:
    from glyphone.learners.crf.estimator import SequenceCRF
    from glyphone.learners.latent.estimator import LatentCRF


def train_file(
    path: str,
    output: str,
    *,
    learner: str = CRF,
    patterns: Sequence[str] = (),
    resume: str | None = None,
    dev: str | None = None,
    seed: int = 0,
    jobs: int | None = None,
    clusters: str | None = None,
    **chosen: Any,
) -> int:
    """Trains, saves and measures a tagger by its name, with files of patterns if it has any.

    Of several files the later add patterns whose tests have weights where less specific ones of
    those before do; without one, words, their ends and columns are looked at. `dev` has the same
    columns; the error on it ends training. With `resume` training goes on from the weights of a
    tagger's file. `clusters` is a file of word classes, for patterns that name the column
    `cluster`. `chosen` are other options of learners. Returns 0, for nothing is refused.
    """
    from glyphone.data.parallel import available_cores
    from glyphone.learners.clusters.files import read_clusters
    from glyphone.learners.sequences.patterns import read_patterns

    kind = find_tagger(learner)
    given = {"patterns": [*patterns] or None, "resume": resume}
    check_options(learner, {**chosen, **{k: v for k, v in given.items() if v is not None}})
    if resume is not None and not patterns:
        remedy = "name it with --patterns"
        raise GlyphoneError("training goes on with the same file of patterns", remedy=remedy)
    check_output(output)
    check_distinct(
        read=[path, *patterns, dev, clusters],
        written=[output],
        what="sentences, patterns, dev sentences, classes and model",
        options="--patterns, --dev, --clusters and -o",
    )
    sentences = read_sentences(path)
    held_out = read_sentences(dev) if dev else None
    width = 1 + max((len(sentence.columns) for sentence in sentences), default=0)
    texts = [*map(read_patterns, patterns)] or [default_patterns(width, clusters=bool(clusters))]
    if clusters:
        chosen["clusters"] = read_clusters(clusters)
    tagger: Any = make_learner(learner, texts, chosen, jobs=jobs or available_cores(), seed=seed)
    if resume is not None:
        tagger.set_params(warm_start=True).model_ = load_chain(resume).model_
    print_message(f"learning from {len(sentences)} sentences")
    tagger.fit(sentences, **({"dev": held_out} if kind.watches else {}))
    learner_file.save(tagger, output)
    print(f"{output}: {kind.told}\n\n{training_table(tagger, sentences, output)}")
    if learner == LATENT:
        print(f"\n{states_table(tagger, sentences)}")
    if held_out is not None:
        found = tagger.predict(held_out)
        print(f"\n{evaluate_labels(held_out, found, name=str(dev), seed=seed)}")
    return 0


def training_table(learner: Any, sentences: Sequence[Sentence], output: str) -> str:
    """Sizes of the sentences, of the tagger and of its file, and how training ended."""
    history = getattr(learner, "history_", [])
    figures = [
        ("sentences", f"{len(sentences)}"),
        ("tokens", f"{sum(len(sentence.tokens) for sentence in sentences)}"),
        ("labels", f"{len(learner.classes_)}"),
    ]
    if history:
        figures += [
            ("weights", f"{len(learner.model_.weights)} of {learner.n_weights_}"),
            ("objective", f"{history[-1]['objective']:.1f}"),
            ("ended", f"{learner.ended_}, after {len(history)} iterations"),
        ]
    return format_table([*figures, ("bytes", f"{os.path.getsize(output)}")], "<<")


def states_table(learner: LatentCRF, sentences: Sequence[Sentence]) -> str:
    """The words that hidden states stand for, with the share of their tokens that do."""
    from glyphone.learners.latent.states import describe_states

    rows = [("label", "state", "tokens", "words")]
    for state in describe_states(learner, sentences):
        words = ", ".join(f"{one.word} {one.share:.2f}" for one in state.words)
        rows.append((state.label, str(state.number), percentage(state.share), words))
    return format_table(rows, "<>><")


def load_tagger(path: str) -> Any:
    """The learner in a file that labels the tokens of sentences, whatever its kind."""
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    from glyphone.learners.sequences.sentences import SentenceEstimator

    learner = learner_file.load(path)
    remedy = "name what `glyphone train --kind tagger` or `--kind entities` wrote"
    if not isinstance(learner, SentenceEstimator) or not hasattr(learner, "predict"):
        raise FormatError("holds no tagger", path=path, remedy=remedy)
    try:
        check_is_fitted(learner)
    except NotFittedError as error:
        raise FormatError("holds a tagger that is not trained", path=path, remedy=remedy) from error
    return learner


def load_chain(path: str) -> SequenceCRF:
    """The tagger of a file, which must be a conditional random field of tokens with patterns."""
    from glyphone.learners.crf.estimator import SequenceCRF

    learner = load_tagger(path)
    if not isinstance(learner, SequenceCRF):
        remedy = "name what `glyphone train --kind crf --patterns FILE` wrote"
        message = f"holds a {type(learner).__name__}, no tagger with patterns"
        raise FormatError(message, path=path, remedy=remedy)
    return learner


def read_sentences(path: str) -> list[Sentence]:
    """The sentences of a file, with the columns between the first and the last."""
    if path == "-":
        raise GlyphoneError("sentences are read twice", path=path, remedy="save them to a file")
    rows = (line.split() for _, line in read_lines(path))
    width = next((len(row) for row in rows if row and row[0] != DOCUMENT), 2)
    if width < 2:
        remedy = "write TOKEN LABEL in each line"
        raise FormatError("its lines have a token alone, and no label", path=path, remedy=remedy)
    sentences = read_conll(path, columns=(*column_names(width - 1), COLUMNS[1]), scheme=None)
    return [*progress.steps(sentences, f"reading {path}")]


def column_names(width: int) -> tuple[str, ...]:
    """The names of so many columns before labels.

    >>> column_names(3)
    ('token', '1', '2')
    """
    return (COLUMNS[0], *map(str, range(1, width)))
