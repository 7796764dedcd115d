"""A lexicon file made into a model file, with a short report and a list of what was refused.

>>> TrainJob(path="eng.tsv", output="eng.glyphone").errors_path
'eng.glyphone.errors.tsv'
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from tqdm import tqdm

from glyphone import rows
from glyphone.batch import is_stream, same_file
from glyphone.data.errors import FormatError, GlyphoneError, ItemError
from glyphone.data.lexicon import numbered_lexicon
from glyphone.data.lines import open_text_output
from glyphone.data.records import Pair
from glyphone.data.writing import Case, NormalForm, Unit, Writing
from glyphone.fst.align import Refusal
from glyphone.references import located, say, tell, warn
from glyphone.scorecard import figure_rows, share, table
from glyphone.training import AUTO, NothingLearnt, Trained, train


@dataclass(frozen=True, kw_only=True)
class TrainJob:
    """A lexicon, how it is read, and where the model and refused entries go.

    Columns count from 1. `dev` has the same columns and units as the lexicon.
    """

    path: str
    output: str
    errors: str | None = None
    dev: str | None = None
    kind: str = AUTO
    name: str = ""
    source_column: int = 1
    target_column: int = 2
    weight_column: int | None = None
    source_unit: Unit = "codepoint"
    target_unit: Unit = "token"
    case: Case = "keep"
    normal_form: NormalForm = "NFC"
    calibrated: bool | None = None
    seed: int = 0

    @property
    def source(self) -> Writing:
        return Writing(self.source_unit, self.normal_form, self.case)

    @property
    def target(self) -> Writing:
        return Writing(self.target_unit, self.normal_form)

    @property
    def errors_path(self) -> str:
        return self.errors or f"{self.output}.errors.tsv"


@dataclass
class Entries:
    """The entries of a file by their lines, and the lines that are none."""

    lines: list[int] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    refusals: list[FormatError] = field(default_factory=list)


def train_file(
    job: TrainJob, options: Mapping[str, Any] | None = None, *, jobs: int | None = None
) -> tuple[Trained, int]:
    """Trains and saves a model; with it, how many lines and entries were refused."""
    begun = time.perf_counter()
    check(job)
    entries = read(job, job.path)
    if not entries.pairs and not entries.refusals:
        remedy = "write WORD<TAB>PRONUNCIATION, one pronunciation a line"
        raise FormatError("holds no entries", path=job.path, remedy=remedy)
    dev = held_out(job)
    # The file is opened before the long work, so that it is not the end of it that it cannot be.
    with open_text_output(job.errors_path) as errors:
        try:
            trained = trained_on(job, entries, dev, options or {}, jobs)
            refusals = trained.refusals
        except NothingLearnt as nothing:
            trained, refusals = None, nothing.refusals
        failures = failures_of(job, entries, refusals)
        errors.write(rows.ERROR_HEADER + "".join(rows.error_row(*row) for row in failures))
    if trained is None:
        raise nothing_left(job, failures)
    trained.save(job.output)
    refused_dev = 0
    if dev is not None and trained.evaluation is not None:
        refused_dev = len(dev.refusals)
        tell(dev.refusals, "lines of dev words were refused")
        warn(trained.evaluation, str(job.dev), dev.lines)
        failed = trained.evaluation.failures()
        told = [located(error, str(job.dev), dev.lines[item.pairs[0]]) for item, error in failed]
        tell(told, "dev words have no answer")
    print(report(job, trained, unread=len(entries.refusals)))
    if failures:
        say(f"{len(failures)} entries were refused; see {job.errors_path}")
    say(cost(time.perf_counter() - begun))
    return trained, len(failures) + refused_dev


def check(job: TrainJob) -> None:
    folder = os.path.dirname(job.output) or "."
    if os.path.isdir(job.output) or not os.path.isdir(folder):
        message = "is a folder" if os.path.isdir(job.output) else "lies in no folder that exists"
        raise FormatError(message, path=job.output, remedy="name another file with -o")
    if is_stream(job.output):
        remedy = "name a file with -o"
        raise GlyphoneError("a model cannot be written to a stream", path=job.output, remedy=remedy)
    paths = [path for path in (job.path, job.dev, job.output, job.errors_path) if path]
    for one, other in combinations(paths, 2):
        if same_file(one, other) or (job.path == job.dev == "-"):
            raise GlyphoneError(
                "lexicon, dev words, model and errors must be different files",
                path=one,
                remedy="name other files with --dev, -o and --errors",
            )


def read(job: TrainJob, path: str) -> Entries:
    """All entries of a file, with a bar on a terminal."""
    entries = Entries()
    numbered = numbered_lexicon(
        path,
        source=job.source,
        target=job.target,
        source_column=job.source_column,
        target_column=job.target_column,
        weight_column=job.weight_column if path == job.path else None,
        on_error=entries.refusals.append,
    )
    for line, pair in tqdm(
        numbered,
        desc=f"reading {path}",
        unit=" pairs",
        unit_scale=True,
        disable=not sys.stderr.isatty(),
        file=sys.stderr,
    ):
        entries.lines.append(line)
        entries.pairs.append(pair)
    return entries


def held_out(job: TrainJob) -> Entries | None:
    """The dev words; a file without one is refused at once."""
    if not job.dev:
        return None
    dev = read(job, job.dev)
    if not dev.pairs and dev.refusals:
        dev.refusals[0].message += f"; none of {len(dev.refusals)} lines can be used"
        raise dev.refusals[0]
    if not dev.pairs:
        raise FormatError("holds no entries", path=job.dev, remedy="fill it, or leave out --dev")
    return dev


def trained_on(
    job: TrainJob,
    entries: Entries,
    dev: Entries | None,
    options: Mapping[str, Any],
    jobs: int | None,
) -> Trained:
    if not entries.pairs:
        raise NothingLearnt("there is nothing to train on")
    return train(
        entries.pairs,
        kind=job.kind,
        dev=None if dev is None else dev.pairs,
        source=job.source,
        target=job.target,
        calibrated=job.calibrated,
        seed=job.seed,
        jobs=jobs,
        name=job.name,
        on_stage=lambda stage: say(stage) if sys.stderr.isatty() else None,
        **options,
    )


def failures_of(
    job: TrainJob, entries: Entries, refusals: Sequence[Refusal]
) -> list[tuple[int, str, ItemError]]:
    """What could not be read or learnt from, in the order of lines."""
    failures = []
    for error in entries.refusals:
        failure = ItemError(
            error.message,
            stage="reading",
            symbol=error.symbol,
            offset=error.offset,
            remedy=error.remedy,
        )
        failures.append((error.line or 0, error.item or "", failure))
    for refusal in refusals:
        failure = ItemError(refusal.reason, stage="alignment", remedy=remedy_for(refusal.pair))
        word = job.source.join(refusal.pair.source)
        failures.append((entries.lines[refusal.index], word, failure))
    return sorted(failures, key=lambda failure: failure[0])


def remedy_for(pair: Pair) -> str | None:
    """Which option would let a pair in whose target is too long for its source."""
    if len(pair.target) <= len(pair.source):
        return None
    longest = -(-len(pair.target) // len(pair.source))
    return f"allow more by --max-target {longest}, or correct the entry"


def nothing_left(job: TrainJob, failures: Sequence[tuple[int, str, ItemError]]) -> FormatError:
    line, _, error = failures[0]
    return FormatError(
        f"{error.message}; none of {len(failures)} entries can be used",
        path=job.path,
        line=line,
        remedy=error.remedy or "write WORD<TAB>PRONUNCIATION, one pronunciation a line",
    )


def report(job: TrainJob, trained: Trained, *, unread: int) -> str:
    """What went in, what came out, and how good it is, for people."""
    counts = trained.counts
    figures = [
        ("pairs", f"{counts['pairs']}"),
        ("refused", f"{counts['refused'] + unread}"),
        ("words", f"{counts['words']}"),
        ("with several pronunciations", f"{counts['contradictory']}"),
        ("repeated pairs", f"{counts['repeated']}"),
        ("units", f"{counts['units']}"),
        ("n-grams", f"{counts['n-grams']}"),
        ("bytes", f"{os.path.getsize(job.output)}"),
    ]
    parts = [f"{job.output}: {trained.kind} model {trained.model.name}", table(figures, "<>")]
    evaluation, calibration = trained.evaluation, trained.calibration
    if evaluation is not None:
        parts.append(f"{job.dev}: {evaluation.items} words, {evaluation.failed} failed")
        heads = ("", "", "95 % interval")
        parts.append(table([heads, *figure_rows(evaluation)], "<>>"))
    if calibration is not None:
        parts.append(
            f"temperature {calibration.temperature:.3f}, fitted to these words: calibration error "
            f"{share(calibration.error)}, {share(calibration.error_before)} without it"
        )
    return "\n\n".join(parts)


def cost(seconds: float) -> str:
    try:
        import resource
    except ImportError:  # not on Windows
        return f"{seconds:.1f} s"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    mebibytes = peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return f"{seconds:.1f} s, {mebibytes:.0f} MiB at most"
