"""Items that are to be answered, with those that are none, and what answers there are to them.

>>> found = cells_of(["1\\tAna", "2"], 2)
>>> found.items, str(found.failures[1])
(['Ana', ''], 'column 2 is missing: 1 found (separate columns by TAB, or tell which to take)')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from glyphone.data.errors import ItemError, NoOutput
from glyphone.data.lines import first_column, is_text
from glyphone.fst.interface.answers import Answers, Origins, merge_answers
from glyphone.fst.interface.model import Model


@dataclass(frozen=True)
class Cells:
    """An item for each line or row; those that failed already are not answered."""

    items: list[str]
    failures: dict[int, ItemError]


def cells_of(lines: Sequence[str], column: int | None) -> Cells:
    """The cell in a column of each line, from 1; in the first if none is named.

    Where one is named the whole line will be written again, so all of it has to be text.
    """
    if column is None:
        return Cells(list(map(first_column, lines)), {})
    items, failures = [], {}
    everything_is_text = is_text("".join(lines))
    for number, line in enumerate(lines):
        columns = line.split("\t")
        items.append(columns[column - 1] if column <= len(columns) else "")
        if column > len(columns):
            remedy = "separate columns by TAB, or tell which to take"
            message = f"column {column} is missing: {len(columns)} found"
            failures[number] = ItemError(message, remedy=remedy)
        elif not everything_is_text and not is_text(line):
            failures[number] = ItemError("is in a line that is not UTF-8", remedy="re-encode it")
    return Cells(items, failures)


def answers_to(model: Model, cells: Cells, *, n: int, spans: bool) -> Answers:
    """The answers to items; one without an answer is a failure."""
    items, failures = cells.items, cells.failures
    asked = [number for number in range(len(items)) if number not in failures]
    answers = model.answer([items[number] for number in asked], n=n, spans=spans)
    unanswered = {
        k: NoOutput("no answer within the budget", item=items[asked[k]], stage=model.name)
        for k, (first, last) in enumerate(pairwise(answers.firsts))
        if first == last and k not in answers.failures
    }
    if unanswered:
        answers = replace(answers, failures=answers.failures | unanswered)
    if not failures:
        return answers
    refused = list(failures)
    nothing = Answers(
        [],
        [],
        [],
        [0] * (len(refused) + 1),
        frozenset(),
        {k: failures[number] for k, number in enumerate(refused)},
        Origins([], []),
    )
    return merge_answers(len(items), [(asked, answers), (refused, nothing)])
