"""Lists of names compared: the best partners of each name, in its list or in another, or clusters.

A name that stands on several lines of a list is compared once; rows have all of its lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

import numpy as np

from glyphone.batch.arrow import import_pyarrow
from glyphone.batch.driver import Chunk, Sink, Task, Worked, run_task
from glyphone.batch.job import Files
from glyphone.batch.journal import Journal
from glyphone.batch.sinks import TextSink
from glyphone.batch.sources import TextSource
from glyphone.data.errors import GlyphoneError
from glyphone.data.processes import map_in_processes
from glyphone.io.formats import PARQUET
from glyphone.io.messages import Failure, failure_text, print_message
from glyphone.io.paths import check_distinct, is_stream
from glyphone.matching import candidates, rows
from glyphone.matching.candidates import MOST, Candidates
from glyphone.matching.cluster_rows import ClusterSink
from glyphone.matching.comparer import Comparer, NameMatch
from glyphone.matching.name_lists import NameList, read_list
from glyphone.matching.tables import Column

Array = Any
# Pairs of a chunk, if its last name has not more.
BLOCK: Final = 2_000
THRESHOLD: Final = 0.5
# Less probable pairs count as pairs that nobody compared.
IMPROBABLE: Final = 1e-3


@dataclass(frozen=True, kw_only=True)
class ListJob(Files):
    """A list of names, or two, and where partners or clusters go.

    Partners are the best `top` of each name that have a probability of at least `least`. `columns`
    are those of the names in both lists.
    """

    other: str | None = None
    columns: tuple[Column | None, Column | None] = (None, None)
    top: int = 1
    clusters: bool = False
    least: float = THRESHOLD

    def settings(self, fingerprint: str) -> dict[str, Any]:
        return {
            **super().settings(fingerprint),
            "columns": [*self.columns],
            "--top": self.top,
            "--clusters": self.clusters,
            "--threshold": self.least,
        }


@dataclass(frozen=True)
class PairChunks(TextSource):
    """Pairs of places in lists, those of a name of the first list together; the items of a chunk
    are the bounds of its pairs, and the failures of reading, with the first."""

    pairs: Array
    crc: int
    failures: Sequence[Failure]
    names: int

    @property
    def settings(self) -> dict[str, Any]:
        return {"names": self.crc, "pairs": len(self.pairs)}

    @property
    def total(self) -> int:
        return self.names + len(self.failures)

    def all_chunks(self) -> Iterator[Chunk]:
        firsts = self.pairs[:, 0]
        begin, done, failures = 0, 0, self.failures
        while begin < len(firsts) or not done:
            end = min(begin + BLOCK, len(firsts))
            if end < len(firsts):
                last = int(firsts[end - 1])
                end = int(np.searchsorted(firsts, last, "right"))
                names = last + 1
            else:
                names = self.names
            size = names - done + len(failures)
            yield Chunk((begin, end, failures), names, self.crc, size)
            begin, done, failures = end, names, ()


def match_lists(
    comparer: Comparer,
    fingerprint: str,
    job: ListJob,
    *,
    jobs: int | None = None,
    resume: bool = False,
) -> int:
    """Compare the names of a list with each other, or with those of another list; write partners or
    clusters, and return how many names failed."""
    check_lists(job, resume=resume)
    options = (
        ("--column", "--column") if job.other is None else ("--first-column", "--second-column")
    )
    first = read_list(job.source, job.columns[0], options[0])
    if job.other is None:
        second, failures = first, first.failures
        words = comparer.words_of(first.names)
        found = candidates.within(first.names, most=max(MOST, job.top), jobs=jobs, words=words)
    else:
        second = read_list(job.other, job.columns[1], options[1], "second list")
        failures = [*first.failures, *second.failures]
        words = comparer.words_of([*first.names, *second.names])
        found = candidates.between(
            first.names, second.names, most=max(MOST, job.top), jobs=jobs, words=words
        )
    print_message(f"{told_names(first, second)}; {found.summary}")
    pairs = found.pairs if job.clusters or job.other else with_equal(first, found)
    source = PairChunks(job.source, pairs, first.crc ^ second.crc, failures, len(first.names))
    work = Partners(comparer, job, first, second, pairs)
    task = Task(
        files=job,
        settings=job.settings(fingerprint),
        source=source,
        sink=sink_of(job, first),
        work=work.likely_pairs if job.clusters else work,
        items="names",
        failure_row=failure_text(job.source),
        workers=map_in_processes,
    )
    return run_task(task, jobs=jobs, resume=resume)


def check_lists(job: ListJob, *, resume: bool) -> None:
    """Refuse jobs that cannot be done, before anything is read."""
    if job.clusters and job.other is not None:
        remedy = "put both into one file, or leave out --clusters"
        raise GlyphoneError("clusters are those of one list", remedy=remedy)
    if job.clusters and job.format == PARQUET:
        raise GlyphoneError("clusters are written as text", remedy="name -o FILE.tsv or FILE.jsonl")
    if is_stream(job.output) and (resume or job.format == PARQUET):
        what = "--resume needs a file to go on with" if resume else "Parquet is written to a file"
        raise GlyphoneError(what, path=job.output, remedy="name one with -o")
    journal = None if is_stream(job.output) else str(Journal.beside(job.output).path)
    check_distinct(
        read=[job.source, job.other],
        written=[job.output, job.errors_path, journal],
        what="lists, results, errors and journal",
        options="-o and --errors",
        shared=True,
    )


def told_names(first: NameList, second: NameList) -> str:
    sizes = [len(one.names) for one in ((first,) if first is second else (first, second))]
    return f"{' and '.join(map(str, sizes))} different names"


def with_equal(names: NameList, found: Candidates) -> Array:
    """The pairs of a list from each of both names, and of each name that stands on several lines
    with itself."""
    several = np.array([k for k, lines in enumerate(names.lines) if len(lines) > 1], np.int64)
    equal = np.stack([several, several], 1)
    return candidates.both_ways(np.concatenate([found.pairs, equal]))


@dataclass(frozen=True)
class Partners:
    """The rows of a chunk of pairs: of each name the best partners."""

    comparer: Comparer
    job: ListJob
    first: NameList
    second: NameList
    pairs: Array

    def __call__(self, items: tuple[int, int, Sequence[Failure]]) -> Worked:
        chosen: list[tuple[NameMatch, dict[str, Any]]] = []
        begin, end, failures = items
        matched = zip(self.pairs[begin:end].tolist(), self.matches(begin, end), strict=True)
        for _, own in groupby(matched, key=lambda row: row[0][0]):
            likely = [row for row in own if row[1].probability >= self.job.least]
            likely.sort(key=lambda row: (-row[1].probability, row[0][1]))
            for (i, j), match in likely[: self.job.top]:
                lines = {"lines": self.first.lines[i], "partner_lines": self.second.lines[j]}
                chosen.append((match, lines))
        return Worked(written_rows(chosen, self.job), failures)

    def matches(self, begin: int, end: int) -> list[NameMatch]:
        pairs = self.pairs[begin:end].tolist()
        return self.comparer.matches(
            [(self.first.names[i], self.second.names[j]) for i, j in pairs]
        )

    def likely_pairs(self, items: tuple[int, int, Sequence[Failure]]) -> Worked:
        """The pairs of a chunk that are not improbable, with their probabilities, as text."""
        begin, end, failures = items
        matched = zip(self.pairs[begin:end].tolist(), self.matches(begin, end), strict=True)
        likely = (
            f"{i}\t{j}\t{match.probability!r}\n"
            for (i, j), match in matched
            if match.probability >= IMPROBABLE
        )
        return Worked("".join(likely), failures)


def written_rows(chosen: Sequence[tuple[NameMatch, dict[str, Any]]], job: ListJob) -> Any:
    """Partners as text, or as a table of Parquet."""
    if job.format != PARQUET:
        return "".join(rows.FORMATS[job.format](match, lines) for match, lines in chosen)
    schema = partner_schema()
    found = [
        {"first": match.first, "second": match.second, **rows.structure_of(match), **lines}
        for match, lines in chosen
    ]
    return import_pyarrow().Table.from_pylist(found, schema=schema)


def partner_schema() -> Any:
    pa = import_pyarrow()
    lines = pa.list_(pa.int64())
    columns = [
        *(("first", pa.string()), ("second", pa.string())),
        *rows.match_columns(),
        *(("lines", lines), ("partner_lines", lines)),
    ]
    return pa.schema(columns)


def sink_of(job: ListJob, names: NameList) -> Sink:
    if job.clusters:
        return ClusterSink(job.output, names, job.least, job.format)
    if job.format == PARQUET:
        from glyphone.batch.parquet import PartSink

        return PartSink(job.output, partner_schema())
    return TextSink(job.output)
