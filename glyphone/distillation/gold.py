"""Teacher and student on words whose right answers are known, and that the student has not learnt.

>>> from glyphone.fst.transducers.model import Model
>>> from glyphone.fst.rules.cascade import cascade
>>> teacher = Model.of(cascade(letters="a b", phones="x y", rules=["a -> x", "b -> y"]))
>>> gold = [Pair(tuple("ab"), ("x", "y")), Pair(tuple("ba"), ("y", "x"))]
>>> pairs, left_out = unlearnt(teacher, gold, frozenset([("a", "b")]))
>>> pairs == gold[1:], left_out
(True, 1)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair, Symbols
from glyphone.distillation.certificate import Gold
from glyphone.distillation.words import read_as
from glyphone.evaluation.evaluate import evaluate
from glyphone.fst.interface.model import Answering
from glyphone.io.lexicon import file_writing
from glyphone.training.train import Lexicon, pairs_of


def unlearnt(
    teacher: Answering, gold: Lexicon, learnt: Collection[Symbols]
) -> tuple[list[Pair], int]:
    """The pairs of a lexicon whose words are not learnt, and how many words are left out."""
    # As they are written: what a model takes for the same word are two to be got right.
    sides = [file_writing(side.writing, None) for side in (teacher.source, teacher.target)]
    pairs = pairs_of(gold, *sides)
    kept = [pair for pair in pairs if word_of(pair, teacher) not in learnt]
    if not kept:
        message = "holds no pairs" if not pairs else "has only words that the student learns"
        raise GlyphoneError(
            f"the gold lexicon {message}", remedy="give other ones, or hold out more words"
        )
    left_out = {pair.source for pair in pairs} - {pair.source for pair in kept}
    return kept, len(left_out)


def word_of(pair: Pair, teacher: Answering) -> Symbols:
    """The word of a pair as the teacher reads it."""
    writing = teacher.source.writing
    return read_as(writing.join(pair.source), writing)


def measured(
    teacher: Answering,
    student: Answering,
    pairs: Sequence[Pair],
    left_out: int,
    jobs: int | None,
) -> Gold:
    both = [evaluate(model, pairs, nbest=1, jobs=jobs) for model in (teacher, student)]
    return Gold(both[0].items, left_out, *both)
