"""Distillation: a small model that is trained on the answers of a large one to given words.

The teacher is any transducer, model or ensemble. It answers words of which only the spelling is
known; a student, a decision tree unless another kind is named, learns nine in ten of its answers,
and its agreement on the others is certified: see `glyphone.distillation.certificate`.

>>> from itertools import product
>>> from glyphone.fst.transducers.model import TransducerModel
>>> from glyphone.fst.rules.cascade import cascade
>>> rules = ["c -> s / _ {e i}", "c -> k"]
>>> teacher = TransducerModel.of(cascade(letters="a c e i", phones="a k s e i", rules=rules))
>>> words = ["".join(letters) for n in (1, 2, 3) for letters in product("acei", repeat=n)]
>>> distilled = distill(teacher, words, kind="joint", held_out=0.2, seconds=0.01)
>>> distilled.model("cica").output
's i k a'
>>> agreement = distilled.certificate.held_out
>>> agreement.words, agreement.differing
(15, 0)
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from glyphone.catalog import names as catalog_names
from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair
from glyphone.distillation.certificate import Agreement, Certificate, differences
from glyphone.distillation.costs import SECONDS, Cost, cost_of
from glyphone.distillation.gold import measure_gold, unlearnt_pairs, word_of
from glyphone.distillation.invented_words import more_pairs
from glyphone.distillation.patterns import Differing, frequent_patterns, place_differences
from glyphone.distillation.words import Lessons, Silence, Words, ask_teacher, numbered_words
from glyphone.evaluation.verdicts import answer_items, judge_answers
from glyphone.fst.interface.model import Model
from glyphone.models import kinds
from glyphone.training.train import Lexicon, Trained, train

TREE = "tree"
HELD_OUT = 0.1
# Invented words for each word that is learnt.
INVENTED = 3


@dataclass(frozen=True, eq=False)
class Distilled:
    """A student, its certificate, and the words that it did not learn.

    `silent` are the words to which the teacher has no answer. `refused` are words that the student
    could not learn from: their numbers among those given, the reasons, and their pairs.
    """

    trained: Trained
    certificate: Certificate
    silent: tuple[Silence, ...]
    refused: tuple[tuple[int, str, Pair], ...]

    @property
    def model(self) -> Model:
        return self.trained.model

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file; equal models are equal byte for byte."""
        self.trained.save(path)


def distill(
    teacher: Model | str | os.PathLike[str],
    words: Words,
    *,
    kind: str = TREE,
    gold: Lexicon | None = None,
    held_out: float = HELD_OUT,
    invent: int | None = None,
    seed: int = 0,
    jobs: int | None = None,
    name: str = "",
    seconds: float = SECONDS,
    **options: Any,
) -> Distilled:
    """A student of a teacher, which may be named as for `glyphone.load`, and its certificate.

    `words` are strings or the path of a file of them. A share `held_out` of them, chosen by word
    and `seed`, is not learnt from. To the others come `invent` words that are made of their parts,
    by default three for each; see `glyphone.distillation.invented_words`. `gold` is a lexicon of
    right answers: teacher and student are measured on its words, but for those that the student has
    learnt. `options` are those of the kind of model; see `glyphone.train`. Speed is measured for
    `seconds`, after as long to warm up.
    """
    if not 0 < held_out < 1:
        remedy = "it must be above 0 and below 1"
        raise GlyphoneError(f"the share held out is {held_out:g}", remedy=remedy)
    model, path = load_teacher(teacher)
    if isinstance(words, str | os.PathLike):
        words = [word for _, word in numbered_words(words)]
    lessons = ask_teacher(model, words, jobs=jobs)
    learnt, held = lessons.split(held_out, seed=seed)
    references = None if gold is None else unlearnt_pairs(model, gold, learnt.words)
    asked_for = held.words | {word_of(pair, model) for pair in (references or ([], 0))[0]}
    n = INVENTED * len(learnt.items) if invent is None else invent
    more = more_pairs(model, learnt, n, seed=seed, known=asked_for, jobs=jobs)
    trained = train(
        [*learnt.pairs, *more],
        kind=kind,
        source=model.source.writing,
        target=model.target.writing,
        seed=seed,
        jobs=jobs,
        name=name or f"{model.name}-{kind}",
        **{**options_of_students(kind), **options},
    )
    comparison = compare_models(model, trained.model, learnt, held, seed=seed, jobs=jobs)
    trained = with_provenance(trained, model, comparison.held_out)
    texts = [item.text for item in lessons.items]
    # Refusals of invented words concern nobody.
    refusals = [refusal for refusal in trained.refusals if refusal.index < len(learnt.items)]
    certificate = Certificate(
        teacher=model.name,
        student=trained.model.name,
        kind=trained.kind,
        seed=seed,
        counts={
            **counts_of_words(lessons, learnt, held, n_refused=len(refusals)),
            "invented": len(more) - len(trained.refusals) + len(refusals),
        },
        held_out=comparison.held_out,
        learnt=comparison.learnt,
        gold=None if references is None else measure_gold(model, trained.model, *references, jobs),
        teacher_cost=cost_of(model, texts, path=path, seconds=seconds),
        student_cost=cost_of_student(trained, texts, seconds),
        patterns=frequent_patterns(comparison.differing),
        differing=tuple(comparison.differing),
    )
    refused = [
        (learnt.items[refusal.index].pairs[0], refusal.reason, refusal.pair) for refusal in refusals
    ]
    return Distilled(trained, certificate, lessons.silent, tuple(refused))


@dataclass(frozen=True, eq=False)
class Comparison:
    """Agreement of a student with its teacher on two lists of words, and the words that differ."""

    held_out: Agreement
    learnt: Agreement
    differing: list[Differing]


def compare_models(
    teacher: Model,
    student: Model,
    learnt: Lessons,
    held: Lessons,
    *,
    seed: int,
    jobs: int | None,
) -> Comparison:
    """The student's answers beside those of the teacher; words that differ by their numbers."""
    agreements, differing = [], list[Differing]()
    for lessons, is_held in ((held, True), (learnt, False)):
        verdicts = judge_answers(lessons.items, list(answer_items(student, lessons.items, 1, jobs)))
        agreements.append(Agreement.of(verdicts, seed=seed))
        differing += differences(verdicts, held_out=is_held)
    differing.sort(key=lambda word: word.number)
    places = place_differences(teacher, student, differing, jobs=jobs)
    return Comparison(agreements[0], agreements[1], places)


def counts_of_words(
    lessons: Lessons, learnt: Lessons, held: Lessons, *, n_refused: int
) -> dict[str, int]:
    """Numbers of words for the certificate: those given, and what became of them."""
    return {
        "given": len(lessons.items) + lessons.repeated + len(lessons.silent),
        "repeated": lessons.repeated,
        "silent": len(lessons.silent),
        "truncated": lessons.truncated,
        "held_out": len(held.items),
        "learnt": len(learnt.items) - n_refused,
        "refused": n_refused,
    }


def options_of_students(kind: str) -> Mapping[str, Any]:
    """The options of a student of a kind that differ from those of a model of a lexicon."""
    distilled = kinds.find_kind(kind).distilled
    options: Mapping[str, Any] = kinds.resolve_name(distilled) if distilled else {}
    return options


def load_teacher(teacher: Model | str | os.PathLike[str]) -> tuple[Model, Path | None]:
    """A teacher, and the file that it was loaded from, if it was named."""
    if isinstance(teacher, Model):
        return teacher, None
    return catalog_names.load(str(teacher)), catalog_names.file_of(str(teacher))


def with_provenance(trained: Trained, teacher: Model, agreement: Agreement) -> Trained:
    """The model with its teacher and its agreement with it in its description."""
    model: Any = trained.model
    record = {
        "teacher": teacher.name,
        "contents of the teacher": teacher.fingerprint(),
        "agreement": asdict(agreement),
    }
    description = json.loads(json.dumps({**model.description, "distilled": record}))
    return replace(trained, model=replace(model, description=description))


def cost_of_student(trained: Trained, words: Sequence[str], seconds: float) -> Cost:
    """The cost of a student, whose bytes are those of its file."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "model")
        trained.save(path)
        return cost_of(trained.model, words, path=path, seconds=seconds)
