"""Long batches of names in many scripts, mixed with junk: speed, and memory that must not grow.

    python benchmarks/batch_names.py [--model MODEL] [--words 1000000] [--jobs 2] [--seed 0]

Each file is answered by `glyphone apply` in a process of its own, start-up included: a tenth of the
names, three tenths and all of them, as a column of TSV and of Parquet. Then the longest run is
killed on the way, and resumed: the bytes must be those of the run that was left in peace. The page
ends with an error if they are not, or if the peak of 100,000 names or more, that of the largest
process, is above that of three tenths by more than a tenth; before that many the allocators are not
yet at their level.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from peers import Command, Usage, measure

from glyphone.batch.arrow import import_pyarrow
from glyphone.batch.journal import Journal

SPANISH = "spa.letter_to_sound:CASTILIAN"
# Fewer names are answered before a run can be killed, and say nothing of memory.
MANY = 100_000
BLOCK = 50_000
# First and last letters of scripts whose letters stand together.
SCRIPTS = [("а", "я"), ("α", "ω"), ("א", "ת"), ("क", "ह"), ("ア", "ン"), ("가", "힣"), ("一", "龥")]
JUNK = [
    "",
    " ",
    "J.R.R.",
    "42",
    "N/A",
    "--",
    "x" * 300,
    "\u200fA\u202e",
    "a\0b",
    "<b>Ana</b>",
    "😀",
]


def names(n: int, seed: int) -> Iterator[str]:
    """Nine of ten in Latin letters, among them some in capitals and of several parts."""
    rng = random.Random(seed)
    onsets = "b c ch d f g h j k l m n p r s t v z br dr kr st".split()
    rimes = [vowel + coda for vowel in "aeiou" for coda in ("", "", "n", "r", "s", "l")]
    for _ in range(n):
        kind = rng.random()
        if kind < 0.90:
            syllables = (rng.choice(onsets) + rng.choice(rimes) for _ in range(rng.randint(2, 4)))
            name = "".join(syllables).title()
            if kind < 0.10:
                name += rng.choice([" ", "-"]) + name[::-1]
            yield name.upper() if kind > 0.88 else name
        elif kind < 0.97:
            first, last = map(ord, rng.choice(SCRIPTS))
            yield "".join(chr(rng.randint(first, last)) for _ in range(rng.randint(2, 8)))
        else:
            yield rng.choice(JUNK)


def write(n: int, seed: int, folder: Path) -> None:
    """The names as TSV and as Parquet, some at a time."""
    pa, parquet = import_pyarrow(), import_pyarrow("pyarrow.parquet")
    schema = pa.schema([("id", pa.int64()), ("name", pa.string())])
    found = names(n, seed)
    with (
        open(folder / f"{n}.tsv", "w", encoding="utf-8", newline="") as text,
        parquet.ParquetWriter(folder / f"{n}.parquet", schema) as writer,
    ):
        for first in range(0, n, BLOCK):
            numbers = list(range(first, min(first + BLOCK, n)))
            block = [next(found) for _ in numbers]
            rows = zip(numbers, block, strict=True)
            text.writelines(f"{number}\t{name}\n" for number, name in rows)
            writer.write_table(pa.table({"id": numbers, "name": block}, schema=schema))


def command(model: str, source: Path, output: Path, jobs: int) -> list[str]:
    column = "name" if source.suffix == ".parquet" else "2"
    words = ["apply", model, str(source), "-o", str(output), "--column", column]
    return [sys.executable, "-m", "glyphone", *words, "--jobs", str(jobs)]


def timed(words: list[str]) -> Usage:
    """The costs of a run; some items fail, which is no failure here."""
    return measure([Command(tuple(words), done=(0, 1))])


def killed_and_resumed(words: list[str], output: Path, n: int) -> tuple[int, float] | None:
    """Lines that were done when the run was killed at about half, and seconds of the rest.

    None if the run was over before.
    """
    journal = Journal.beside(str(output))
    run = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while run.poll() is None and not ((done := journal.read()) and done.lines > n // 2):
        time.sleep(0.01)
    run.kill()
    run.wait()
    left = journal.read()
    return left and (left.lines, timed([*words, "--resume"]).seconds)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=SPANISH)
    parser.add_argument("--words", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    n, faults = arguments.words, []
    print(f"{arguments.model}, --jobs {arguments.jobs}\n")
    print(f"{'':8} {'names':>10} {'names/s':>9} {'peak MiB':>9}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # The first is for kernels to be compiled and kept on disk.
        sizes = (min(1000, n // 20), n // 10, 3 * n // 10, n)
        for size in sizes:
            write(size, arguments.seed, folder)
        for ending in ("tsv", "parquet"):
            peaks = []
            for size in sizes:
                source, output = folder / f"{size}.{ending}", folder / f"whole-{size}.{ending}"
                words = command(arguments.model, source, output, arguments.jobs)
                usage = timed(words)
                if size > sizes[0]:
                    speed = size / usage.seconds
                    print(f"{ending:8} {size:10,} {speed:9,.0f} {usage.peak_mib:9.0f}", flush=True)
                    peaks.append(usage.peak_mib)
            if n >= MANY and peaks[-1] > 1.1 * peaks[-2]:
                faults.append(f"{ending}: the peak grows with the number of names")
            again = folder / f"again.{ending}"
            words = command(arguments.model, source, again, arguments.jobs)
            resumed = killed_and_resumed(words, again, n)
            if resumed is None:
                print(f"{ending:8} was over before it could be killed: take more --words")
                faults += [f"{ending}: nothing was resumed"] if n >= MANY else []
                continue
            done, taken = resumed
            same = all(
                Path(f"{again}{side}").read_bytes() == Path(f"{output}{side}").read_bytes()
                for side in ("", ".errors.tsv")
            )
            if not same:
                faults.append(f"{ending}: a resumed run writes something else")
            verdict = "the same bytes" if same else "OTHER BYTES"
            print(f"{ending:8} killed after {done:,}, resumed in {taken:.1f} s: {verdict}")
    if faults:
        sys.exit("; ".join(faults))


if __name__ == "__main__":
    main()
