"""A pipeline on every line of a file: constant memory, input order, failed items in a file aside.

Of each candidate TSV has the line, where it begins and ends, its text, its value and its score;
what would end a column or a row is written \\t, \\n, \\r, and \\ is written twice. JSON Lines
have the fields of each item with its `candidates`, and those `rejected` if there are any.

>>> item = Item("call 1\\t2", (Candidate((5, 8), "1\\t2", "12", {"words": 1}, 0.5),), line=3)
>>> as_tsv(item) == "3\\t5\\t8\\t1\\\\t2\\t12\\t0.5\\n"
True
>>> json.loads(as_jsonl(item))["candidates"][0]["features"]
{'words': 1}
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from glyphone import rows
from glyphone.batch import progress_bar
from glyphone.batch_job import Job
from glyphone.batch_resuming import summed_up
from glyphone.data.lines import TextOutput, open_text_output
from glyphone.data.records import Candidate
from glyphone.io.paths import check_distinct
from glyphone.journal import Progress
from glyphone.pipeline import Pipeline
from glyphone.pipelines.profile import Counts
from glyphone.pipelines.reading import read
from glyphone.stages import Item


@dataclass(frozen=True, kw_only=True)
class RunJob(Job):
    """What a pipeline is run on; `model` is its file, and `reads` the form of the input."""

    reads: str = "tsv"


def form_of(given: str | None, path: str) -> str:
    """What was asked for, or what the name of a file says.

    >>> form_of(None, "in.jsonl.gz"), form_of(None, "-"), form_of("tsv", "in.jsonl")
    ('jsonl', 'tsv', 'tsv')
    """
    named = path.lower().removesuffix(".gz").endswith(".jsonl")
    return given or ("jsonl" if named else "tsv")


def save(pipeline: Pipeline, path: str, job: RunJob) -> None:
    """Puts a pipeline with its models into one file, which is no other file of the job."""
    from glyphone.io.paths import check_output

    check_output(path, option="--save")
    check_distinct(
        read=[job.source, job.model],
        written=[path, job.output, job.errors_path],
        what="pipeline, input, output, errors and what is saved",
        options="--save, -o and --errors",
    )
    pipeline.save(path)


def run(pipeline: Pipeline, job: RunJob, *, jobs: int | None = None) -> tuple[int, list[Counts]]:
    """Does the job; how many items failed, and what each stage had to do."""
    pipeline.reading.check(job.reads)
    check_distinct(
        read=[job.source, job.model],
        written=[job.output, job.errors_path],
        what="pipeline, input, output and errors",
        options="-o and --errors",
    )
    if job.source == "-" and sys.stdin is not None and sys.stdin.isatty():
        jobs = 1  # a person waits for each answer
    done, totals = Progress({}), [Counts()] * len(pipeline.stages)
    with ExitStack() as stack:
        output = stack.enter_context(open_text_output(job.output))
        errors = None
        if job.errors_path:
            errors = stack.enter_context(open_text_output(job.errors_path))
            errors.write(rows.ERROR_HEADER)
        bar = stack.enter_context(progress_bar(job, done))
        blocks = read(job.source, pipeline.reading, job.reads)
        for items, counts in pipeline.blocks(blocks, jobs=jobs):
            output.write("".join(FORMATS[job.format](item) for item in items if not item.error))
            output.flush()
            failed = done.failed + tell(items, errors)
            done = replace(done, lines=done.lines + len(items), failed=failed)
            totals = [total + more for total, more in zip(totals, counts, strict=True)]
            bar.update(len(items))
    return summed_up(done, job), totals


def tell(items: Sequence[Item], errors: TextOutput | None) -> int:
    """Writes down what failed, and counts it."""
    failed = [(item, item.error) for item in items if item.error]
    failures = "".join(rows.error_row(item.line, item.text, error) for item, error in failed)
    if errors is not None:
        errors.write(failures)
    else:
        print(failures, end="", file=sys.stderr)
    return len(failed)


def as_tsv(item: Item) -> str:
    return "".join(
        "\t".join([str(item.line), *map(str, c.span), *rows.escaped([c.text, c.value])])
        + f"\t{c.score:.6g}\n"
        for c in item.candidates
    )


def as_jsonl(item: Item) -> str:
    found = {**item.fields, "candidates": [*map(fields_of, item.candidates)]}
    found |= {"rejected": [*map(fields_of, item.rejected)]} if item.rejected else {}
    return json.dumps(found, ensure_ascii=False) + "\n"


def fields_of(candidate: Candidate) -> dict[str, Any]:
    return {
        "span": candidate.span,
        "text": candidate.text,
        "value": candidate.value,
        "features": dict(candidate.features),
        "score": candidate.score,
    }


FORMATS: dict[str, Callable[[Item], str]] = {"tsv": as_tsv, "jsonl": as_jsonl}
