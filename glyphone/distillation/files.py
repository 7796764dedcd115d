"""A file of words made into a small model, a certificate, and the words where it differs.

>>> job = DistillJob(teacher="fra.letter_to_sound", words="words.txt", output="fra.glyphone")
>>> job.errors_path, job.differences_path
('fra.glyphone.errors.tsv', 'fra.glyphone.differences.tsv')
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from glyphone.catalog.names import split_name
from glyphone.data.errors import FormatError, ItemError
from glyphone.data.lexicons.tsv import numbered_lexicon
from glyphone.data.lines import open_text_output
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.distillation.costs import SECONDS
from glyphone.distillation.distill import HELD_OUT, TREE, Distilled, distill, load_teacher
from glyphone.distillation.patterns import Differing, Place
from glyphone.distillation.report import PATTERNS, certificate_page, symbols_text
from glyphone.distillation.words import NothingTaught, numbered_words
from glyphone.fst.interface.model import Model
from glyphone.io import rows
from glyphone.io.lexicon import file_writing
from glyphone.io.messages import (
    Failure,
    cost_text,
    list_failures,
    nothing_usable,
    print_message,
    report_errors,
)
from glyphone.io.paths import check_distinct
from glyphone.training.files import TrainJob, remedy_for
from glyphone.training.files import check_job as check_model_path


@dataclass(frozen=True, kw_only=True)
class DistillJob:
    """A teacher, words, and where the model, the differing words and the failed ones go."""

    teacher: str
    words: str
    output: str
    gold: str | None = None
    differences: str | None = None
    errors: str | None = None
    kind: str = TREE
    name: str = ""
    held_out: float = HELD_OUT
    invent: int | None = None
    patterns: int = PATTERNS
    as_json: bool = False
    seed: int = 0

    @property
    def errors_path(self) -> str:
        return self.errors or f"{self.output}.errors.tsv"

    @property
    def differences_path(self) -> str:
        return self.differences or f"{self.output}.differences.tsv"


def distill_file(
    job: DistillJob, options: Mapping[str, Any] | None = None, *, jobs: int | None = None
) -> tuple[Distilled, int]:
    """Distils and saves a model; with it, how many words and lines failed."""
    begun = time.perf_counter()
    check_job(job)
    teacher, _ = load_teacher(job.teacher)
    words = numbered_words(job.words)
    if not words:
        raise FormatError("holds no words", path=job.words, remedy="write one word a line")
    refused_gold: list[FormatError] = []
    gold = None if job.gold is None else gold_pairs(job.gold, teacher, refused_gold)
    # Files are opened before the long work, so that it is not the end of it that they cannot be.
    with (
        open_text_output(job.errors_path) as errors,
        open_text_output(job.differences_path) as differing,
    ):
        try:
            distilled = distilled_by(job, [word for _, word in words], gold, options or {}, jobs)
        except NothingTaught as nothing:
            nothing.path = job.words
            raise
        failures = failures_of(distilled, words)
        list_failures(failures, job.words, errors)
        target = teacher.target.writing
        found = distilled.certificate.differing
        differing.write("".join(difference_row(word, target) for word in found))
    distilled.save(job.output)
    report_errors(refused_gold, "lines of gold words were refused")
    certificate = distilled.certificate
    if job.as_json:
        print(json.dumps(certificate.as_dict(), ensure_ascii=False))
    else:
        print(certificate_page(certificate, most=job.patterns))
    if certificate.differing:
        print_message(f"{len(certificate.differing)} words differ; see {job.differences_path}")
    if failures:
        print_message(f"{len(failures)} words were not learnt; see {job.errors_path}")
    print_message(cost_text(time.perf_counter() - begun))
    return distilled, len(failures) + len(refused_gold)


def distilled_by(
    job: DistillJob,
    words: Sequence[str],
    gold: list[Pair] | None,
    options: Mapping[str, Any],
    jobs: int | None,
) -> Distilled:
    return distill(
        job.teacher,
        words,
        kind=job.kind,
        gold=gold,
        held_out=job.held_out,
        invent=job.invent,
        seed=job.seed,
        jobs=jobs,
        name=job.name,
        seconds=SECONDS,
        **options,
    )


def check_job(job: DistillJob) -> None:
    check_distinct(
        read=[job.words, job.gold, split_name(job.teacher)[0]],
        written=[job.output, job.errors_path, job.differences_path],
        what="teacher, words, gold words, model, differences and errors",
        options="--words, --gold, -o, --differences and --errors",
    )
    check_model_path(TrainJob(path=job.words, output=job.output, errors=job.errors))


def gold_pairs(path: str, teacher: Model, refused: list[FormatError]) -> list[Pair]:
    """The pairs of a lexicon in the teacher's own units."""
    entries = numbered_lexicon(
        path,
        source=file_writing(teacher.source.writing, None),
        target=file_writing(teacher.target.writing, None),
        on_error=refused.append,
    )
    pairs = [pair for _, pair in entries]
    if not pairs and refused:
        raise refused[0]
    if not pairs:
        raise nothing_usable(path, [])
    return pairs


def failures_of(distilled: Distilled, words: Sequence[tuple[int, str]]) -> list[Failure]:
    """The words without an answer, and those that could not be learnt from."""
    failures: list[Failure] = [
        (words[silence.number][0], silence.text, silence.error) for silence in distilled.silent
    ]
    for number, reason, pair in distilled.refused:
        error = ItemError(reason, stage="alignment", remedy=remedy_for(pair))
        failures.append((*words[number], error))
    return failures


def difference_row(word: Differing, target: Writing) -> str:
    """`word, the teacher's answer, the student's, held out or learnt, places`; no header.

    The first two columns are a lexicon of exceptions: with it, the student answers as the teacher
    does. A place is `letters in before_after: teacher's symbols / student's`.
    """
    columns = [
        word.text,
        target.join(word.teacher),
        "" if word.student is None else target.join(word.student),
        "held out" if word.held_out else "learnt",
        "; ".join(map(place_text, word.places)),
    ]
    return "\t".join(map(rows.printable_field, columns)) + "\n"


def place_text(place: Place) -> str:
    around = f"{place.before or '#'}_{place.after or '#'}"
    changed = f"{symbols_text(place.teacher)} / {symbols_text(place.student)}"
    return f"{place.letters or '∅'} in {around}: {changed}"
