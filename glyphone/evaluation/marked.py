"""The evaluation of a model that marks parts of items: phrases, names, numbers, labels.

>>> from glyphone.evaluation.tallies import Tally
>>> tally = Tally.of("caller name", [(1, 1, 1, 1), (0, 0, 1, 1)])
>>> wrong = WrongItem(7, "it's Pat", "caller name", "Pat", "it's Pat")
>>> print(MarkedEvaluation("mine", "messages", 2, tallies=(tally,), wrong=(wrong,)).page(errors=1))
mine: 2 messages, 0 failed; seed 0
<BLANKLINE>
             gold  given  precision   recall        F       95 % interval
caller name     2      2    50.00 %  50.00 %  50.00 %  0.00 % to 100.00 %
<BLANKLINE>
line  wrong in     gold  given     item
   7  caller name  Pat   it's Pat  it's Pat
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from glyphone.data.errors import FormatError
from glyphone.data.lines import open_text_output
from glyphone.evaluation.tallies import Intervals, Tally, tally_intervals
from glyphone.evaluation.wrong import WrongItem
from glyphone.io.messages import SHOWN, Failure, failure_text, list_failures, print_message
from glyphone.io.rows import printable_field
from glyphone.io.tables import format_table, percentage

# Symbols of a cell of the page.
LONGEST = 50


@dataclass(frozen=True)
class Comparison:
    """Tokens that only this model, or only another, labels right; the odds of as much by chance.

    By McNemar's test, with correction for continuity.
    """

    other: str
    this_only: int
    other_only: int
    chi_square: float
    p_value: float


@dataclass(frozen=True)
class MarkedEvaluation:
    """Figures of tasks, and shares of what has exactly one mark, which is right or wrong.

    `items_are` names the items: messages or sentences. `failed` counts lines that were refused,
    which are in no figure, and items without an answer, whose gold marks are all missed.
    """

    model: str
    items_are: str
    items: int
    tallies: tuple[Tally, ...] = ()
    shares: tuple[Tally, ...] = ()
    failed: int = 0
    seed: int = 0
    wrong: tuple[WrongItem, ...] = ()
    against: Comparison | None = None

    def __str__(self) -> str:
        return self.page()

    @cached_property
    def intervals(self) -> tuple[list[Intervals], list[Intervals]]:
        """Bootstrap intervals of the shares, and of the tallies."""
        found = tally_intervals([*self.shares, *self.tallies], seed=self.seed)
        return found[: len(self.shares)], found[len(self.shares) :]

    def page(self, *, errors: int = 0) -> str:
        """The evaluation for people, with as many of the wrong items as asked for."""
        head = f"{self.model}: {self.items} {self.items_are}, {self.failed} failed; "
        return "\n\n".join([f"{head}seed {self.seed}", *self.sections(errors)])

    def sections(self, errors: int) -> Iterator[str]:
        of_shares, of_tallies = self.intervals
        if self.shares:
            shares = [*map(share_row, self.shares, of_shares)]
            yield format_table([("", "of", "right", "95 % interval"), *shares], "<>>>")
        if self.tallies:
            head = ("", "gold", "given", "precision", "recall", "F", "95 % interval")
            yield format_table([head, *map(tally_row, self.tallies, of_tallies)], "<" + ">" * 6)
        if self.against is not None:
            yield comparison_table(self.against)
        if errors and self.wrong:
            told = [
                (str(one.line), *map(shown, (one.task, one.gold, one.given, one.item)))
                for one in self.wrong[:errors]
            ]
            yield format_table([("line", "wrong in", "gold", "given", "item"), *told], "><<<<")

    def as_dict(self, *, errors: int = 0) -> dict[str, Any]:
        """The figures without the items, fit for JSON; with `errors`, as many of the wrong too."""
        of_shares, of_tallies = self.intervals
        content: dict[str, Any] = {
            "model": self.model,
            "items": self.items,
            "failed": self.failed,
            "seed": self.seed,
            "shares": {
                one.name: share_as_dict(one, ends)
                for one, ends in zip(self.shares, of_shares, strict=True)
            },
            "tasks": {
                one.name: one.as_dict(ends)
                for one, ends in zip(self.tallies, of_tallies, strict=True)
            },
        }
        if self.against is not None:
            content["against"] = asdict(self.against)
        return content | ({"errors": [*map(asdict, self.wrong[:errors])]} if errors else {})

    def wrong_items(self) -> Sequence[WrongItem]:
        """The wrong items, in the order of the file."""
        return self.wrong


def comparison_table(found: Comparison) -> str:
    """The comparison with another model for people."""
    head = ("against", "only this right", "only that right", "chi-squared", "p")
    counts = (str(found.this_only), str(found.other_only))
    row = (found.other, *counts, f"{found.chi_square:.2f}", f"{found.p_value:.2g}")
    return format_table([head, row], "<>>>>")


def share_row(share: Tally, ends: Intervals) -> tuple[str, ...]:
    interval = " to ".join(map(percentage, ends["precision"]))
    return share.name, str(share.gold), percentage(share.precision), interval


def tally_row(tally: Tally, ends: Intervals) -> tuple[str, ...]:
    values = map(percentage, (tally.precision, tally.recall, tally.f))
    interval = " to ".join(map(percentage, ends["f"]))
    return tally.name, str(tally.gold), str(tally.given), *values, interval


def share_as_dict(share: Tally, ends: Intervals) -> dict[str, Any]:
    return {
        "share": share.precision,
        "interval": [*ends["precision"]],
        "right": int(share.counts[:, 0].sum()),
        "of": share.gold,
    }


def shown(text: str) -> str:
    """A text as a cell of the page, which is cut off where it is too long to be read."""
    text = printable_field(text)
    return (text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…") or "∅"


def report_failures(failures: list[Failure], path: str, side: str | None) -> None:
    """Failed and refused items in order: all of them in a side file, or the first on stderr."""
    if side is not None:
        with open_text_output(side) as output:
            list_failures(failures, path, output)
    elif failures:
        for failure in sorted(failures, key=lambda failure: failure[0])[:SHOWN]:
            print_message(failure_text(path)(*failure).removeprefix("glyphone: ").rstrip("\n"))
    if failures:
        where = f"; see {side}" if side is not None else ""
        print_message(f"{len(failures)} items failed{where}")


def nothing_to_measure(path: str, failures: Sequence[Failure], remedy: str) -> FormatError:
    """The error of a gold file without a usable item; its reason is that of the first failure."""
    if not failures:
        return FormatError("has nothing to measure on", path=path, remedy=remedy)
    line, item, error = failures[0]
    message = f"{error.message}; none of {len(failures)} items can be used"
    return FormatError(message, path=path, line=line, item=item, remedy=error.remedy or remedy)
