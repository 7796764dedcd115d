"""From pairs to a conditional random field: alignment, a label for each letter, weights.

>>> lexicon = {"phi": "fi", "hi": "hi", "pi": "pi", "graph": "graf", "rag": "rag"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> fitted = fit_crf(pairs, CrfOptions(templates="3-grm"), target=Writing())
>>> fitted.model("graphi").output, fitted.ended
('grafi', 'converged')
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.data.lexicons.splits import point_of_word
from glyphone.data.records import Alignment, Pair, Symbols
from glyphone.data.records import Sequence as Tokens
from glyphone.data.writing import LETTERS, PHONES, Writing
from glyphone.fst.alignment.refusals import fit_or_explain
from glyphone.fst.alignment.training import AlignmentOptions, Refusal
from glyphone.fst.alignment.units import Labels
from glyphone.fst.interface.codec import Side, number_symbols
from glyphone.fst.interface.learning import (
    LearningResult,
    LearningSettings,
    align_lexicon,
    with_alignment,
)
from glyphone.fst.joint.training import JointOptions
from glyphone.learners.crf.estimator import MEMORY, SequenceCRF
from glyphone.models.crf.model import CrfModel
from glyphone.models.crf.windows import patterns_of_templates, table_of, windows_of

Row = tuple[tuple[Symbols, Symbols], ...]

# A letter that goes on with the unit before it, and writes nothing of its own.
GOES_ON = -1


@dataclass(frozen=True, kw_only=True)
class CrfOptions:
    """How a conditional random field over letters is made.

    `templates` is one of the sets that `learners.crf.template_sets` names, 1-grm to 5-grm++ and
    wider ones; `pairs` names the windows that go with pairs of labels: "all", the empty one if
    "bare", or those of another set. For the options of training see `SequenceCRF`. With
    `alignment.max_source` above 1 units read several letters. For `widen` and `best_form` see
    `JointOptions`. Every pair counts once, whatever its weight. Of a share `watched` of the words
    nothing is learnt, but training ends where the error on them has not been below its lowest for
    five iterations. The defaults are best for lexicons of hundreds to thousands of words.
    """

    templates: str = "9-grm++"
    pairs: str = "3-grm+"
    min_count: int = 1
    optimizer: str = "sgd"
    rho1: float = 0.5
    rho2: float = 1e-5
    iterations: int = 20
    tol: float = 1e-4
    polish: int = 0
    eta: float = 0.8
    decay: float = 0.85
    memory: float | None = None
    widen: bool = True
    best_form: bool = False
    watched: float = 0.0
    seed: int = 0
    alignment: AlignmentOptions = field(default_factory=lambda: JointOptions().alignment)

    def __post_init__(self) -> None:
        patterns_of_templates(self.templates, self.pairs)  # which refuses unknown names
        if not 0 <= self.watched < 1:
            remedy = "give a share of the words, such as 0.1"
            raise GlyphoneError(f"watched is {self.watched}", remedy=remedy)
        if self.alignment.insertions:
            remedy = "leave out insertions, or train a joint model"
            raise GlyphoneError("labels need letters that they stand at", remedy=remedy)

    def learner(self, *, jobs: int, verbose: bool | str) -> SequenceCRF:
        names = (
            "min_count", "optimizer", "rho1", "rho2", "tol", "polish", "eta", "decay", "memory",
        )  # fmt: skip
        settings: dict[str, Any] = {name: getattr(self, name) for name in names}
        return SequenceCRF(
            templates=patterns_of_templates(self.templates, self.pairs),
            choices="u:%x[0,0]",
            max_iter=self.iterations,
            n_jobs=jobs,
            verbose=verbose,
            random_state=self.seed,
            **settings,
        )


@dataclass(frozen=True, eq=False)
class FittedCrf:
    """A model, the pairs that it could not be trained on, why training ended and its progress."""

    model: CrfModel
    refusals: tuple[Refusal, ...]
    ended: str
    history: tuple[dict[str, Any], ...]


def fit_crf(
    pairs: Sequence[Pair],
    options: CrfOptions | None = None,
    *,
    source: Writing = LETTERS,
    target: Writing = PHONES,
    jobs: int = 1,
    name: str = "crf",
    verbose: bool | str = False,
) -> FittedCrf:
    """A conditional random field of a lexicon. A stop signal ends training: it is then usable."""
    options = options or CrfOptions()
    options.learner(jobs=jobs, verbose=False)._training_options()
    plain = replace(options, best_form=False, templates="3-grm", iterations=8, watched=0.0)

    def learn(some: Sequence[Pair], source: Writing) -> CrfModel:
        return fit_crf(some, plain, source=source, target=target, jobs=jobs).model

    lexicon = align_lexicon(pairs, options, learn, source=source, target=target, jobs=jobs)
    fitted = train_crf(
        lexicon.alignments,
        options,
        source=lexicon.source,
        target=target,
        jobs=jobs,
        name=name,
        verbose=verbose,
    )
    return replace(fitted, refusals=lexicon.refusals)


def learn_crf(pairs: Sequence[Pair], settings: LearningSettings) -> LearningResult:
    """A conditional random field; options are those of `CrfOptions` and `AlignmentOptions`."""
    kind = "a conditional random field"
    options = with_alignment(CrfOptions(), settings.chosen, settings.seed, kind=kind)
    fit = partial(fit_crf, verbose=sys.stderr.isatty() or MEMORY)
    fitted = fit_or_explain(fit, pairs, options, options.alignment, **settings.fit_arguments("crf"))
    table = fitted.model.table
    sizes = {
        "labels": len(fitted.model.chunks),
        "windows": table.n_nodes,
        "weights": len(table.weights) + len(table.pair_weights),
    }
    report = {**asdict(options), "ended": fitted.ended, "iterations done": len(fitted.history)}
    return LearningResult(fitted.model, fitted.refusals, report, sizes)


def train_crf(
    alignments: Sequence[Alignment],
    options: CrfOptions | None = None,
    *,
    source: Writing = LETTERS,
    target: Writing = PHONES,
    jobs: int = 1,
    name: str = "crf",
    verbose: bool | str = False,
) -> FittedCrf:
    """The model of aligned pairs."""
    options = options or CrfOptions()
    full = [alignment for alignment in alignments if alignment.units]
    if not full:
        raise GlyphoneError("there is nothing to train on", remedy="give one pair at least")
    if any(not x for alignment in full for x, _ in alignment.units):
        raise GlyphoneError("labels need letters that they stand at", remedy="align them so")
    rows, watched = split_watched(full, options)
    letters = Side(source, number_symbols(x for row in rows for x, _ in row), name)
    phones = Side(target, number_symbols(y for row in rows for _, y in row), name)
    labels = sorted({y for row in rows for _, y in row}, key=lambda y: (len(y), y))
    number = {chunk: k for k, chunk in enumerate(labels)}

    def tokens(row: Row) -> Tokens:
        read = tuple(str(letters.symbols[letter]) for x, _ in row for letter in x)
        written = (GOES_ON if place else number[y] for x, y in row for place in range(len(x)))
        return Tokens(read, {}, tuple(map(str, written)))

    learner = options.learner(jobs=jobs, verbose=verbose)
    learner.fit([*map(tokens, rows)], dev=[*map(tokens, watched)] or None)
    learnt = learner.model_
    assert learnt.choices is not None
    codes = np.array([*map(int, learnt.labels)])
    numbers = np.where(codes == GOES_ON, len(labels), codes)
    chunks: list[Labels] = [tuple(phones.symbols[symbol] for symbol in y) for y in labels]
    some = any(len(x) > 1 for row in rows for x, _ in row)
    model = CrfModel(
        letters,
        phones,
        (*chunks, ()) if some else tuple(chunks),
        (*(False for _ in chunks), True) if some else (False,) * len(chunks),
        choices_of(learner, numbers, len(letters.symbols)),
        table_of(learnt, windows_of(options.templates), numbers, len(letters.symbols)),
        name,
    )
    return FittedCrf(model, (), learner.ended_, tuple(learner.history_))


def split_watched(
    alignments: Sequence[Alignment], options: CrfOptions
) -> tuple[Sequence[Row], Sequence[Row]]:
    """The words to learn from, and those to watch, which have no unit that the others have not."""
    if not options.watched:
        return [alignment.units for alignment in alignments], []
    rows, asked = list[Row](), list[Row]()
    for alignment in alignments:
        place = point_of_word(alignment.pair.source, seed=options.seed)
        (asked if place < options.watched else rows).append(alignment.units)
    known = {unit for row in rows for unit in row}
    watched = [row for row in asked if known.issuperset(row)]
    rows += [row for row in asked if not known.issuperset(row)]
    if not watched:
        remedy = "leave out what is watched, or give more words"
        raise GlyphoneError(f"of {len(rows)} words none can be watched", remedy=remedy)
    return rows, watched


def choices_of(learner: SequenceCRF, numbers: Any, n_letters: int) -> tuple[Labels, ...]:
    """The labels that each letter was seen with."""
    choices = learner.model_.choices
    assert choices is not None
    choices_by_letter = []
    for letter in range(1, n_letters + 1):
        k = choices.numbers[f"u:{letter}"]
        mine = choices.labels[choices.starts[k] : choices.starts[k + 1]]
        choices_by_letter.append(tuple(sorted(numbers[mine].tolist())))
    return tuple(choices_by_letter)
