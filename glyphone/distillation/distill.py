"""A small model that answers as a large one does, learnt from its answers to words.

The teacher is any transducer, model or ensemble. It answers words of which nothing is known but
their spelling; a student, a decision tree unless another kind is named, learns nine in ten of its
answers, and how it answers the others is certified: see `glyphone.distillation.certificate`.

>>> from itertools import product
>>> from glyphone.fst.transducers.model import Model
>>> from glyphone.fst.rules.cascade import cascade
>>> rules = ["c -> s / _ {e i}", "c -> k"]
>>> teacher = Model.of(cascade(letters="a c e i", phones="a k s e i", rules=rules))
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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from glyphone.catalog import names as catalog_names
from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair
from glyphone.distillation.certificate import Agreement, Certificate, differences
from glyphone.distillation.costs import SECONDS, Cost, cost_of
from glyphone.distillation.gold import measured, unlearnt, word_of
from glyphone.distillation.invented_words import more_pairs
from glyphone.distillation.patterns import patterns, placed
from glyphone.distillation.words import Silence, Words, ask, numbered_words
from glyphone.evaluation.verdicts import Item, Verdict, answered, judge
from glyphone.fst.interface.model import Answering
from glyphone.models import kinds
from glyphone.training.train import Lexicon, Trained, train

TREE = "tree"
HELD_OUT = 0.1
# Invented words for each that is learnt, unless told otherwise.
INVENTED = 3
Stage = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Distilled:
    """A student, how it was learnt, what is certified of it, and words without an answer.

    `silent` are those to which the teacher has none. `refused` are the numbers of words, among
    those given, that the student could not learn from, why, and their pairs.
    """

    trained: Trained
    certificate: Certificate
    silent: tuple[Silence, ...]
    refused: tuple[tuple[int, str, Pair], ...]

    @property
    def model(self) -> Answering:
        return self.trained.model

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file; equal models are equal byte for byte."""
        self.trained.save(path)


def distill(
    teacher: Answering | str | os.PathLike[str],
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
    on_stage: Stage | None = None,
    **options: Any,
) -> Distilled:
    """A student of a teacher, which may be named as for `glyphone.load`, and its certificate.

    `words` are strings or the path of a file of them. A share `held_out` of them, chosen by word
    and `seed`, is not learnt from. To the others come `invent` words that are made of their parts,
    three for each unless told; see `glyphone.distillation.invented_words`. `gold` is a lexicon of
    right answers: teacher and student are measured on its words, but for those that the student has
    learnt. `options` are those of the kind of model; see `glyphone.train`. Speed is measured for
    `seconds`, after as long to warm up.
    """
    if not 0 < held_out < 1:
        remedy = "it must be above 0 and below 1"
        raise GlyphoneError(f"the share held out is {held_out:g}", remedy=remedy)
    tell = on_stage or (lambda stage: None)
    model, path = taught_by(teacher)
    if isinstance(words, str | os.PathLike):
        words = [word for _, word in numbered_words(words)]
    tell(f"asking {model.name}")
    lessons = ask(model, words, jobs=jobs)
    learnt, held = lessons.parted(held_out, seed=seed)
    references = None if gold is None else unlearnt(model, gold, learnt.words)
    tell("inventing words")
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
        on_stage=on_stage,
        **{**usual(kind), **options},
    )
    tell("comparing")
    parts = [compared(trained.model, part.items, jobs) for part in (held, learnt)]
    held_agreement, learnt_agreement = (Agreement.of(part, seed=seed) for part in parts)
    trained = described(trained, model, held_agreement)
    differing = [
        word
        for part, is_held in zip(parts, (True, False), strict=True)
        for word in differences(part, held_out=is_held)
    ]
    differing.sort(key=lambda word: word.number)
    differing = placed(model, trained.model, differing, jobs=jobs)
    tell("measuring speed")
    texts = [item.text for item in lessons.items]
    # What the student could not learn of the words that were given, and of those invented.
    of_given = [one for one in trained.refusals if one.index < len(learnt.items)]
    certificate = Certificate(
        teacher=model.name,
        student=trained.model.name,
        kind=trained.kind,
        seed=seed,
        counts={
            "given": len(lessons.items) + lessons.repeated + len(lessons.silent),
            "repeated": lessons.repeated,
            "silent": len(lessons.silent),
            "truncated": lessons.truncated,
            "held_out": len(held.items),
            "learnt": len(learnt.items) - len(of_given),
            "refused": len(of_given),
            "invented": len(more) - len(trained.refusals) + len(of_given),
        },
        held_out=held_agreement,
        learnt=learnt_agreement,
        gold=None if references is None else measured(model, trained.model, *references, jobs),
        teacher_cost=cost_of(model, texts, path=path, seconds=seconds),
        student_cost=student_cost(trained, texts, seconds),
        patterns=patterns(differing),
        differing=tuple(differing),
    )
    refused = [(learnt.items[one.index].pairs[0], one.reason, one.pair) for one in of_given]
    return Distilled(trained, certificate, lessons.silent, tuple(refused))


def usual(kind: str) -> Mapping[str, Any]:
    """Options of a student of a kind, where nothing else is chosen."""
    distilled = kinds.find(kind).distilled
    options: Mapping[str, Any] = kinds.resolved(distilled) if distilled else {}
    return options


def taught_by(teacher: Answering | str | os.PathLike[str]) -> tuple[Answering, Path | None]:
    """A teacher, and the file that it is read from, if it is."""
    if isinstance(teacher, Answering):
        return teacher, None
    return catalog_names.load(str(teacher)), catalog_names.file_of(str(teacher))


def compared(student: Answering, items: Sequence[Item], jobs: int | None) -> list[Verdict]:
    """The student's answers, with the teacher's for references."""
    return judge(items, list(answered(student, items, 1, jobs)))


def described(trained: Trained, teacher: Answering, agreement: Agreement) -> Trained:
    """The model file says who taught the model, and how far it can be believed."""
    model: Any = trained.model
    record = {
        "teacher": teacher.name,
        "contents of the teacher": teacher.fingerprint(),
        "agreement": asdict(agreement),
    }
    description = json.loads(json.dumps({**model.description, "distilled": record}))
    return replace(trained, model=replace(model, description=description))


def student_cost(trained: Trained, words: Sequence[str], seconds: float) -> Cost:
    with TemporaryDirectory() as folder:
        path = Path(folder, "model")
        trained.save(path)
        return cost_of(trained.model, words, path=path, seconds=seconds)
