"""The certificate of a distilled model: agreement, accuracy, cost, and differing words.

With n held-out words, of which the student answers k as its teacher does,

    word agreement     k / n, with Wilson's interval (1927), which no share makes empty
    symbol agreement   1 - sum of distances / sum of the lengths of the teacher's answers,
                       with a bootstrap interval over words; where nothing differs it is as wide
                       as that of words. An empty answer counts as one symbol

>>> [round(end, 4) for end in wilson_interval(100, 100)]
[0.963, 1.0]
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from glyphone.distillation.costs import Cost
from glyphone.distillation.patterns import Differing, Pattern
from glyphone.evaluation import measures
from glyphone.evaluation.evaluate import Evaluation
from glyphone.evaluation.measures import Outcomes
from glyphone.evaluation.verdicts import Verdict

# The normal quantile of a 95 % interval.
QUANTILE = 1.959963984540054
GOLD = ("wer", "per")
Interval = tuple[float, float]


@dataclass(frozen=True)
class Agreement:
    """How often a student answers as its teacher does; the shares of words and of symbols."""

    words: int
    differing: int
    word: float
    symbol: float
    word_interval: Interval
    symbol_interval: Interval

    @classmethod
    def of(cls, verdicts: Sequence[Verdict], *, seed: int = 0) -> Agreement:
        """From the student's answers beside those of the teacher as references."""
        outcomes = Outcomes.of(
            (v.answer.rank, v.edits, max(len(v.item.references[0]), 1), 0.0, v.answer.posterior)
            for v in verdicts
        )
        n, differing = len(verdicts), int((~outcomes.correct).sum())
        interval = symbols = wilson_interval(n - differing, n)
        if differing:
            low, high = measures.intervals(outcomes, seed=seed)["per"]
            symbols = 1 - high, 1 - low
        errors = int(outcomes.edits.sum()) / int(outcomes.lengths.sum())
        return cls(n, differing, 1 - differing / n, 1 - errors, interval, symbols)


def wilson_interval(successes: int, n: int) -> Interval:
    """The interval of a share, of 95 %."""
    share, z = successes / n, QUANTILE
    middle = share + z * z / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    whole = 1 + z * z / n
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


@dataclass(frozen=True)
class Gold:
    """Teacher and student on words with known answers that the student has not learnt from."""

    words: int
    left_out: int
    teacher: Evaluation
    student: Evaluation


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """A student compared with its teacher.

    `counts` are of words: those `given`, the `repeated` and `silent` ones (to which the teacher has
    no answer), those `learnt`, `refused` by the learner, and `held_out`. `differing` has words of
    both parts.
    """

    teacher: str
    student: str
    kind: str
    seed: int
    counts: dict[str, int]
    held_out: Agreement
    learnt: Agreement
    gold: Gold | None
    teacher_cost: Cost
    student_cost: Cost
    patterns: tuple[Pattern, ...]
    differing: tuple[Differing, ...] = field(repr=False)

    def __str__(self) -> str:
        from glyphone.distillation.report import certificate_page

        return certificate_page(self)

    def as_dict(self) -> dict[str, Any]:
        """The certificate without the differing words, fit for JSON."""
        return {
            "teacher": {"name": self.teacher, **asdict(self.teacher_cost)},
            "student": {"name": self.student, "kind": self.kind, **asdict(self.student_cost)},
            "seed": self.seed,
            "words": self.counts,
            "agreement": {"held_out": asdict(self.held_out), "learnt": asdict(self.learnt)},
            "gold": None if self.gold is None else gold_as_dict(self.gold),
            "patterns": [asdict(pattern) for pattern in self.patterns],
        }


def gold_as_dict(gold: Gold) -> dict[str, Any]:
    def figures(of: Evaluation) -> dict[str, Any]:
        intervals = {name: list(of.intervals[name]) for name in GOLD}
        shares = {name: getattr(of, name) for name in GOLD}
        return {**shares, "failed": of.failed, "intervals": intervals}

    return {
        "words": gold.words,
        "left_out": gold.left_out,
        "teacher": figures(gold.teacher),
        "student": figures(gold.student),
    }


def differences(verdicts: Iterable[Verdict], *, held_out: bool) -> list[Differing]:
    """The words that the student does not answer as its teacher does; places are yet to find."""
    return [
        Differing(
            verdict.item.text,
            verdict.item.pairs[0],
            verdict.item.references[0],
            verdict.answer.output,
            held_out,
            verdict.answer.error,
        )
        for verdict in verdicts
        if verdict.answer.rank != 1
    ]
