"""A matcher measured on pairs of names that are labelled yes, no or don't know.

>>> pairs = [LabelledPair(1, "a", "b", YES), LabelledPair(2, "a", "c", NO)]
>>> print(PairEvaluation("mine", pairs, (0.9, 0.2)).page())
mine: 2 pairs, of which 1 right, 0 undecided, 0 failed
<BLANKLINE>
                          F  precision    recall  pairs  probability
at 0.5             100.00 %   100.00 %  100.00 %      1          0.9
at the best place  100.00 %   100.00 %  100.00 %      1          0.9
mean precision     100.00 %
right at 0.5       100.00 %
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from glyphone.evaluation.marked import report_failures
from glyphone.evaluation.pairs import NO, UNKNOWN, YES, PairCurve, Point
from glyphone.evaluation.wrong import WrongItem
from glyphone.io.tables import format_table, percentage
from glyphone.learners.matching.matcher import NameMatcher
from glyphone.matching.pairs import LabelledPair, decided, read_pairs

THRESHOLD: Final = 0.5


@dataclass(frozen=True)
class PairEvaluation:
    """Pairs, and the probabilities that a matcher gives them."""

    model: str
    pairs: Sequence[LabelledPair]
    probabilities: Sequence[float]
    failed: int = 0

    @cached_property
    def curve(self) -> PairCurve:
        return PairCurve.of(self.probabilities, [pair.label for pair in self.pairs])

    @property
    def accuracy(self) -> float:
        """The share of decided pairs that are on the right side of the threshold."""
        known = len(decided(self.pairs))
        return 1.0 - len(self.wrong_items()) / max(1, known)

    def figures(self) -> dict[str, Any]:
        """Figures, fit for JSON."""
        return {
            "pairs": len(decided(self.pairs)),
            "accuracy": self.accuracy,
            "at_half": vars(self.curve.at(THRESHOLD)),
            **self.curve.as_dict(),
        }

    def as_dict(self, *, errors: int = 0) -> dict[str, Any]:
        wrong = [vars(one) for one in self.wrong_items()[:errors]]
        content = {"model": self.model, "failed": self.failed, **self.figures()}
        return content | ({"errors": wrong} if errors else {})

    def page(self, *, errors: int = 0) -> str:
        """The evaluation for people, with as many of the wrong pairs as asked for."""
        labels = [pair.label for pair in self.pairs]
        head = (
            f"{self.model}: {len(labels)} pairs, of which {labels.count(YES)} right, "
            f"{labels.count(UNKNOWN)} undecided, {self.failed} failed"
        )
        rows = [
            ("", "F", "precision", "recall", "pairs", "probability"),
            point_row(f"at {THRESHOLD:g}", self.curve.at(THRESHOLD)),
            point_row("at the best place", self.curve.best()),
            ("mean precision", percentage(self.curve.mean_precision), "", "", "", ""),
            (f"right at {THRESHOLD:g}", percentage(self.accuracy), "", "", "", ""),
        ]
        parts = [head, format_table(rows, "<>>>>>")]
        if shown := self.wrong_items()[:errors]:
            told = [(str(one.line), one.item, one.gold, one.given) for one in shown]
            parts.append(format_table([("line", "pair", "gold", "given"), *told], "><<<"))
        return "\n\n".join(parts)

    def wrong_items(self) -> Sequence[WrongItem]:
        """Decided pairs on the wrong side of the threshold, the surest errors first."""
        wrong = [
            (pair, probability)
            for pair, probability in zip(self.pairs, self.probabilities, strict=True)
            if pair.label in (YES, NO) and (probability >= THRESHOLD) != (pair.label == YES)
        ]
        wrong.sort(key=lambda row: -abs(row[1] - THRESHOLD))
        return [
            WrongItem(
                pair.line,
                f"{pair.first} | {pair.second}",
                "one name",
                "yes" if pair.label == YES else "no",
                f"{probability:.4g}",
            )
            for pair, probability in wrong
        ]


def point_row(name: str, point: Point) -> tuple[str, ...]:
    shares = map(percentage, (point.f, point.precision, point.recall))
    return name, *shares, str(point.pairs), f"{point.score:.4g}"


def evaluate_pairs(
    matcher: NameMatcher, pairs: Sequence[LabelledPair], *, name: str, failed: int = 0
) -> PairEvaluation:
    firsts, seconds = [pair.first for pair in pairs], [pair.second for pair in pairs]
    found = matcher.similarities(firsts, seconds)
    return PairEvaluation(name, pairs, found.tolist(), failed)


def measure_file(
    matcher: NameMatcher,
    path: str,
    *,
    name: str = "",
    failures: str | None = None,
    jobs: int | None = None,
    seed: int = 0,
) -> tuple[PairEvaluation, int]:
    """The evaluation on a file of labelled pairs, and how many lines were refused."""
    pairs, refused = read_pairs(path)
    report_failures(refused, path, failures)
    return evaluate_pairs(matcher, pairs, name=name, failed=len(refused)), len(refused)
