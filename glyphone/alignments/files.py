"""A lexicon file aligned: its input, its outputs, and a short report.

>>> AlignJob(path="spa.tsv", output="spa.aligned.tsv").errors_path
'spa.aligned.tsv.errors.tsv'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field

import numpy as np

from glyphone.alignments.align import Aligned, align_pairs, aligner_options, check_options
from glyphone.alignments.rows import FORMATS
from glyphone.data import progress
from glyphone.data.errors import FormatError, ItemError
from glyphone.data.lines import TextOutput, open_text_output, read_lines
from glyphone.data.parallel import available_cores
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.fst.alignment.corpus import target_lengths
from glyphone.fst.alignment.training import AlignmentModel, AlignmentOptions, Refusal, fit
from glyphone.io.lexicon import LexiconFile
from glyphone.io.messages import (
    Failure,
    list_failures,
    nothing_usable,
    print_message,
    unread_failure,
)
from glyphone.io.paths import check_distinct, default_errors_path


@dataclass(frozen=True, kw_only=True)
class AlignJob(LexiconFile):
    """A lexicon, how it is read, and where alignments and failed entries go.

    `rules` names a file of rule pairs, in two columns of the same units.
    """

    output: str = "-"
    errors: str | None = None
    rules: str | None = None
    n: int = 1
    one_to_one: bool = False
    format: str = "tsv"

    @property
    def errors_path(self) -> str:
        """Failed entries go beside the output, or to stderr."""
        return self.errors or default_errors_path(self.output)


@dataclass
class Tally:
    """Counts of entries by their outcome."""

    aligned: int = 0
    composed: int = 0
    unread: int = 0
    log_likelihood: float = 0.0
    weight: float = 0.0
    failures: list[Failure] = field(default_factory=list)

    def add(self, entry: Aligned) -> None:
        self.aligned += 1
        self.composed += entry.composed
        self.log_likelihood += entry.pair.weight * entry.log_probability
        self.weight += entry.pair.weight

    def report(self, model: AlignmentModel, errors_path: str) -> str:
        parts = [f"{self.aligned} pairs aligned"]
        if self.composed:
            parts.append(f"{self.composed} of them with several symbols in one gap")
        parts.append(f"{len(self.failures) - self.unread} refused")
        if self.unread:
            parts.append(f"{self.unread} lines not read")
        parts.append(f"{len(model.keys)} units")
        parts.append(f"{len(model.log_likelihoods)} rounds")
        if self.weight:
            mean = self.log_likelihood / self.weight
            parts.append(f"log likelihood per pair {mean:.4f}")
        where = f"; see {errors_path}" if self.failures and errors_path.strip("-") else ""
        return ", ".join(parts) + where


def align_file(
    job: AlignJob, options: AlignmentOptions | None = None, *, jobs: int | None = None
) -> int:
    """Aligns every entry, in order, and returns how many failed or could not be read."""
    options = options or aligner_options(one_to_one=job.one_to_one)
    check_options(options, n=job.n, one_to_one=job.one_to_one)
    check_distinct(
        read=[job.path, job.rules],
        written=[job.output, job.errors_path],
        what="lexicon, rules, output and errors",
        options="--rules, -o and --errors",
    )
    jobs, tally = jobs or available_cores(), Tally()
    rules = read_rules(job.rules, job.source, job.target) if job.rules else []
    options.shares(rules=bool(rules))  # which refuses weights before a file is begun
    lines, pairs = read_entries(job, tally)
    # Files are opened before the fit, so that it is not the end of a long run that one cannot be.
    with open_text_output(job.errors_path) if job.errors_path else nullcontext() as errors:
        if pairs:
            with open_text_output(job.output) as output:
                model = fit(pairs, options, rule_pairs=rules, jobs=jobs)
                entries = aligned_entries(job, model, lines, pairs, jobs)
                write_alignments(job, entries, options, output, tally)
        list_failures(tally.failures, job.path, errors)
    if not pairs:
        raise nothing_usable(job.path, tally.failures)
    print_message(f"{job.path}: {tally.report(model, job.errors_path)}")
    return len(tally.failures)


def read_entries(job: AlignJob, tally: Tally) -> tuple[list[int], list[Pair]]:
    """The entries and their lines; a line that is no entry is a failure."""
    numbered = list(job.entries(lambda error: tally.failures.append(unread_failure(error))))
    tally.unread = len(tally.failures)
    return [line for line, _ in numbered], [pair for _, pair in numbered]


def read_rules(path: str, source: Writing, target: Writing) -> list[Pair]:
    """Rule pairs, LETTERS<TAB>PHONES; of a rule that deletes or inserts, one side is empty."""
    rules = []
    for number, line in read_lines(path):
        if not line:
            continue
        remedy = "write LETTERS<TAB>PHONES, of which one may be empty"
        columns = line.split("\t")
        try:
            if len(columns) < 2:
                raise ItemError("column 2 is missing: 1 column found", remedy=remedy)
            pair = Pair(source.split(columns[0]).symbols, target.split(columns[1]).symbols)
            if not pair.source and not pair.target:
                raise ItemError("both sides are empty", remedy=remedy)
        except ItemError as error:
            raise FormatError(
                error.message, path=path, line=number, symbol=error.symbol, remedy=error.remedy
            ) from error
        rules.append(pair)
    if not rules:
        raise FormatError("holds no rules", path=path, remedy="fill it, or leave out --rules")
    return rules


def aligned_entries(
    job: AlignJob, model: AlignmentModel, lines: list[int], pairs: list[Pair], jobs: int
) -> Iterator[tuple[int, Aligned | Refusal]]:
    """The alignments or the failure of each line."""
    entries = align_pairs(model, pairs, n=job.n, one_to_one=job.one_to_one, jobs=jobs)
    aligned = zip(lines, entries, strict=True)
    yield from progress.steps(aligned, f"writing {job.path}", total=len(pairs))


def write_alignments(
    job: AlignJob,
    entries: Iterable[tuple[int, Aligned | Refusal]],
    options: AlignmentOptions,
    output: TextOutput,
    tally: Tally,
) -> None:
    for line, entry in entries:
        if isinstance(entry, Refusal):
            remedy = remedy_of(entry.pair, options)
            error = ItemError(entry.reason, stage="alignment", remedy=remedy)
            tally.failures.append((line, job.source.join(entry.pair.source), error))
            continue
        text = FORMATS[job.format](
            line, entry, job.source, job.target, weights=job.weight_column is not None
        )
        # A reader drops one byte order mark; a word that begins with one needs another.
        if not tally.aligned and text.startswith("\ufeff"):
            output.write("\ufeff")
        output.write(text)
        tally.add(entry)


def remedy_of(pair: Pair, options: AlignmentOptions) -> str | None:
    """Which option would align a pair whose sides are of too different lengths."""
    fewest, most = target_lengths(np.int64(len(pair.source)), options)
    if len(pair.target) > most:
        longer = -(-len(pair.target) // len(pair.source))
        return f"allow more by --max-target {longer} or by --insertions, or correct the entry"
    if len(pair.target) < fewest:
        return "allow --deletions or a larger --max-source, or correct the entry"
    return None
