"""The driver of every verb that reads a stream of items: order kept, failures aside, resumable.

A source cuts the input into chunks of items. A function works on each chunk, in threads or in
processes, and gives rows and failures. A sink writes the rows in the order of the input; failed
items go to a side file, or to stderr. A journal lies beside the output file while the work is
unfinished, so that `--resume` goes on at the chunk that was under way. Memory holds the chunks that
are worked on, whatever the size of the input.

>>> import tempfile
>>> from pathlib import Path
>>> from glyphone.batch.sinks import TextSink
>>> from glyphone.batch.sources import Lines
>>> from glyphone.data.errors import ItemError
>>> folder = Path(tempfile.mkdtemp())
>>> _ = (folder / "in").write_text("a\\n?\\nb\\n")
>>> files = Files(source=str(folder / "in"), output=str(folder / "out"))
>>> def work(block):
...     items = [*enumerate(block.lines, block.first_line)]
...     failures = [(n, item, ItemError("is no letter")) for n, item in items if item == "?"]
...     return Worked("".join(item.upper() + "\\n" for _, item in items if item != "?"), failures)
>>> run_task(Task(files=files, settings={}, source=Lines(files.source), sink=TextSink(files.output),
...            work=work), jobs=1)
1
>>> (folder / "out").read_text()
'A\\nB\\n'
>>> (folder / "out.errors.tsv").read_text().splitlines()[1].split("\\t")[:2]
['2', '?']
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any, Protocol

from glyphone.batch.job import Files
from glyphone.batch.journal import Journal, Progress
from glyphone.batch.resuming import begin_run, failures_in, summed_up
from glyphone.data import progress
from glyphone.data.errors import ItemError
from glyphone.data.lines import TextOutput, open_text_output
from glyphone.data.parallel import map_in_order
from glyphone.io import rows
from glyphone.io.messages import Failure
from glyphone.io.paths import is_stream


@dataclass(frozen=True)
class Chunk:
    """Consecutive items that are worked on together.

    `last` is the number of the last line or row of the input up to here, from 1, and `crc` a
    checksum of the input up to it; `size` is the number of items.
    """

    items: Any
    last: int
    crc: int
    size: int


@dataclass(frozen=True)
class Worked:
    """The rows of a chunk, as the sink takes them, and its failures in the order of the items."""

    rows: Any
    failures: Sequence[Failure] = ()


class Source(Protocol):
    """Input, cut in the same places by each run.

    `settings` are those that a run to resume must have had; `total` is the number of items, if it
    is known.
    """

    @property
    def settings(self) -> Mapping[str, Any]: ...

    @property
    def total(self) -> int | None: ...

    def chunks(self, done: Progress) -> Iterator[Chunk]:
        """The chunks after those that are done; GlyphoneError if those have changed."""


class Sink(Protocol):
    """Output, in which rows that were flushed outlive a crash."""

    def open(self, done: Progress) -> None:
        """Begins anew, or after the rows that are done."""

    def write(self, rows: Any) -> None: ...

    def flush(self) -> int:
        """The size of the output so far: that of `Progress`."""

    def finish(self) -> None:
        """Completes the output after the last chunk."""

    def close(self) -> None: ...

    def discard(self) -> None:
        """Removes files that only a run to resume has use for."""


class Workers(Protocol):
    """`map_in_order` for work that is kernels, `in_processes` for work that is Python."""

    def __call__(
        self, function: Callable[[Any], Any], works: Iterator[Any], *, jobs: int | None = None
    ) -> Iterator[tuple[Any, Any]]: ...


@dataclass(frozen=True, kw_only=True)
class Task:
    """A verb's part: where items come from, the work on a chunk of them, and where rows go.

    `settings` must be equal for a run to be the continuation of another. `items` is the word for
    items, and `failure_row` the text of a failure where there is no side file for it.
    """

    files: Files
    settings: Mapping[str, Any]
    source: Source
    sink: Sink
    work: Callable[[Any], Worked]
    items: str = "items"
    failure_row: Callable[[int, str, ItemError], str] = field(default=rows.error_row)
    workers: Workers = map_in_order

    def work_on(self, chunk: Chunk) -> Written:
        """The rows of a chunk after the work, and its failures as text."""
        worked = self.work(chunk.items)
        row = rows.error_row if self.files.errors_path else self.failure_row
        failures = "".join(row(*failure) for failure in worked.failures)
        return Written(worked.rows, failures, len(worked.failures))


@dataclass(frozen=True)
class Written:
    """Rows for the sink, and failures as text for the side file."""

    rows: Any
    failures: str
    failed: int


def run_task(task: Task, *, jobs: int | None = None, resume: bool = False) -> int:
    """Does the task, or the rest of it, and returns how many items failed, earlier ones too."""
    files = task.files
    journal = None if is_stream(files.output) else Journal.beside(files.output)
    done = Progress({**task.settings, **task.source.settings})
    if journal is not None:
        begin = begin_run(files, done, journal, resume=resume)
        if begin is None:
            task.sink.discard()
            return failures_in(files.errors_path)
        done = begin
    chunks = begin_reading(task.source.chunks(done))
    if journal is not None:
        journal.write(done)
    if files.source == "-" and sys.stdin is not None and sys.stdin.isatty():
        jobs = 1  # a person waits for each answer
    with ExitStack() as stack:
        task.sink.open(done)
        stack.callback(task.sink.close)
        errors = side_file(files, done)
        if errors is not None:
            stack.enter_context(errors)
        working = stack.enter_context(
            progress.step(files.model, task.source.total, before=done.items)
        )
        for chunk, written in task.workers(task.work_on, chunks, jobs=jobs):
            task.sink.write(written.rows)
            if errors is not None:
                errors.write(written.failures)
            else:
                print(written.failures, end="", file=sys.stderr)
            done = record_chunk(done, chunk, written, task.sink, errors)
            if journal is not None:
                journal.write(done)
            working.advance(chunk.size)
        task.sink.finish()
    if journal is not None:
        journal.remove()
    task.sink.discard()
    return summed_up(done, files, task.items)


def begin_reading(chunks: Iterator[Chunk]) -> Iterator[Chunk]:
    """The chunks, the first of which has been read: input that cannot be read is an error here,
    before any file of an earlier run is changed.
    """
    first = [*islice(chunks, 1)]
    return chain(first, chunks)


def side_file(files: Files, done: Progress) -> TextOutput | None:
    """The file of failed items, with its header; None if failures go to stderr."""
    if not files.errors_path:
        return None
    errors = open_text_output(files.errors_path, resume_at=done.errors_size)
    if not done.errors_size:
        errors.write(rows.ERROR_HEADER)
    return errors


def record_chunk(
    done: Progress, chunk: Chunk, written: Written, sink: Sink, errors: TextOutput | None
) -> Progress:
    """Progress with a chunk more; its rows and failures are on disk when this returns."""
    output_size = sink.flush()
    if errors is not None:
        errors.flush()
    return replace(
        done,
        lines=chunk.last,
        items=done.items + chunk.size,
        crc=chunk.crc,
        output_size=output_size,
        errors_size=0 if errors is None else errors.tell(),
        failed=done.failed + written.failed,
    )
