"""A transducer on every line of a file: constant memory, input order, all cores, resumable.

`glyphone.batch.job` defines a job, `glyphone.batch.driver` has the loop, and
`glyphone.batch.parquet` reads and writes Parquet.

>>> import tempfile
>>> from pathlib import Path
>>> from glyphone.catalog import names as catalog_names
>>> source, output = (Path(tempfile.mkdtemp()) / name for name in ("names.tsv", "out.tsv"))
>>> _ = source.write_text("1\\tcasa\\n", encoding="utf-8")
>>> job = Job(source=str(source), output=str(output), column="2")
>>> run_job(catalog_names.load("spa.letter_to_sound:CASTILIAN"), job)
0
>>> output.read_text(encoding="utf-8")
'1\\tcasa\\tˈ k a s a\\t1\\n'
"""

from __future__ import annotations

from collections.abc import Sequence

from glyphone.batch.cells import answers_to, cells_of
from glyphone.batch.driver import Task, Worked, run_task
from glyphone.batch.job import Job, check_job
from glyphone.batch.sinks import TextSink
from glyphone.batch.sources import Lines
from glyphone.data.lines import LineBlock
from glyphone.fst.interface.answers import Answers
from glyphone.fst.interface.model import Model
from glyphone.io import rows
from glyphone.io.formats import PARQUET
from glyphone.io.messages import Failure

# Other verbs ask for it here.

BLOCK = 4096


def run_job(model: Model, job: Job, *, jobs: int | None = None, resume: bool = False) -> int:
    """Does the job and returns how many items failed, in earlier parts of it too."""
    check_job(job, resume=resume)
    model = prepare_model(model, job)
    return run_task(task_of(model, job), jobs=jobs, resume=resume)


def prepare_model(model: Model, job: Job) -> Model:
    """The model with the lexicon, the dictionary and the leniency that the job asks for."""
    if job.unknown != "fail":
        from glyphone.fst.interface.unknown_symbols import lenient

        model = lenient(model, job.unknown)
    if job.promote or job.lexicon:
        from glyphone.io.lookup import with_word_lists

        model = with_word_lists(
            model,
            lexicon=job.lexicon,
            promote=job.promote,
            weight_column=job.weight_column,
            provenance_column=job.provenance_column,
        )
    return model


def task_of(model: Model, job: Job) -> Task:
    settings = job.settings(model.fingerprint())
    if job.format == PARQUET:
        from glyphone.batch import parquet

        return parquet.task_of(model, job, settings)
    return Task(
        files=job,
        settings=settings,
        source=Lines(job.source, BLOCK),
        sink=TextSink(job.output),
        work=lambda block: answer_block(model, block, job),
    )


def answer_block(model: Model, block: LineBlock, job: Job) -> Worked:
    cells = cells_of(block.lines, job.number)
    answers = answers_to(model, cells, n=job.n, spans=job.format == "jsonl")
    numbers = range(block.first_line, block.first_line + len(block.lines))
    failures = failures_of(numbers, cells.items, answers)
    if job.column is None:
        written = rows.FORMATS[job.format](cells.items, answers)
    elif job.format == "jsonl":
        written = rows.as_jsonl(cells.items, answers, columns=[x.split("\t") for x in block.lines])
    else:
        written = rows.as_tsv(block.lines, answers)
    return Worked(written, failures)


def failures_of(numbers: Sequence[int], items: Sequence[str], answers: Answers) -> list[Failure]:
    """The failures of a block, with the numbers of their lines or rows."""
    return [
        (numbers[item], items[item], answers.failures[item]) for item in sorted(answers.failures)
    ]
