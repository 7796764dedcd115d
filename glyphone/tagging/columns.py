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
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from glyphone.data import progress
from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.lines import read_lines
from glyphone.data.records import Sequence as Sentence
from glyphone.data.treebanks.conll import COLUMNS, DOCUMENT, read_conll
from glyphone.io.messages import print_message
from glyphone.io.paths import check_distinct, check_output
from glyphone.io.tables import format_table
from glyphone.models.learners import file as learner_file
from glyphone.tagging.measuring import evaluate_labels

if TYPE_CHECKING:
    from glyphone.learners.crf.estimator import SequenceCRF

# Options that have another name in `SequenceCRF`.
NAMES = {"iterations": "max_iter", "weights_of": "weights"}


def train_file(
    path: str,
    output: str,
    *,
    patterns: Sequence[str] = (),
    resume: str | None = None,
    dev: str | None = None,
    seed: int = 0,
    jobs: int | None = None,
    **chosen: Any,
) -> int:
    """Trains, saves and measures a tagger by one or more files of patterns.

    Of several the later add patterns whose tests have weights where less specific ones of those
    before do. `dev` has the same columns; the error on it ends training. With `resume` training
    goes on from the weights of a learner's file. `chosen` are options of `SequenceCRF`. Returns 0,
    for nothing is refused.
    """
    from glyphone.data.parallel import available_cores
    from glyphone.learners.crf.estimator import MEMORY, SequenceCRF
    from glyphone.learners.sequences.patterns import read_patterns

    if not patterns:
        remedy = "name it with --patterns"
        raise GlyphoneError("training goes on with the same file of patterns", remedy=remedy)
    check_output(output)
    check_distinct(
        read=[path, *patterns, dev],
        written=[output],
        what="sentences, patterns, dev sentences and model",
        options="--patterns, --dev and -o",
    )
    options = {NAMES.get(name, name): value for name, value in chosen.items()}
    texts = [*map(read_patterns, patterns)]
    learner = SequenceCRF(
        templates=texts if len(texts) > 1 else texts[0],
        n_jobs=jobs or available_cores(),
        random_state=seed,
        verbose=sys.stderr.isatty() or MEMORY,
        warm_start=resume is not None,
        **{"weights": "seen", **options},
    )
    if resume is not None:
        learner.model_ = load_chain(resume).model_
    sentences = read_sentences(path)
    held_out = read_sentences(dev) if dev else None
    print_message(f"learning from {len(sentences)} sentences")
    learner.fit(sentences, dev=held_out)
    learner_file.save(learner, output)
    print(f"{output}: conditional random field\n\n{training_table(learner, sentences, output)}")
    if held_out is not None:
        found = learner.predict(held_out)
        print(f"\n{evaluate_labels(held_out, found, name=str(dev), seed=seed)}")
    return 0


def training_table(learner: SequenceCRF, sentences: Sequence[Sentence], output: str) -> str:
    """Sizes of the sentences, of the tagger and of its file, and how training ended."""
    figures = [
        ("sentences", f"{len(sentences)}"),
        ("tokens", f"{sum(len(sentence.tokens) for sentence in sentences)}"),
        ("labels", f"{len(learner.classes_)}"),
        ("weights", f"{len(learner.model_.weights)} of {learner.n_weights_}"),
        *(("objective", f"{row['objective']:.1f}") for row in learner.history_[-1:]),
        ("ended", f"{learner.ended_}, after {len(learner.history_)} iterations"),
        ("bytes", f"{os.path.getsize(output)}"),
    ]
    return format_table(figures, "<<")


def load_tagger(path: str) -> Any:
    """The learner in a file that labels the tokens of sentences, whatever its kind."""
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    from glyphone.learners.sequences.sentences import SentenceEstimator

    learner = learner_file.load(path)
    remedy = "name what `glyphone train --kind crf --patterns FILE` or `--kind entities` wrote"
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
