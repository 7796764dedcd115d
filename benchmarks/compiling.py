"""How long people wait for a compiler: words answered by fresh processes, with no kernel compiled.

    python benchmarks/compiling.py [--words 30000] [--top 5] [TASK ...]

A task answers words, or messages, in a process of its own whose cache of machine code is empty
("cold"), then in another one that finds the cache filled ("warm"). Grammars and the English model
are those of `make`; other models are trained before, in this process. The table has the CPU seconds
of each process from its start on, the number of kernels that it compiled for Python and of kernels
within these, and the size of the cache; below it stand the slowest kernels, each without the
kernels within it.

Where numba compiled each kernel alone (e5050c1, which this script cannot measure: the same words by
`glyphone apply --jobs 1`, 2026-11-20, two cores), cold and warm were 27.1 and 1.1 s by the rules,
49.4 and 2.0 s by the English model.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import glyphone
from glyphone.data.kernels import jit
from glyphone.installation.warming import CASCADE, LETTERS, RULES, example_pairs, train_voicemail
from glyphone.training.train import train

TASKS = (
    "rules",
    "rules-spans",
    "cascade",
    "english",
    "joint",
    "ensemble",
    "tree",
    "crf",
    "voicemail",
)
NAMED = {"rules": RULES, "rules-spans": RULES, "cascade": CASCADE, "english": "eng.letter_to_sound"}
# Words that models are trained on, and messages; some kinds of models learn slowly.
N_TRAINED = {"joint": 2000, "ensemble": 300, "tree": 600, "crf": 600}
N_MESSAGES = 150
WORDS_OF_A_MESSAGE = 20


@dataclass(frozen=True)
class Run:
    """The CPU seconds of one process, the numbers of kernels compiled for Python and within these.

    `kernels` has rows of seconds, name and types of the arguments, the slowest first.
    """

    task: str
    cpu: float
    entries: int
    parts: int
    kernels: list[tuple[float, str, str]] = field(repr=False)


def generate_words(n: int) -> list[str]:
    """Words of letters that rules, and models trained on such words, can read."""
    rng = random.Random(2)
    return ["".join(rng.choices(LETTERS, k=rng.randint(4, 11))) for _ in range(n)]


def prepare(task: str, folder: Path, *, share: float = 1.0) -> str:
    """The name or file of the model of a task, trained on a share of the usual words."""
    if task in NAMED:
        return NAMED[task]
    if task == "voicemail":
        n_messages = max(40, int(share * N_MESSAGES))
        return str(train_voicemail(folder, n_messages=n_messages, max_iter=25))
    path = folder / f"{task}.glyphone"
    train(example_pairs(max(20, int(share * N_TRAINED[task]))), kind=task).save(path)
    return str(path)


def answer(task: str, model: str, n: int) -> None:
    """Do the work of a task in this process: words as `glyphone apply` answers them, or, with
    the spans of the input that outputs come from, as models do in Python.
    """
    answers: Any
    if task == "voicemail":
        from glyphone.voicemail.generator.generate import generate
        from glyphone.voicemail.model import load

        messages = generate(n // WORDS_OF_A_MESSAGE + 1, seed=2)
        answers = load(model).apply(message.words for message in messages)
    elif task == "rules-spans":
        answers = glyphone.load(model).apply(generate_words(n))
    else:
        answers = glyphone.load(model).answer(generate_words(n)).outputs
    assert sum(1 for _ in answers) > 0


def observe(task: str, model: str, n: int) -> Run:
    """Do the work of a task in this process, and measure it."""
    from numba.core import event

    rows: list[tuple[float, str, str]] = []
    counts = {"Entry": 0}
    starts: list[float] = []
    inner = [0.0]

    class Clock(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            inner.append(0.0)
            starts.append(cpu_seconds())

        def on_end(self, event: Any) -> None:
            taken, within = cpu_seconds() - starts.pop(), inner.pop()
            inner[-1] += taken
            kernel = event.data["dispatcher"]
            name = f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}"
            kind = type(kernel).__name__
            counts[kind] = counts.get(kind, 0) + 1
            rows.append((taken - within, name, ", ".join(map(str, event.data["args"]))))

    with event.install_listener("numba:compile", Clock()):
        answer(task, model, n)
    n_entries = counts.pop("Entry")
    return Run(task, cpu_seconds(), n_entries, sum(counts.values()), sorted(rows, reverse=True))


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def run_task(task: str, model: str, n: int, cache: Path, *, compile_at_once: bool = False) -> Run:
    """Run a task in a process of its own, with a folder for its cache."""
    command = [sys.executable, __file__, "--child", model, "--words", str(n), task]
    child = subprocess.run(
        command + ["--compile-at-once"] * compile_at_once,
        env={**os.environ, "GLYPHONE_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return Run(**json.loads(child.stdout))


def folder_size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def print_task(task: str, n: int, top: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = prepare(task, folder)
        cold, warm = (run_task(task, model, n, folder / "cache") for _ in range(2))
        size = folder_size(folder / "cache") / (1 << 20)
    print(
        f"{task:10} {cold.cpu:8.1f} {warm.cpu:8.1f} {cold.entries:8} {cold.parts:8} {size:8.2f}",
        flush=True,
    )
    for seconds, kernel, types in cold.kernels[:top]:
        print(f"    {seconds:6.2f} {kernel.removeprefix('glyphone.')} ({types[:80]})")


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=30_000)
    parser.add_argument("--top", type=int, default=5, help="kernels to list for each task")
    parser.add_argument("--child", metavar="MODEL", help=argparse.SUPPRESS)
    parser.add_argument("--compile-at-once", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("tasks", nargs="*", metavar="TASK", help=", ".join(TASKS))
    chosen = parser.parse_args(argv)
    if chosen.compile_at_once:
        jit.end_plain_tier()
    if chosen.child:
        print(json.dumps(vars(observe(chosen.tasks[0], chosen.child, chosen.words))))
        return
    print(f"{'':10} {'cold s':>8} {'warm s':>8} {'kernels':>8} {'within':>8} {'MiB':>8}")
    for task in chosen.tasks or TASKS:
        print_task(task, chosen.words, chosen.top)


if __name__ == "__main__":
    main()
