"""A lexicon file made into a model file, with a short report and a list of refusals.

>>> TrainJob(path="eng.tsv", output="eng.glyphone").errors_path
'eng.glyphone.errors.tsv'
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from glyphone.data import progress
from glyphone.data.errors import FormatError, ItemError
from glyphone.data.lines import open_text_output
from glyphone.data.records import Pair
from glyphone.data.writing import Case, NormalForm, Writing
from glyphone.evaluation.files import locate_error, warn_of_references
from glyphone.evaluation.page import figure_rows, relative_rows
from glyphone.fst.alignment.refusals import NothingLearnt
from glyphone.fst.alignment.training import Refusal
from glyphone.io.lexicon import LexiconFile
from glyphone.io.messages import (
    Failure,
    cost_text,
    list_failures,
    nothing_usable,
    print_message,
    report_errors,
    unread_failure,
)
from glyphone.io.paths import check_distinct, check_output
from glyphone.io.tables import format_table, percentage
from glyphone.models.kinds import AUTO, KINDS
from glyphone.training.train import Trained, kind_for, train

ENSEMBLE_CHOSEN = (
    "for so many words the kind is ensemble: the most accurate, and tens of times slower to train "
    "and to answer than one model (--kind joint)"
)


@dataclass(frozen=True, kw_only=True)
class TrainJob(LexiconFile):
    """A lexicon, how it is read, and where the model and refused entries go.

    `dev` has the same columns and units as the lexicon. The normal form "auto" is NFC, or another
    for words if they are learnt better so.
    """

    output: str
    errors: str | None = None
    dev: str | None = None
    kind: str = AUTO
    name: str = ""
    case: Case = "keep"
    normal_form: NormalForm | Literal["auto"] = "NFC"
    calibrated: bool | None = None
    seed: int = 0

    @property
    def source(self) -> Writing:
        return replace(self.target, unit=self.source_unit, case=self.case)

    @property
    def target(self) -> Writing:
        if self.of_names:
            return Writing()
        return Writing(self.target_unit, "NFC" if self.normal_form == AUTO else self.normal_form)

    @property
    def of_names(self) -> bool:
        """Whether both sides are names, which have no units."""
        return self.kind in KINDS and KINDS[self.kind].of_names

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
    check_job(job)
    entries = read_entries(job)
    if not entries.pairs and not entries.refusals:
        raise nothing_usable(job.path, [])
    dev = read_dev(job)
    # The file is opened before the long work, which would be lost if it cannot be opened.
    with open_text_output(job.errors_path) as errors:
        try:
            trained = train_entries(job, entries, dev, options or {}, jobs)
            refusals = trained.refusals
        except NothingLearnt as nothing:
            trained, refusals = None, nothing.refusals
        failures = failures_of(job, entries, refusals)
        list_failures(failures, job.path, errors)
    if trained is None:
        raise nothing_usable(job.path, failures)
    trained.save(job.output)
    refused_dev = 0
    if dev is not None and trained.evaluation is not None:
        refused_dev = len(dev.refusals)
        report_errors(dev.refusals, "lines of dev words were refused")
        warn_of_references(trained.evaluation, str(job.dev), dev.lines)
        failed = trained.evaluation.failures()
        unanswered = [
            locate_error(error, str(job.dev), dev.lines[item.pairs[0]]) for item, error in failed
        ]
        report_errors(unanswered, "dev words have no answer")
    print(training_page(job, trained, unread=len(entries.refusals)))
    if failures:
        print_message(f"{len(failures)} entries were refused; see {job.errors_path}")
    print_message(cost_text(time.perf_counter() - begun))
    return trained, len(failures) + refused_dev


def train_lexicon(path: str, output: str, *, kind: str, **options: Any) -> int:
    """Trains a kind of model with the options of a lexicon and its own, as they are given.

    Returns how many lines and entries were refused.
    """
    jobs, calibrated = options.pop("jobs", None), options.pop("calibrate", None)
    names = {option.name for option in fields(TrainJob)} & options.keys()
    of_job: dict[str, Any] = {"normal_form": AUTO, **{name: options.pop(name) for name in names}}
    job = TrainJob(path=path, output=output, kind=kind, calibrated=calibrated, **of_job)
    return train_file(job, options, jobs=jobs)[1]


def train_auto(path: str, output: str, **options: Any) -> int:
    """Trains the kind of model that suits the number of words."""
    return train_lexicon(path, output, kind=AUTO, **options)


def check_job(job: TrainJob) -> None:
    check_output(job.output)
    check_distinct(
        read=[job.path, job.dev],
        written=[job.output, job.errors_path],
        what="lexicon, dev words, model and errors",
        options="--dev, -o and --errors",
    )


def read_entries(job: TrainJob, other: str | None = None) -> Entries:
    """All entries of the lexicon, or of another file."""
    entries = Entries()
    numbered = job.entries(entries.refusals.append, other=other)
    for line, pair in progress.steps(numbered, f"reading {other or job.path}"):
        entries.lines.append(line)
        entries.pairs.append(pair)
    return entries


def read_dev(job: TrainJob) -> Entries | None:
    """The dev words; a file without one is refused at once."""
    if not job.dev:
        return None
    dev = read_entries(job, job.dev)
    if not dev.pairs:
        refused = [unread_failure(error) for error in dev.refusals]
        raise nothing_usable(job.dev, refused, remedy="fill it, or leave out --dev")
    return dev


def train_entries(
    job: TrainJob,
    entries: Entries,
    dev: Entries | None,
    options: Mapping[str, Any],
    jobs: int | None,
) -> Trained:
    if not entries.pairs:
        raise NothingLearnt("there is nothing to train on")
    if job.kind == AUTO and kind_for(entries.pairs) == "ensemble":
        print_message(ENSEMBLE_CHOSEN)
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
        **({"best_form": True} if job.normal_form == AUTO else {}),
        **options,
    )


def failures_of(job: TrainJob, entries: Entries, refusals: Sequence[Refusal]) -> list[Failure]:
    """The lines and entries that could not be read or learnt from."""
    failures = [unread_failure(error) for error in entries.refusals]
    for refusal in refusals:
        # Names are refused for what they are, too, which no option changes.
        stage, remedy = "alignment", remedy_for(refusal.pair)
        if job.of_names:
            stage, remedy = job.kind, None
        failure = ItemError(refusal.reason, stage=stage, remedy=remedy)
        word = job.source.join(refusal.pair.source)
        failures.append((entries.lines[refusal.index], word, failure))
    return failures


def remedy_for(pair: Pair) -> str | None:
    """Which option would let a pair in whose target is too long for its source."""
    if len(pair.target) <= len(pair.source):
        return None
    longest = -(-len(pair.target) // len(pair.source))
    return f"allow more by --max-target {longest}, or correct the entry"


def training_page(job: TrainJob, trained: Trained, *, unread: int) -> str:
    """Counts of entries, sizes of the model and its accuracy, as a page for people."""
    counts = trained.counts
    figures = [
        ("pairs", f"{counts['pairs']}"),
        ("refused", f"{counts['refused'] + unread}"),
        ("words", f"{counts['words']}"),
        ("with several pronunciations", f"{counts['contradictory']}"),
        ("repeated pairs", f"{counts['repeated']}"),
        *((what, f"{size}") for what, size in trained.sizes.items()),
        ("bytes", f"{os.path.getsize(job.output)}"),
    ]
    parts = [
        f"{job.output}: {trained.kind} model {trained.model.name}",
        format_table(figures, "<>"),
    ]
    evaluation, calibration = trained.evaluation, trained.calibration
    if evaluation is not None:
        parts.append(f"{job.dev}: {evaluation.items} words, {evaluation.failed} failed")
        heads = ("", "", "95 % interval")
        parts.append(
            format_table([heads, *figure_rows(evaluation), *relative_rows(evaluation)], "<>>")
        )
    if calibration is not None:
        parts.append(
            f"temperature {calibration.temperature:.3f}, fitted to these words: calibration error "
            f"{percentage(calibration.error)}, {percentage(calibration.error_before)} without it"
        )
    return "\n\n".join(parts)
