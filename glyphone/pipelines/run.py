"""A pipeline on every line of a file: constant memory, input order, failed items in a file aside.

Of each candidate TSV has the line, where it begins and ends, its text, its value and its score;
what would end a column or a row is written \\t, \\n, \\r, and \\ is written twice. JSON Lines
have the fields of each item with its `candidates`, and those `rejected` if there are any. To rows
of Parquet columns are added: `candidates`, a list of structures, and `error`.

>>> item = Item("call 1\\t2", (Candidate((5, 8), "1\\t2", "12", {"words": 1}, 0.5),), line=3)
>>> as_tsv(item) == "3\\t5\\t8\\t1\\\\t2\\t12\\t0.5\\n"
True
>>> json.loads(as_jsonl(item))["candidates"][0]["features"]
{'words': 1}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from glyphone.batch.driver import Task, Worked, run_task
from glyphone.batch.job import Files, check_files
from glyphone.batch.sinks import TextSink
from glyphone.data.errors import ItemError
from glyphone.data.lines import is_text
from glyphone.data.records import Candidate
from glyphone.io import rows
from glyphone.io.formats import PARQUET
from glyphone.io.messages import Failure
from glyphone.io.paths import check_distinct
from glyphone.pipelines.pipeline import Pipeline
from glyphone.pipelines.profile import Counts
from glyphone.pipelines.reading import Documents
from glyphone.pipelines.registry import Item

if TYPE_CHECKING:
    from glyphone.batch.parquet import AddedColumns, Row


@dataclass(frozen=True, kw_only=True)
class RunJob(Files):
    """A run of a pipeline; `model` is its file, and `reads` the form of the input."""

    reads: str = "tsv"

    def settings(self, fingerprint: str) -> dict[str, Any]:
        return {**super().settings(fingerprint), "--read": self.reads}


def save_pipeline(pipeline: Pipeline, path: str, job: RunJob) -> None:
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


class Profiled:
    """A pipeline that several threads run, and what each stage had to do for all of them."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline
        self.totals = [Counts()] * len(pipeline.stages)
        self.lock = Lock()

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        results, counts = self.pipeline.run_stages(items)
        with self.lock:
            self.totals = [total + more for total, more in zip(self.totals, counts, strict=True)]
        return results


def run_pipeline(
    pipeline: Pipeline, job: RunJob, *, jobs: int | None = None, resume: bool = False
) -> tuple[int, list[Counts]]:
    """Does the job; how many items failed, and what each stage had to do in this run."""
    if job.format == PARQUET:
        pipeline.reading.check_rows()
    else:
        pipeline.reading.check(job.reads)
    check_files(
        job,
        resume=resume,
        read=[job.model],
        what="pipeline, input, output, errors and journal",
    )
    worked = Profiled(pipeline)
    make = rows_task if job.format == PARQUET else text_task
    return run_task(make(pipeline, worked, job), jobs=jobs, resume=resume), worked.totals


def text_task(pipeline: Pipeline, worked: Profiled, job: RunJob) -> Task:
    write = FORMATS[job.format]

    def work(items: Sequence[Item]) -> Worked:
        results = worked(items)
        return Worked(
            "".join(write(item) for item in results if not item.error), failures_of_items(results)
        )

    return Task(
        files=job,
        settings=job.settings(pipeline.fingerprint()),
        source=Documents(job.source, pipeline.reading, job.reads),
        sink=TextSink(job.output),
        work=work,
    )


def rows_task(pipeline: Pipeline, worked: Profiled, job: RunJob) -> Task:
    """The task that adds candidates to rows of Parquet."""
    from glyphone.batch import parquet
    from glyphone.batch.arrow import ParquetReading, import_pyarrow

    pa = import_pyarrow()
    places = [("begin", pa.int64()), ("end", pa.int64())]
    texts = [("text", pa.string()), ("value", pa.string()), ("score", pa.float64())]
    added = [("candidates", pa.list_(pa.struct([*places, *texts]))), ("error", pa.string())]

    def work(given: Sequence[Row]) -> AddedColumns:
        results = worked([item_of_cell(text, number) for number, (text,) in given])
        good = [item for item in results if item.error is None]
        columns = {"candidates": [[*map(structure_of, item.candidates)] for item in good]}
        return parquet.AddedColumns(columns, failures_of_items(results))

    column = pipeline.reading.text or "text"
    reading = ParquetReading.of(job.source, [column], "text in [input] of the pipeline")
    adding = parquet.Adding(reading, added, work)
    return parquet.parquet_task(job, job.settings(pipeline.fingerprint()), adding)


def item_of_cell(text: str, number: int) -> Item:
    if is_text(text):
        return Item(text, line=number, fields={"text": text})
    error = ItemError("is not UTF-8", stage="reading", remedy="re-encode it")
    return Item(text, line=number, error=error)


def failures_of_items(items: Sequence[Item]) -> list[Failure]:
    return [(item.line, item.text, item.error) for item in items if item.error]


def as_tsv(item: Item) -> str:
    return "".join(
        "\t".join([str(item.line), *map(str, c.span), *rows.escape_outputs([c.text, c.value])])
        + f"\t{c.score:.6g}\n"
        for c in item.candidates
    )


def as_jsonl(item: Item) -> str:
    row = {**item.fields, "candidates": [*map(fields_of, item.candidates)]}
    row |= {"rejected": [*map(fields_of, item.rejected)]} if item.rejected else {}
    return json.dumps(row, ensure_ascii=False) + "\n"


def fields_of(candidate: Candidate) -> dict[str, Any]:
    return {
        "span": candidate.span,
        "text": candidate.text,
        "value": candidate.value,
        "features": dict(candidate.features),
        "score": candidate.score,
    }


def structure_of(candidate: Candidate) -> dict[str, Any]:
    """A candidate as a value of Parquet."""
    begin, end = candidate.span
    text, value, score = candidate.text, candidate.value, candidate.score
    return {"begin": begin, "end": end, "text": text, "value": value, "score": score}


FORMATS: dict[str, Callable[[Item], str]] = {"tsv": as_tsv, "jsonl": as_jsonl}
