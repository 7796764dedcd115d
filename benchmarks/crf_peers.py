"""Other programs that train conditional random fields, as benchmarks/crf.py runs them.

Wapiti (Lavergne, Cappé and Yvon 2010) is built from the source that the package `libwapiti` on the
registry carries; python-crfsuite is looked for in the environment of a Python interpreter. Our own
learner runs within the benchmark; what it costs is told in the same units.
"""

from __future__ import annotations

import json
import re
import resource
import shutil
import subprocess
import tarfile
import time
from collections.abc import Sequence as Many
from dataclasses import dataclass
from pathlib import Path

from peers import MAXRSS_UNITS, Command, Failed, Usage, measure

from glyphone.data.records import Sequence
from glyphone.data.treebanks.conll import write_conll
from glyphone.learners.crf.estimator import SequenceCRF

ALGORITHMS = {"owl-qn": "l-bfgs", "lbfgs": "l-bfgs", "sgd": "sgd-l1", "bcd": "bcd"}
_PROGRESS = re.compile(r"\[ *(\d+)\] obj=(\S+) +act=(\d+)")
CRFSUITE = """
import json, sys, time
import pycrfsuite
rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
asked = [json.loads(line) for line in open(sys.argv[2], encoding="utf-8")]
began = time.perf_counter(), time.process_time()
trainer = pycrfsuite.Trainer(algorithm="lbfgs", params=json.loads(sys.argv[4]), verbose=False)
for tests, labels in rows:
    trainer.append(tests, labels)
trainer.train(sys.argv[3])
seconds = time.perf_counter() - began[0], time.process_time() - began[1]
tagger = pycrfsuite.Tagger()
tagger.open(sys.argv[3])
last = trainer.logparser.last_iteration
print(json.dumps([seconds, last["num"], last["loss"], last["active_features"]]))
for tests, _ in asked:
    print(json.dumps(tagger.tag(tests)))
"""


@dataclass(frozen=True)
class Outcome:
    """Iterations, the objective at the last one, weights that are not zero, and what they cost."""

    rounds: int
    objective: float
    active: int
    usage: Usage


def cost_of_fit(
    learner: SequenceCRF, sequences: list[Sequence], *, dev: list[Sequence] | None = None
) -> Usage:
    """The costs of a fit in this process; the peak is that of the process from its beginning."""
    began = time.perf_counter(), time.process_time()
    learner.fit(sequences, dev=dev)
    wall, cpu = time.perf_counter() - began[0], time.process_time() - began[1]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MAXRSS_UNITS
    return Usage(wall, cpu, peak)


def wapiti(folder: Path) -> Path | None:
    """The program, built if its source is there or can be had."""
    program = folder / "libwapiti" / "cwapiti" / "wapiti"
    if program.is_file():
        return program
    pip = shutil.which("pip", path=str(folder / "bin"))
    if pip is None or shutil.which("make") is None:
        return None
    where = ["--no-deps", "--no-binary", ":all:", "-d", str(folder)]
    subprocess.run([pip, "download", "--quiet", *where, "libwapiti"], capture_output=True)
    for archive in sorted(folder.glob("libwapiti-*.tar.gz"))[-1:]:
        with tarfile.open(archive) as source:
            source.extractall(folder, filter="data")
        unpacked = folder / archive.name.removesuffix(".tar.gz")
        unpacked.rename(folder / "libwapiti")
        subprocess.run(["make", "-C", str(program.parent)], capture_output=True)
    return program if program.is_file() else None


def train_wapiti(
    program: Path, sequences: Many[Sequence], patterns: str, folder: Path, *, optimizer: str,
    rho1: float, rho2: float, max_iter: int, tol: float, jobs: int,
) -> Outcome:  # fmt: skip
    """A model by Wapiti in folder/wapiti.model, and what it told at its last iteration."""
    data, log, text = (folder / name for name in ("wapiti.txt", "wapiti.log", "wapiti.patterns"))
    write_conll(sequences, data, separator="\t")
    text.write_text(patterns + "\n", "utf-8")
    # It tells its progress on stderr alone.
    told = f'exec "$0" "$@" 2> "{log}"'
    options = ["-a", ALGORITHMS[optimizer], "-1", str(rho1), "-2", str(rho2), "-e", str(tol)]
    files = ["-p", str(text), str(data), str(folder / "wapiti.model")]
    more = ["-i", str(max_iter), "-w", "5", "-t", str(jobs)]
    run = ["sh", "-c", told, str(program), "train", *options, *more, *files]
    usage = measure([Command(tuple(run))])
    found = _PROGRESS.findall(log.read_text("utf-8"))
    if not found:
        raise Failed(f"wapiti told no progress: {log.read_text('utf-8')[-200:]}")
    rounds, objective, active = found[-1]
    return Outcome(int(rounds), float(objective.replace("NA", "nan")), int(active), usage)


Tests = list[list[list[str]]]


def train_crfsuite(
    python: str, tests: Tests, labels: Many[Many[str]], asked: Tests, folder: Path,
    **options: float,
) -> tuple[Outcome, list[tuple[str, ...]]]:  # fmt: skip
    """The report of python-crfsuite on its last iteration, and the labels that it gives."""
    paths = [folder / name for name in ("crfsuite.jsonl", "asked.jsonl", "crfsuite.model")]
    for path, rows in zip(
        paths, (zip(tests, labels, strict=True), ((a, []) for a in asked)), strict=False
    ):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    output = folder / "crfsuite.out"
    run = [python, "-c", CRFSUITE, *map(str, paths), json.dumps(options)]
    peak = measure([Command(tuple(run), output=output)]).peak_mib
    head, *rows = map(json.loads, output.read_text("utf-8").splitlines())
    (wall, cpu), rounds, loss, active = head
    return Outcome(rounds, loss, active, Usage(wall, cpu, peak)), [*map(tuple, rows)]
