"""The bench page: accuracy and speed of what is shipped, beside its peers, in one run.

python benchmarks/run.py [--shared ../shared/data] [--words 1000000] [--peers FOLDER]
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", default=str(HERE.parents[1] / "shared" / "data"))
    parser.add_argument("--words", type=int, default=1_000_000)
    parser.add_argument("--peers", metavar="FOLDER", help="the virtual environment of the peers")
    arguments = parser.parse_args()
    print(
        f"{date.today()}, {os.cpu_count()} cores, {platform.machine()}, "
        f"Python {platform.python_version()}\n",
        flush=True,
    )
    peers = ["--peers", arguments.peers] if arguments.peers else []
    readers = ["--readers", arguments.peers] if arguments.peers else []
    joint = ["--kind", "joint", "--levels", "low,medium"]
    pages = (
        ["speed.py", "--words", str(arguments.words)],
        ["compiling.py", "--top", "0"],
        ["time_of_tests.py"],
        ["grammars.py", "--shared", arguments.shared],
        ["learned.py", "--ensemble", *peers],
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
        ["treebank_synthetic.py"],
        ["treebank_transfer.py", "--shared", arguments.shared],
        ["treebank_tagging.py", "--shared", arguments.shared],
        ["voicemail.py", "--tables", *peers],
    )
    # Each page in a process of its own, so that peak memory is its own.
    for page in pages:
        subprocess.run([sys.executable, str(HERE / page[0]), *page[1:]], check=True)


if __name__ == "__main__":
    main()
