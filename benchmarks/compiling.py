"""How long people wait for a compiler: words in fresh processes, with no kernel compiled.

    python benchmarks/compiling.py [--words 30000] [--top 20] [TASK ...]

Each task answers words, or messages, in a process of its own whose cache of machine code is empty,
and again in one that finds it filled. Models are trained before, in this process. Told are the
seconds of a core that each took in all, from its start on, how many kernels it compiled for Python
and how many within these, with the seconds of each kernel without those within it, and the size of
the cache.
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
from glyphone.data.records import Pair
from glyphone.training.train import train

TASKS = ("rules", "joint", "ensemble", "tree", "crf", "voicemail")
RULES = "spa.letter_to_sound:CASTILIAN"
SYLLABLES = "ca ro gue lla cho es pan tri ciu dad vo xi que zo y mi nu pe fla bre".split()
# Words that models are trained on, and messages; smaller kinds of models learn from fewer.
N_TRAINED = {"joint": 2000, "ensemble": 300, "tree": 600, "crf": 600}
N_MESSAGES = 150
# Messages take longer than words.
WORDS_OF_A_MESSAGE = 20


@dataclass(frozen=True)
class Run:
    """What one process took: seconds of a core, how many kernels were compiled, and which.

    `kernels` has rows of seconds, name and types of the arguments, the slowest first.
    """

    task: str
    cpu: float
    entries: int
    parts: int
    kernels: list[tuple[float, str, str]] = field(repr=False)


def words(n: int, seed: int) -> list[str]:
    """Generated Spanish words of two to five syllables."""
    rng = random.Random(seed)
    return ["".join(rng.choices(SYLLABLES, k=rng.randint(2, 5))) for _ in range(n)]


def lexicon(n: int) -> list[Pair]:
    """Generated words with the sounds that the rules give them."""
    model = glyphone.load(RULES)
    rows = zip(words(n, 1), model.apply(words(n, 1)), strict=True)
    return [Pair(tuple(word), tuple(found.output.split())) for word, found in rows if found]


def prepare(task: str, folder: Path, *, share: float = 1.0) -> str:
    """The name or file of the model of a task, trained on a share of the usual words."""
    path = folder / f"{task}.glyphone"
    if task == "rules":
        return RULES
    if task == "voicemail":
        from glyphone.voicemail import model
        from glyphone.voicemail.callers.cuts_training import CallerOptions
        from glyphone.voicemail.generator.generate import generate
        from glyphone.voicemail.training import learnt

        messages = list(generate(max(40, int(share * N_MESSAGES)), seed=1))
        options = CallerOptions(places=16, max_iter=25, min_count=2)
        model.save(learnt(messages, callers=options), path)
    else:
        train(lexicon(max(20, int(share * N_TRAINED[task]))), kind=task).save(path)
    return str(path)


def answer(task: str, model: str, n: int) -> None:
    """The work of a task, in this process."""
    if task == "voicemail":
        from glyphone.voicemail import load
        from glyphone.voicemail.generator.generate import generate

        messages = generate(n // WORDS_OF_A_MESSAGE + 1, seed=2)
        found = load(model).apply(message.words for message in messages)
    else:
        found = glyphone.load(model).apply(words(n, 2))
    assert sum(1 for _ in found) > 0


def observed(task: str, model: str, n: int) -> Run:
    """The work of a task, in this process, with what it took."""
    from numba.core import event

    rows: list[tuple[float, str, str]] = []
    inner = [0.0]
    counts = {"Entry": 0, "Part": 0}

    class Clock(event.Listener):  # type: ignore[misc]
        def on_start(self, told: Any) -> None:
            inner.append(0.0)
            begun.append(cpu())

        def on_end(self, told: Any) -> None:
            taken, within = cpu() - begun.pop(), inner.pop()
            inner[-1] += taken
            kernel = told.data["dispatcher"]
            function = kernel.py_func
            name = f"{function.__module__}.{function.__qualname__}"
            counts[type(kernel).__name__] = counts.get(type(kernel).__name__, 0) + 1
            rows.append((taken - within, name, ", ".join(map(str, told.data["args"]))))

    begun: list[float] = []
    with event.install_listener("numba:compile", Clock()):
        answer(task, model, n)
    return Run(task, cpu(), counts.pop("Entry"), sum(counts.values()), sorted(rows, reverse=True))


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measured(task: str, model: str, n: int, cache: Path, *, at_once: bool = False) -> Run:
    """A task in a process of its own, with a folder for its cache."""
    command = [sys.executable, __file__, "--child", model, "--words", str(n), task]
    told = subprocess.run(
        command + ["--at-once"] * at_once,
        env={**os.environ, "GLYPHONE_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return Run(**json.loads(told.stdout))


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def show(task: str, n: int, top: int) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        model = prepare(task, folder)
        cold, warm = (measured(task, model, n, folder / "cache") for _ in range(2))
        size = size_of(folder / "cache") / (1 << 20)
    print(
        f"{task:10} {cold.cpu:8.1f} {warm.cpu:8.1f} {cold.entries:8} {cold.parts:8} {size:8.2f}",
        flush=True,
    )
    for seconds, name, types in cold.kernels[:top]:
        print(f"    {seconds:6.2f} {name.removeprefix('glyphone.')} ({types[:80]})")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=30_000)
    parser.add_argument("--top", type=int, default=20, help="kernels to tell of each task")
    parser.add_argument("--child", metavar="MODEL", help=argparse.SUPPRESS)
    parser.add_argument("--at-once", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("tasks", nargs="*", metavar="TASK", help=", ".join(TASKS))
    chosen = parser.parse_args(arguments)
    if chosen.at_once:
        jit.exhaust()
    if chosen.child:
        run = observed(chosen.tasks[0], chosen.child, chosen.words)
        print(json.dumps(vars(run)))
        return
    print(f"{'':10} {'cold s':>8} {'warm s':>8} {'kernels':>8} {'within':>8} {'MiB':>8}")
    for task in chosen.tasks or TASKS:
        show(task, chosen.words, chosen.top)


if __name__ == "__main__":
    main()
