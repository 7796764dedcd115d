"""The bench page: accuracy and speed of what is shipped, beside its peers, in one run.

    python benchmarks/run.py [--shared ../shared/data] [--words 1000000] [--peers FOLDER] [-o PAGE]

Each benchmark is a process of its own, so that its peak memory is its own, and one that fails is
told and takes no other along. The page is Markdown: the machine, the versions, the commit, then the
command, the time and the output of each; the exit code is 1 if any failed.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from datetime import date
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", default=str(HERE.parents[1] / "shared" / "data"))
    parser.add_argument("--words", type=int, default=1_000_000)
    parser.add_argument("--peers", metavar="FOLDER", help="the virtual environment of the peers")
    parser.add_argument("-o", "--output", metavar="PAGE", default="build/figures.md")
    arguments = parser.parse_args()
    peers = ["--peers", arguments.peers] if arguments.peers else []
    readers = ["--readers", arguments.peers] if arguments.peers else []
    joint = ["--kind", "joint", "--levels", "low,medium"]
    pages = (
        ["speed.py", "--words", str(arguments.words)],
        ["compiling.py", "--top", "0"],
        ["time_of_tests.py"],
        ["grammars.py", "--shared", arguments.shared],
        ["learned.py", "--ensemble", *peers],
        ["relatives.py"],
        ["beam.py"],
        ["sigmorphon.py", "--shared", arguments.shared],
        ["sigmorphon.py", "--shared", arguments.shared, *joint],
        ["distill.py", "--shared", arguments.shared],
        ["reengineering.py", "--shared", arguments.shared],
        ["federalist.py", "--shared", arguments.shared],
        ["count_models.py", "--shared", arguments.shared],
        ["named_entities.py", "--shared", arguments.shared],
        ["expected_f.py", "--shared", arguments.shared],
        ["utility_decoding.py", "--shared", arguments.shared],
        ["nettalk.py", "--shared", arguments.shared],
        ["crf.py", "--shared", arguments.shared, *peers],
        ["names.py", "--shared", arguments.shared, *peers],
        ["mining.py", "--shared", arguments.shared],
        ["batch_names.py", "--model", "hin"],
        ["kanji.py", "--shared", arguments.shared, *peers],
        ["kanji_readings.py", "--shared", arguments.shared, *readers],
        ["matching.py", "--shared", arguments.shared],
        ["matching_names.py", "--shared", arguments.shared, *peers],
        ["treebank_synthetic.py"],
        ["treebank_transfer.py", "--shared", arguments.shared],
        ["treebank_tagging.py", "--shared", arguments.shared],
        ["voicemail.py", "--tables", *peers],
    )
    sys.exit(write_page(pages, Path(arguments.output)))


def write_page(benchmarks: Iterable[Sequence[str]], path: Path) -> int:
    """Run benchmarks, and write what they print to a page; 1 if any of them failed."""
    failed = []
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as page:
        for part in (about_this_run(), *(section_of(words, failed) for words in benchmarks)):
            print(part, flush=True)
            print(part, file=page, flush=True)
    for words in failed:
        print(f"failed: {' '.join(words)}", file=sys.stderr)
    return 1 if failed else 0


def about_this_run() -> str:
    """The date, the machine, the versions and the commit."""
    named = ["numpy", "scipy", "scikit-learn", "numba", "pynini"]
    versions = [f"{name} {metadata.version(name)}" for name in named]
    git = ["git", "-C", str(HERE), "describe", "--always", "--dirty"]
    commit = subprocess.run(git, capture_output=True, text=True).stdout.strip() or "no checkout"
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    return f"# Figures\n\n{date.today()}, {machine}, {', '.join(versions)}, commit {commit}\n"


def section_of(words: Sequence[str], failed: list[Sequence[str]]) -> str:
    """A benchmark's command, time and output; one that fails is added to `failed`."""
    begun = time.perf_counter()
    command = [sys.executable, str(HERE / words[0]), *words[1:]]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if ran.returncode:
        failed.append(words)
    ending = f", failed with exit code {ran.returncode}" if ran.returncode else ""
    given = (os.path.relpath(word) if os.path.isabs(word) else word for word in words[1:])
    shown = " ".join(["python", f"benchmarks/{words[0]}", *given])
    minutes = (time.perf_counter() - begun) / 60
    return f"## `{shown}`\n\n{minutes:.1f} minutes{ending}\n\n```text\n{ran.stdout.rstrip()}\n```\n"


if __name__ == "__main__":
    main()
