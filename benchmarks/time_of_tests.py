"""How long the tests take, where no kernel is compiled yet ("cold") and where all are ("warm").

    python benchmarks/time_of_tests.py [--jobs N] [PATH ...]

Both runs are those of `make test`, with a cache of machine code of their own. CPU seconds are those
of all processes. At 87eee11 the cold run took 19 CPU minutes (make test, 2026-11-18, two cores).
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def time_of(paths: Sequence[str], jobs: str, cache: Path) -> tuple[float, float, str]:
    """CPU seconds, seconds, and the last line of the tests below some paths."""
    options = ["-n", jobs, "--dist", "loadfile", "--quiet"]
    command = [sys.executable, "-m", "pytest", *options, *paths]
    environment = {**os.environ, "GLYPHONE_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": ""}
    begun, used = time.perf_counter(), cpu_seconds()
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    return cpu_seconds() - used, time.perf_counter() - begun, done.stdout.splitlines()[-1]


def cpu_seconds() -> float:
    """The CPU seconds of all processes that have ended below this one."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", metavar="PATH")
    parser.add_argument("--jobs", default="auto")
    asked = parser.parse_args(argv)
    print("cache   CPU s    s   tests")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("cold", "warm"):
            cpu, seconds, result = time_of(asked.paths, asked.jobs, Path(folder))
            print(f"{name:5} {cpu:7.0f} {seconds:4.0f}   {result}", flush=True)


if __name__ == "__main__":
    main()
