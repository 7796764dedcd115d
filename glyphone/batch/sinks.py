"""Where the rows of a batch go: text that is appended to, complete after each flush.

>>> import tempfile
>>> sink = TextSink(tempfile.mkdtemp() + "/out.tsv")
>>> sink.open(Progress({}))
>>> sink.write("casa\\n")
>>> sink.flush()
5
>>> sink.close()
"""

from __future__ import annotations

from dataclasses import dataclass, field

from glyphone.batch.journal import Progress
from glyphone.data.lines import TextOutput, open_text_output


@dataclass
class TextSink:
    """A file of lines, or `-`; rows are text that ends with a line end."""

    path: str
    output: TextOutput = field(init=False)

    def open(self, done: Progress) -> None:
        self.output = open_text_output(self.path, resume_at=done.output_size)

    def write(self, rows: str) -> None:
        self.output.write(rows)

    def flush(self) -> int:
        self.output.flush()
        return self.output.tell()

    def finish(self) -> None:
        """Nothing: the file is complete after each flush."""

    def close(self) -> None:
        self.output.close()

    def discard(self) -> None:
        """Nothing lies beside the file."""
