"""Comparison of two treebanks: orders of constructions, and agreement of sentences.

With a third treebank, the source that the first was made from, the source has figures as well: if
two languages have nearly the same order, leaving the order as it is may be better.

>>> import tempfile
>>> folder = tempfile.mkdtemp()
>>> for name, order in (("a", "(NP (A old) (N rain))"), ("b", "(NP (N rain) (A old))")):
...     with open(f"{folder}/{name}.mrg", "w") as file:
...         _ = file.write(f"{order}\\n" * 20)
>>> job = CompareJob(path=f"{folder}/a.mrg", target=f"{folder}/b.mrg")
>>> comparison, refused = compare_files(job)
>>> comparison.figures["order_error"], comparison.figures["tau"], refused
((1.0,), (-1.0,), 0)
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.io.messages import report_errors
from glyphone.io.paths import check_distinct
from glyphone.io.rows import ESCAPES
from glyphone.io.tables import format_table
from glyphone.treebank.agreement import SentenceOrTree, measure_agreement
from glyphone.treebank.constructions import (
    LEAST,
    Difference,
    order_differences,
    order_error,
    orders_of,
)
from glyphone.treebank.reading import TreebankForm, form_of, read_treebank

HEADER = ("figure", "construction", "order", "first", "second", "source", "in first", "in second")
NAMES = {
    "order_error": "mean error of shares",
    "tau": "Kendall's tau",
    "heads": "same heads",
    "relations": "same heads and relations",
    "arcs": "F of arcs by tags",
    "arcs_with_sides": "F of arcs with sides",
    "constituents": "F of constituents",
}


@dataclass(frozen=True, kw_only=True)
class CompareJob:
    """Paths of a treebank, of its target, and perhaps of the source that it was made from."""

    path: str
    target: str
    source: str | None = None
    form: TreebankForm | None = None
    least: int = LEAST


@dataclass(frozen=True)
class TreebankComparison:
    """Figures by name: of the treebank, then of its source if there is one.

    `rows` are of orders of constructions; `source_shares` has the share of each in the source.
    `counts` are of the sentences of all files, of the sentences that are also in the target, and
    of those with the same words.
    """

    paths: tuple[str, ...]
    counts: Mapping[str, tuple[int, ...]]
    figures: Mapping[str, tuple[float, ...]]
    rows: tuple[Difference, ...]
    source_shares: tuple[float, ...] = ()


def compare_files(job: CompareJob) -> tuple[TreebankComparison, int]:
    """The comparison, and the count of refused sentences, which are listed on stderr."""
    paths = [job.path, job.target, *([job.source] if job.source else [])]
    check_distinct(read=paths, written=[], what="treebanks", options="--source", shared=True)
    if len({form_of(path, job.form) for path in paths}) > 1:
        remedy = "give treebanks of one form"
        raise GlyphoneError("dependencies cannot be compared with constituents", remedy=remedy)
    refused: list[FormatError] = []
    treebanks = [[*read_treebank(path, job.form, on_error=refused.append)] for path in paths]
    report_errors(refused, "sentences left out")
    return compare_treebanks(paths, treebanks, least=job.least), len(refused)


def compare_treebanks(
    paths: Sequence[str], treebanks: Sequence[Sequence[SentenceOrTree]], *, least: int = LEAST
) -> TreebankComparison:
    """The comparison of a treebank, its target and perhaps its source."""
    first, target, *source = treebanks
    candidates = [first, *source]
    orders = [orders_of(candidate) for candidate in candidates]
    gold = orders_of(target)
    rows = order_differences(orders[0], gold, least=least)
    figures = {"order_error": tuple(order_error(own, gold, least=least) for own in orders)}
    agreements = [measure_agreement(candidate, target) for candidate in candidates]
    for name in agreements[0].figures:
        figures[name] = tuple(one.figures.get(name, math.nan) for one in agreements)
    counts = {
        "sentences": tuple(map(len, (first, target, *source))),
        "in_both": tuple(one.sentences for one in agreements),
        "same_words": tuple(one.same_words for one in agreements),
    }
    shares = []
    for row in rows if source else ():
        counts_of_orders = orders[1].get(row.construction)
        shares.append(
            counts_of_orders[row.order] / counts_of_orders.total() if counts_of_orders else math.nan
        )
    return TreebankComparison(tuple(paths), counts, figures, tuple(rows), tuple(shares))


def comparison_tsv(comparison: TreebankComparison) -> str:
    """Rows of figures, then of orders of constructions; a cell without a value is empty."""
    lines = ["\t".join(HEADER)]
    for name, values in comparison.figures.items():
        first, *source = map(format_share, values)
        lines.append("\t".join((name, "", "", first, "", *(source or [""]), "", "")))
    for place, row in enumerate(comparison.rows):
        source_share = (
            format_share(comparison.source_shares[place]) if comparison.source_shares else ""
        )
        names = (row.construction.translate(ESCAPES), row.order.translate(ESCAPES))
        shares = (format_share(row.share), format_share(row.other_share), source_share)
        counts = (str(row.total), str(row.other_total))
        lines.append("\t".join(("order", *names, *shares, *counts)))
    return "".join(f"{line}\n" for line in lines)


def comparison_json(comparison: TreebankComparison) -> str:
    """The comparison as an object of JSON; a missing figure is null."""
    return json.dumps(replace_nan(asdict(comparison)), ensure_ascii=False)


def replace_nan(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: replace_nan(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [replace_nan(one) for one in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def comparison_page(comparison: TreebankComparison) -> str:
    """The comparison as tables for people."""
    names = ["first", "second", *(["source"] if len(comparison.paths) > 2 else [])]
    counted = comparison.counts["sentences"]
    head = [
        f"{name}: {path}, {count} sentences"
        for name, path, count in zip(names, comparison.paths, counted, strict=True)
    ]
    same, in_both = comparison.counts["same_words"][0], comparison.counts["in_both"][0]
    head.append(f"{in_both} sentences of the first are in the second, {same} with the same words")
    columns = ["first", *names[2:]]
    figures = [
        (NAMES[name], *map(format_share, values)) for name, values in comparison.figures.items()
    ]
    parts = ["\n".join(head), format_table([("", *columns), *figures], "<" + ">" * len(columns))]
    if comparison.rows:
        rows = [
            (
                row.construction,
                row.order,
                format_share(row.share),
                format_share(row.other_share),
                *(format_share(share) for share in comparison.source_shares[place : place + 1]),
                str(row.total),
                str(row.other_total),
            )
            for place, row in enumerate(comparison.rows)
        ]
        header = ("construction", "order", *names, "in first", "in second")
        parts.append(format_table([header, *rows], "<<" + ">" * (len(header) - 2)))
    return "\n\n".join(parts) + "\n"


def format_share(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}"
