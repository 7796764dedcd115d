"""A pipeline measured on documents with gold marks: JSON Lines with a key `gold`.

    {"text": "call 555-0123", "gold": [{"span": [5, 13], "value": "5550123"}]}
    {"text": "hola", "gold": ["ˈ o l a"]}

Gold marks have spans, in code points, or are values alone; they are all of one sort in a file.
Candidates are right by their spans, and by their spans and values where all gold marks have values;
or by their values alone. Of values alone the share of items whose first candidate is right is told,
too. Rejected candidates count for nothing.

>>> item = Item("call 5", (Candidate((5, 6), "5", "5"), Candidate((0, 4), "call", "x")))
>>> found = evaluate_items([item], [(Gold("5", (5, 6)),)])
>>> [(one.name, one.precision, one.recall) for one in found.tallies]
[('spans', 0.5, 1.0), ('spans with values', 0.5, 1.0)]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.fields import check_settings
from glyphone.data.records import Candidate
from glyphone.evaluation.marked import MarkedEvaluation, nothing_to_measure, report_failures
from glyphone.evaluation.tallies import Tally, count_same
from glyphone.evaluation.wrong import WrongItem
from glyphone.io.messages import Failure
from glyphone.pipelines.pipeline import Pipeline
from glyphone.pipelines.reading import Documents
from glyphone.pipelines.registry import Item

GOLD = "gold"
REMEDY = f'write "{GOLD}": [{{"span": [begin, end], "value": "..."}}], or ["value"]'
# The forms of gold marks.
SPANS, VALUES = "spans", "values"


@dataclass(frozen=True)
class Gold:
    """A mark of a text: a value, a span, or both."""

    value: str | None = None
    span: tuple[int, int] | None = None
    text: str | None = None


Marks = tuple[Gold, ...]


def measure_file(
    pipeline: Pipeline,
    path: str,
    *,
    name: str = "",
    failures: str | None = None,
    jobs: int | None = None,
    seed: int = 0,
    nbest: int | None = None,
) -> tuple[MarkedEvaluation, int]:
    """The evaluation on JSON Lines, and how many lines were refused or failed."""
    pipeline.reading.check("jsonl")
    blocks = (chunk.items for chunk in Documents(path, pipeline.reading, "jsonl").all_chunks())
    items: list[Item] = []
    marks: list[Marks] = []
    failed: list[Failure] = []
    form = ""
    for block, _ in pipeline.blocks(blocks, jobs=jobs):
        for item in block:
            try:
                gold = gold_of(item)
                form = form or form_of(gold)
                check_form(gold, form)
            except ItemError as error:
                failed.append((item.line, item.text, item.error or error))
                continue
            if item.error is not None:  # its gold marks are missed
                failed.append((item.line, item.text, item.error))
                item = item.with_candidates(())
            items.append(item)
            marks.append(gold)
    if not items:
        raise nothing_to_measure(path, failed, REMEDY)
    if nbest is not None and form == SPANS:
        remedy = "leave --nbest out, or give values alone"
        raise GlyphoneError("candidates with spans have no ranks", path=path, remedy=remedy)
    report_failures(failed, path, failures)
    evaluation = evaluate_items(items, marks, nbest=nbest, name=name, failed=len(failed), seed=seed)
    return evaluation, len(failed)


def gold_of(item: Item) -> Marks:
    """The gold marks of an item; ItemError if they are none, or not in its text."""
    rows = item.fields.get(GOLD)
    if not isinstance(rows, list):
        raise ItemError(f"has no list {GOLD!r}", stage="reading", remedy=REMEDY)
    return tuple(mark_of(row, item.text) for row in rows)


def mark_of(row: Any, text: str) -> Gold:
    if isinstance(row, str):
        return Gold(row)
    if not isinstance(row, dict):
        raise ItemError(f"{row!r:.60} is no gold mark", stage="reading", remedy=REMEDY)
    try:
        # Candidates that `glyphone run` wrote have more.
        keys = ("span", "value", "text")
        mark = Gold(**check_settings(Gold, {key: row[key] for key in keys if key in row}))
    except GlyphoneError as error:
        raise ItemError(error.message, stage="reading", remedy=REMEDY) from None
    if mark.span is None:
        message = "a gold mark has neither span nor value" if mark.value is None else ""
    elif len(mark.span) != 2 or not 0 <= mark.span[0] <= mark.span[1] <= len(text):
        message = f"a gold mark has the span {[*mark.span]}, in a text of {len(text)} symbols"
    else:
        there = text[slice(*mark.span)]
        message = f"{[*mark.span]} is {there!r}" if mark.text not in (None, there) else ""
        message += f", not {mark.text!r}" if message else ""
    if message:
        raise ItemError(message, stage="reading", remedy="write [begin, end] in code points")
    return mark


def form_of(gold: Marks) -> str:
    """Whether the first mark has a span or a value alone; empty without any."""
    return "" if not gold else VALUES if gold[0].span is None else SPANS


def check_form(gold: Marks, form: str) -> None:
    for mark in gold:
        if form_of((mark,)) != form:
            message = f"gold marks with and without spans; those of the file are {form}"
            raise ItemError(message, stage="reading", remedy="give all of them spans, or none")


def evaluate_items(
    items: Sequence[Item],
    gold: Sequence[Marks],
    *,
    nbest: int | None = None,
    name: str = "",
    failed: int = 0,
    seed: int = 0,
) -> MarkedEvaluation:
    """Figures of the candidates of items against their gold marks."""
    shares: list[Tally] = []
    if VALUES in map(form_of, gold):
        keys = ["value"]
        tallies = [tally_of("values", keys, items, gold)]
        shares = [*first_shares(items, gold, nbest)]
    else:
        keys = ["span"]
        tallies = [tally_of("spans", keys, items, gold)]
        # A mark without a value says nothing of values.
        if all(mark.value is not None for marks in gold for mark in marks):
            keys = ["span", "value"]
            tallies.append(tally_of("spans with values", keys, items, gold))
    return MarkedEvaluation(
        name,
        "items",
        len(items),
        tallies=tuple(tallies),
        shares=tuple(shares),
        failed=failed,
        seed=seed,
        wrong=tuple(wrong_items(keys, items, gold)),
    )


def tally_of(name: str, keys: Sequence[str], items: Sequence[Item], gold: Sequence[Marks]) -> Tally:
    """The tally of candidates that are right where these of their attributes are."""
    rows = [
        count_same({*by_key(marks, keys)}, {*by_key(item.candidates, keys)})
        for item, marks in zip(items, gold, strict=True)
    ]
    return Tally.of(name, rows)


def by_key(
    marks: Sequence[Gold | Candidate], keys: Sequence[str]
) -> dict[tuple[Any, ...], Gold | Candidate]:
    """Marks by these of their attributes."""
    return {tuple(getattr(mark, key) for key in keys): mark for mark in marks}


def first_shares(
    items: Sequence[Item], gold: Sequence[Marks], nbest: int | None
) -> Iterator[Tally]:
    """The shares of items with a right value in the first place, and among the first `nbest`."""
    right = [
        [candidate.value in {mark.value for mark in marks} for candidate in item.candidates]
        for item, marks in zip(items, gold, strict=True)
    ]
    for n in (1, nbest):
        if n is not None:
            title = "first candidate" if n == 1 else f"among the first {n}"
            yield Tally.of_items(title, (any(row[:n]) for row in right))


def wrong_items(
    keys: Sequence[str], items: Sequence[Item], gold: Sequence[Marks]
) -> Iterator[WrongItem]:
    """Items with marks, told apart by these attributes, that one side has alone."""
    for item, marks in zip(items, gold, strict=True):
        sides = by_key(marks, keys), by_key(item.candidates, keys)
        texts = [
            " | ".join(mark_text(item.text, key) for key in side if key not in other)
            for side, other in (sides, sides[::-1])
        ]
        if any(texts):
            yield WrongItem(item.line, item.text, "candidates", *texts)


def mark_text(text: str, key: Sequence[Any]) -> str:
    """The words of spans, and values.

    >>> mark_text("call 5", [(5, 6), "five"])
    '5 = five'
    """
    return " = ".join(part if isinstance(part, str) else text[slice(*part)] for part in key)
