"""Two treebanks side by side: what orders constructions have, and how far sentences agree.

With a third, the source that the first was made from, it is told beside what leaving its order
would have given: where languages have nearly the same order, that may be better.

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
from glyphone.treebank.agreement import Item, agreement
from glyphone.treebank.constructions import LEAST, Difference, differences, order_error, orders_of
from glyphone.treebank.reading import Form, form_of, read_treebank

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
    """A treebank, the one that it should be like, and perhaps the one it was made from."""

    path: str
    target: str
    source: str | None = None
    form: Form | None = None
    least: int = LEAST


@dataclass(frozen=True)
class Comparison:
    """Figures by name, first of the treebank and then, where there is one, of its source.

    Rows are of constructions; `source_shares` has the shares of their orders in the source.
    `counts` are sentences of all files, and those that are in the target too, with the same words.
    """

    paths: tuple[str, ...]
    counts: Mapping[str, tuple[int, ...]]
    figures: Mapping[str, tuple[float, ...]]
    rows: tuple[Difference, ...]
    source_shares: tuple[float, ...] = ()


def compare_files(job: CompareJob) -> tuple[Comparison, int]:
    """The comparison, and how many sentences were refused, which stderr tells."""
    paths = [job.path, job.target, *([job.source] if job.source else [])]
    check_distinct(read=paths, written=[], what="treebanks", options="--source", shared=True)
    if len({form_of(path, job.form) for path in paths}) > 1:
        remedy = "give treebanks of one form"
        raise GlyphoneError("dependencies and constituents are not compared", remedy=remedy)
    refused: list[FormatError] = []
    treebanks = [[*read_treebank(path, job.form, on_error=refused.append)] for path in paths]
    report_errors(refused, "sentences left out")
    return compared(paths, treebanks, least=job.least), len(refused)


def compared(
    paths: Sequence[str], treebanks: Sequence[Sequence[Item]], *, least: int = LEAST
) -> Comparison:
    """A treebank, its target and perhaps its source, compared."""
    first, target, *source = treebanks
    candidates = [first, *source]
    orders = [orders_of(candidate) for candidate in candidates]
    gold = orders_of(target)
    rows = differences(orders[0], gold, least=least)
    figures = {"order_error": tuple(order_error(found, gold, least=least) for found in orders)}
    agreements = [agreement(candidate, target) for candidate in candidates]
    for name in agreements[0].figures:
        figures[name] = tuple(found.figures.get(name, math.nan) for found in agreements)
    counts = {
        "sentences": tuple(map(len, (first, target, *source))),
        "in_both": tuple(found.sentences for found in agreements),
        "same_words": tuple(found.same_words for found in agreements),
    }
    shares = []
    for row in rows if source else ():
        found = orders[1].get(row.construction)
        shares.append(found[row.order] / found.total() if found else math.nan)
    return Comparison(tuple(paths), counts, figures, tuple(rows), tuple(shares))


def as_tsv(comparison: Comparison) -> str:
    """Figures first, then constructions; a cell is empty where there is nothing."""
    lines = ["\t".join(HEADER)]
    for name, values in comparison.figures.items():
        first, *source = map(_share, values)
        lines.append("\t".join((name, "", "", first, "", *(source or [""]), "", "")))
    for place, row in enumerate(comparison.rows):
        source_share = _share(comparison.source_shares[place]) if comparison.source_shares else ""
        names = (row.construction.translate(ESCAPES), row.order.translate(ESCAPES))
        shares = (_share(row.share), _share(row.other_share), source_share)
        counts = (str(row.total), str(row.other_total))
        lines.append("\t".join(("order", *names, *shares, *counts)))
    return "".join(f"{line}\n" for line in lines)


def as_json(comparison: Comparison) -> str:
    """One object; what there is no figure for is null."""
    return json.dumps(_without_nan(asdict(comparison)), ensure_ascii=False)


def _without_nan(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _without_nan(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(one) for one in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def page(comparison: Comparison) -> str:
    """The comparison for people."""
    names = ["first", "second", *(["source"] if len(comparison.paths) > 2 else [])]
    counted = comparison.counts["sentences"]
    head = [
        f"{name}: {path}, {count} sentences"
        for name, path, count in zip(names, comparison.paths, counted, strict=True)
    ]
    same, in_both = comparison.counts["same_words"][0], comparison.counts["in_both"][0]
    head.append(f"{in_both} sentences of the first are in the second, {same} with the same words")
    columns = ["first", *names[2:]]
    figures = [(NAMES[name], *map(_share, values)) for name, values in comparison.figures.items()]
    parts = ["\n".join(head), format_table([("", *columns), *figures], "<" + ">" * len(columns))]
    if comparison.rows:
        rows = [
            (
                row.construction,
                row.order,
                _share(row.share),
                _share(row.other_share),
                *(_share(share) for share in comparison.source_shares[place : place + 1]),
                str(row.total),
                str(row.other_total),
            )
            for place, row in enumerate(comparison.rows)
        ]
        header = ("construction", "order", *names, "in first", "in second")
        parts.append(format_table([header, *rows], "<<" + ">" * (len(header) - 2)))
    return "\n\n".join(parts) + "\n"


def _share(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}"
