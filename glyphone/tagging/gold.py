"""A tagger or recogniser of entities, measured on sentences with gold labels in columns.

Columns are those that it learnt from: tokens first, labels last. A sentence with a line that is
amiss fails alone.
"""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import replace
from typing import Any

from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.data.records import Sequence
from glyphone.data.treebanks.chunks import bio_of_iob1, phrases_of
from glyphone.data.treebanks.conll import COLUMNS, LEFT_OUT, SCHEMES, parse_sentence
from glyphone.evaluation.marked import (
    Comparison,
    MarkedEvaluation,
    nothing_to_measure,
    report_failures,
)
from glyphone.evaluation.tallies import Tally
from glyphone.io.messages import Failure, unread_failure
from glyphone.learners.counts.mcnemar import mcnemar
from glyphone.models.learners import file as learner_file
from glyphone.tagging.columns import column_names
from glyphone.tagging.files import Sentences
from glyphone.tagging.measuring import evaluate_labels, kind_share

REMEDY = "write TOKEN LABEL in each line"
Numbered = list[tuple[int, Sequence]]


def measure_file(
    learner: Any,
    path: str,
    *,
    name: str = "",
    failures: str | None = None,
    jobs: int | None = None,
    seed: int = 0,
    scheme: str | None = None,
    nbest: int | None = None,
    against: str | None = None,
) -> tuple[MarkedEvaluation, int]:
    """The evaluation on a file of labelled sentences, and how many of them were refused.

    Labels of entities are read by a `scheme`, "bio" if none is told; those of taggers as they
    stand. With `nbest`, how often the right labels are among so many labellings of a tagger; with
    the file of another learner, `against`, which of both is right where only one is.
    """
    from glyphone.learners.entities.recognizer import EntityRecognizer

    check_learner(learner, name)
    two_phases = isinstance(learner, EntityRecognizer)
    chosen = scheme or ("bio" if hasattr(learner, "scored_phrases") else None)
    numbered, refused = read_gold(path, scheme=chosen, alone=two_phases)
    if not numbered:
        raise nothing_to_measure(path, refused, REMEDY)
    lines, sentences = zip(*numbered, strict=True)
    found = labels_in_scheme(learner, sentences, scheme)
    more: list[Tally] = []
    if two_phases:
        gold = [phrases_of(sentence.labels) for sentence in sentences]
        more = [kind_share(gold, learner.classify(sentences, gold))]
    if nbest is not None:
        more.append(among_best(learner, sentences, nbest, name))
    compared = None
    if against is not None:
        compared = compare(sentences, found, against, scheme)
    report_failures(refused, path, failures)
    evaluation = evaluate_labels(
        sentences, found, lines=lines, more=more, name=name, failed=len(refused), seed=seed
    )
    return replace(evaluation, against=compared), len(refused)


def labels_in_scheme(learner: Any, sentences: Many[Sequence], scheme: str | None) -> list[Any]:
    """The labels that a learner gives to sentences, as BIO if gold labels are of another scheme."""
    found = learner.predict(sentences)
    return [*found] if scheme is None else [bio_of_iob1(labels) for labels in found]


def compare(
    sentences: Many[Sequence], found: Many[Any], other: str, scheme: str | None
) -> Comparison:
    """The tokens that only these labels, or only those of another learner's file, have right."""
    learner = learner_file.load(other)
    check_learner(learner, other)
    theirs = labels_in_scheme(learner, sentences, scheme)
    gold = [label for sentence in sentences for label in sentence.labels]
    both = ([label for labels in some for label in labels] for some in (found, theirs))
    test = mcnemar(gold, *both)
    return Comparison(other, test.first_only, test.second_only, test.chi_square, test.p_value)


def check_learner(learner: Any, name: str) -> None:
    """Refuses a learner that does not label sentences."""
    from glyphone.learners.sequences.sentences import SentenceEstimator

    if not isinstance(learner, SentenceEstimator) or not hasattr(learner, "predict"):
        message = f"holds a {type(learner).__name__}, which labels no sentences"
        remedy = "measure it from Python, by its method score, or in a pipeline"
        raise GlyphoneError(message, path=name, remedy=remedy)


def among_best(learner: Any, sentences: Many[Sequence], n: int, name: str) -> Tally:
    """The share of sentences whose labels are among the n best labellings."""
    if not hasattr(learner, "predict_nbest"):
        message = f"{type(learner).__name__} has one labelling for a sentence"
        raise GlyphoneError(message, path=name, remedy="leave --nbest out")
    best = learner.predict_nbest(sentences, n=n)
    right = [
        any(tuple(sentence.labels) == one.labels for one in row)
        for sentence, row in zip(sentences, best, strict=True)
    ]
    return Tally.of_items(f"sentences among {n} best", right)


def read_gold(path: str, *, scheme: str | None, alone: bool) -> tuple[Numbered, list[Failure]]:
    """The sentences of a file with the lines where they begin, and those that are refused.

    Columns between tokens and labels are left out where tokens are read `alone`.
    """
    if scheme is not None and scheme not in SCHEMES:
        raise UnknownName("scheme of labels", scheme, SCHEMES)
    numbered: Numbered = []
    failures: list[Failure] = []
    for chunk in Sentences(path).all_chunks():
        width = chunk.items.width
        if chunk.items.sentences and width < 2:
            message = "its lines have a token alone, and no label"
            raise FormatError(message, path=path, remedy=REMEDY)
        between = [LEFT_OUT] * (width - 2) if alone else column_names(width - 1)[1:]
        for rows in chunk.items.sentences:
            columns = (COLUMNS[0], *between, COLUMNS[1])
            try:
                sentence = parse_sentence(rows, columns=columns, path=path, scheme=scheme)
                numbered.append((rows[0][0], sentence))
            except FormatError as error:
                failures.append(unread_failure(error))
    return numbered, failures
