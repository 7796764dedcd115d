"""Matches as rows: TSV, JSON Lines, and columns of Parquet.

>>> match = NameMatch("J. Li", "Joe Li", 0.9, (LinkedWords("j", "joe", 0.9, "initial"),))
>>> as_tsv(match)
'J. Li\\tJoe Li\\t0.9\\tj = joe (initial)\\t\\t\\n'
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from glyphone.io.rows import ESCAPES
from glyphone.learners.matching.evidence import Link
from glyphone.matching.comparer import LinkedWords, NameMatch


def links_text(match: NameMatch) -> str:
    """The links of a match for people; of Japanese names the readings."""
    if match.readings:
        return "; ".join(f"{reading} {share:.3g} (reading)" for reading, share in match.readings)
    return "; ".join(map(link_text, match.links))


def link_text(link: LinkedWords) -> str:
    """
    >>> link_text(LinkedWords("rumyantsev", "rumyanstev", 0.9, "alike"))
    'rumyantsev ~ rumyanstev (alike 0.9)'
    """
    told = reason_text(link)
    return f"{link.first} {'=' if told == link.reason else '~'} {link.second} ({told})"


def reason_text(link: LinkedWords | Link) -> str:
    """Why words are partners, and how alike they are where letters tell it."""
    by_letters = link.reason in ("alike", "spelling")
    return f"{link.reason} {link.likeness:.2g}" if by_letters else link.reason


def as_tsv(match: NameMatch, more: Mapping[str, Any] | None = None) -> str:
    """`first, second, probability, links, words left of the first, of the second`, and more."""
    cells = [
        match.first,
        match.second,
        f"{match.probability:.4g}",
        links_text(match),
        *(" ".join(words) for words in match.left),
        *map(shown, (more or {}).values()),
    ]
    return "\t".join(cell.translate(ESCAPES) for cell in cells) + "\n"


def shown(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def as_jsonl(match: NameMatch, more: Mapping[str, Any] | None = None) -> str:
    row = {**(more or {}), "first": match.first, "second": match.second, **structure_of(match)}
    return json.dumps(row, ensure_ascii=False) + "\n"


FORMATS = {"tsv": as_tsv, "jsonl": as_jsonl}


def structure_of(match: NameMatch) -> dict[str, Any]:
    """A match without its names, as JSON and the columns of Parquet have it."""
    return {
        "probability": match.probability,
        "links": [vars(link) for link in match.links],
        "left_of_first": [*match.left[0]],
        "left_of_second": [*match.left[1]],
        "readings": [{"reading": text, "probability": share} for text, share in match.readings],
    }


def match_columns() -> list[tuple[str, Any]]:
    """The columns of a match in Parquet, and their types."""
    from glyphone.batch.arrow import import_pyarrow

    pa = import_pyarrow()
    text, number = pa.string(), pa.float64()
    link = pa.struct([("first", text), ("second", text), ("likeness", number), ("reason", text)])
    return [
        ("probability", number),
        ("links", pa.list_(link)),
        ("left_of_first", pa.list_(text)),
        ("left_of_second", pa.list_(text)),
        ("readings", pa.list_(pa.struct([("reading", text), ("probability", number)]))),
    ]


def columns_of(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> dict[str, list[Any]]:
    """Rows as columns of these names."""
    return {name: [row[name] for row in rows] for name in names}
