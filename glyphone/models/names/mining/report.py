"""The report of the miner: candidates, pairs kept and dropped, with reasons and examples.

>>> report = Report("hin", "Hindi", {"cldr": 2}, 3, 1, {"cldr": 1}, {"not found": 2}, {}, [])
>>> print(text_of(report))
Hindi (hin): 1 of 3 pairs of words kept
<BLANKLINE>
source  names  pairs kept
cldr        2           1
<BLANKLINE>
dropped    pairs  examples
not found      2
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import asdict, dataclass

from glyphone.io.tables import format_table
from glyphone.models.names.languages import Language
from glyphone.models.names.mining.candidates import Pool
from glyphone.models.names.mining.filter import Judged, Round

EXAMPLES = 5


@dataclass(frozen=True)
class Report:
    """Figures of one run; a pair with several sources counts for the first of them."""

    language: str
    name: str
    names: dict[str, int]
    candidates: int
    kept: int
    kept_by_source: dict[str, int]
    dropped: dict[str, int]
    examples: dict[str, list[str]]
    rounds: list[Round]


def report_of(language: Language, pool: Pool, judged: Judged, *, seed: int = 0) -> Report:
    """Examples are drawn by the seed."""
    dropped = {reason: list(pairs) for reason, pairs in pool.dropped.items()}
    for one in judged.verdicts:
        if one.reason:
            pair = f"{one.candidate.latin} {one.candidate.native}"
            dropped.setdefault(one.reason, []).append(pair)
    draw = random.Random(seed)
    kept = [one.candidate for one in judged.verdicts if not one.reason]
    return Report(
        language=language.code,
        name=language.name,
        names=dict(sorted(pool.names.items())),
        candidates=len(judged.verdicts),
        kept=len(kept),
        kept_by_source=dict(sorted(Counter(one.keys[0][0] for one in kept).items())),
        dropped={reason: len(pairs) for reason, pairs in sorted(dropped.items())},
        examples={
            reason: sorted(draw.sample(pairs, min(EXAMPLES, len(pairs))))
            for reason, pairs in sorted(dropped.items())
        },
        rounds=judged.rounds,
    )


def text_of(report: Report) -> str:
    """A page for people."""
    sections = [
        f"{report.name} ({report.language}): {report.kept:,} of {report.candidates:,} pairs of "
        "words kept"
    ]
    rows = [
        (source, f"{count:,}", f"{report.kept_by_source.get(source, 0):,}")
        for source, count in report.names.items()
    ]
    sections.append(format_table([("source", "names", "pairs kept"), *rows], "<>>"))
    if report.rounds:
        figures = [
            (str(number), f"{one.learnt:,}", f"{one.found:,}", f"{one.changed:,}")
            for number, one in enumerate(report.rounds, 1)
        ]
        sections.append(
            format_table([("round", "learnt from", "found", "changed"), *figures], ">>>>")
        )
    if report.dropped:
        lines = [
            (reason, f"{count:,}", ", ".join(report.examples.get(reason, ())))
            for reason, count in report.dropped.items()
        ]
        sections.append(format_table([("dropped", "pairs", "examples"), *lines], "<><"))
    return "\n\n".join(sections)


def json_of(report: Report) -> str:
    """The report as one JSON object."""
    return json.dumps(asdict(report), ensure_ascii=False, indent=2)
