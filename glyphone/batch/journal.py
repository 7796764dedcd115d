"""How far a batch has come, so that a stopped one goes on without losing or repeating an item.

The journal lies beside the output while the work is unfinished. After each block it holds how much
of the input is done, with a checksum of it, and how long output and errors are: whatever stands
behind that belongs to a block that was cut short, and is written again.
"""

from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glyphone.data.errors import FormatError


@dataclass(frozen=True)
class Progress:
    """Progress of a run: lines or rows of the input that are done, with `items` in them."""

    settings: dict[str, Any]
    lines: int = 0
    crc: int = 0
    output_size: int = 0
    errors_size: int = 0
    failed: int = 0
    items: int = 0


@dataclass(frozen=True)
class Journal:
    path: Path

    @classmethod
    def beside(cls, output: str) -> Journal:
        return cls(Path(f"{output}.journal"))

    def write(self, progress: Progress) -> None:
        draft = self.path.with_name(self.path.name + ".new")
        try:
            draft.write_text(json.dumps(dataclasses.asdict(progress)), encoding="utf-8")
            os.replace(draft, self.path)
        except OSError as error:
            message = f"cannot be written: {error.strerror}"
            remedy = "the journal of a batch lies beside its output; choose another folder with -o"
            raise FormatError(message, path=self.path, remedy=remedy) from error

    def read(self) -> Progress | None:
        """The progress of an unfinished run, if there is one."""
        try:
            progress = Progress(**json.loads(self.path.read_text(encoding="utf-8")))
            numbers = dataclasses.astuple(progress)[1:]
            if isinstance(progress.settings, dict) and all(isinstance(n, int) for n in numbers):
                return progress
            raise TypeError
        except FileNotFoundError:
            return None
        except (ValueError, TypeError):
            raise FormatError(
                "is not a journal of a batch", path=self.path, remedy="remove it and start anew"
            ) from None

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)
