"""What tests of batches share: jobs in a folder, their input, and what they wrote."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from glyphone.batch import Job

WORDS = ["cha", "Ñacha", "", "zz", "ca\tcol", "b\0b", "ab ab", "n\u0303a"]
ENDINGS = {"plain": ("out.tsv", "bad.tsv"), "gzip": ("out.tsv.gz", "bad.tsv.gz")}


def lines(n: int) -> str:
    chooser = random.Random(n)
    return "".join(f"{chooser.choice(WORDS)}{chooser.choice(['', 'a'])}\n" for _ in range(n))


def written(path: Path, text: str) -> str:
    path.write_bytes(text.encode())
    return str(path)


def job_in(folder: Path, kind: str = "plain", **options: Any) -> Job:
    output, errors = (str(folder / name) for name in ENDINGS[kind])
    return Job(source=str(folder / "in"), output=output, errors=errors, **options)


def results(job: Job) -> tuple[bytes, bytes]:
    return Path(job.output).read_bytes(), Path(job.errors_path).read_bytes()
