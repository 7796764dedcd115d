"""The peers of learned letter-to-sound, found where they are installed, and what a command costs.

Phonetisaurus (Novak, Minematsu and Hirose 2016) aligns with EM, estimates an n-gram model with
modified Kneser-Ney and decodes with a transducer; Sequitur (Bisani and Ney 2008) trains a joint
n-gram model by EM, one order after the other. Both come from the package registry; they are looked
for in the environment of a Python interpreter, which need not be the one that runs this.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

# The largest process that a process has ever been counts the one that it was forked from; so the
# command is started by a Python that has loaded next to nothing, not by the page.
STARTER = """
import json, os, subprocess, sys, time
with open(sys.argv[1], "wb") as output:
    began = time.perf_counter()
    child = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=output)
    status, usage = os.wait4(child.pid, 0)[1:]
    seconds = time.perf_counter() - began
child.returncode = os.waitstatus_to_exitcode(status)
print(json.dumps([child.returncode, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss]))
"""
MAXRSS_UNITS = 2**20 if sys.platform == "darwin" else 2**10  # in one MiB
FIND = """
import sys
from importlib import metadata, util
print(util.find_spec(sys.argv[1]).origin, metadata.version(sys.argv[2]), sep="\\n")
"""
# Version 1.0.1668.30 needs two repairs, none of which changes what it computes. With every object
# that it frees it gives back a reference to SWIG's table of types that it never took (its pull
# requests 111 and 112) and dies when the last one has gone; so many are added that they last. And
# it calls a function of numpy by a name that numpy 2 has dropped.
RUN_SEQUITUR = """
import ctypes, runpy, sys
import numpy, sequitur
numpy.sometrue = numpy.any
for name, module in list(sys.modules.items()):
    if name.startswith("swig_runtime_data"):
        count = ctypes.c_ssize_t.from_address(id(module.type_pointer_capsule))
        count.value += 1 << 30
runpy.run_module("g2p", run_name="__main__")
"""


@dataclass(frozen=True)
class Command:
    """A program to run, the file for its output, and the exit codes of work that is done.

    Where the exit codes do not tell success from failure, there is also a file that it `makes`.
    """

    arguments: tuple[str, ...]
    environment: Mapping[str, str] | None = None
    output: Path = Path(os.devnull)
    done: tuple[int, ...] = (0,)
    makes: Path | None = None


@dataclass(frozen=True)
class Usage:
    """Wall clock, CPU time of all processes (user and system), and memory of the largest one."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_mib: float = 0.0


class Failed(Exception):
    """A command did not end well."""


def measure(commands: Iterable[Command]) -> Usage:
    """The costs of commands that run one after the other, with all processes they wait for."""
    total = Usage()
    for command in commands:
        run = subprocess.run(
            [sys.executable, "-I", "-S", "-c", STARTER, str(command.output), *command.arguments],
            env=None if command.environment is None else dict(command.environment),
            capture_output=True,
            text=True,
            errors="replace",
        )
        name = Path(command.arguments[0]).name
        if run.returncode:
            raise Failed(f"{name} cannot be run: {last_lines(run.stderr)}")
        code, seconds, cpu_seconds, peak = json.loads(run.stdout)
        made = command.makes is None or command.makes.exists()
        if code not in command.done or not made:
            raise Failed(f"{name} ended with exit code {code}: {last_lines(run.stderr)}")
        total = Usage(
            total.seconds + seconds,
            total.cpu_seconds + cpu_seconds,
            max(total.peak_mib, peak / MAXRSS_UNITS),
        )
    return total


def last_lines(text: str) -> str:
    return " | ".join(text.strip().splitlines()[-3:])


class System(Protocol):
    """Something that learns from `word<TAB>p h o n e s` and writes lines with tabs.

    Of the columns that it writes, the first is the word and that at place `phones` (from 0) the
    answer. It is asked to decode with each number of `jobs`, the words `copies` times.
    """

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def phones(self) -> int: ...
    @property
    def jobs(self) -> tuple[int, ...]: ...
    @property
    def copies(self) -> int: ...
    def training(self, lexicon: Path, model: Path) -> list[Command]: ...
    def decoding(self, model: Path, words: Path, output: Path, *, jobs: int) -> Command: ...


@dataclass(frozen=True)
class Phonetisaurus:
    """Order 8, as its own front end trains and decodes, without the front end's Python."""

    name = "phonetisaurus order 8"
    package = "phonetisaurus"
    phones = 2
    jobs = (1,)
    copies = 1
    programs = (
        "phonetisaurus-align", "estimate-ngram", "phonetisaurus-arpa2wfst", "phonetisaurus-g2pfst",
    )  # fmt: skip

    version: str
    environment: Mapping[str, str] = field(repr=False)

    @classmethod
    def find(cls, python: str) -> Phonetisaurus | None:
        """From the package, which brings the programs, or else from PATH."""
        found = installed(python, "phonetisaurus", cls.package)
        environment, version = dict(os.environ), "on PATH"
        if found:
            origin, version = found
            for name, folder in (("PATH", "bin"), ("LD_LIBRARY_PATH", "lib")):
                own = str(Path(origin).parent / folder / platform.machine())
                environment[name] = os.pathsep.join(filter(None, [own, environment.get(name)]))
        path = environment.get("PATH")
        if not all(shutil.which(program, path=path) for program in cls.programs):
            return None
        return cls(version, environment)

    def training(self, lexicon: Path, model: Path) -> list[Command]:
        corpus, arpa = model.with_suffix(".corpus"), model.with_suffix(".arpa")
        return [
            self.command(
                "phonetisaurus-align", f"--input={lexicon}", f"--ofile={corpus}",
                "--seq1_max=2", "--seq2_max=2", "--seq1_del=false", "--seq2_del=true",
            ),
            self.command("estimate-ngram", "-o", "8", "-t", str(corpus), "-wl", str(arpa)),
            self.command("phonetisaurus-arpa2wfst", f"--lm={arpa}", f"--ofile={model}"),
        ]  # fmt: skip

    def decoding(self, model: Path, words: Path, output: Path, *, jobs: int) -> Command:
        return self.command(
            "phonetisaurus-g2pfst", f"--model={model}", f"--wordlist={words}",
            "--nbest=1", "--beam=10000", "--thresh=99", output=output,
        )  # fmt: skip

    def command(self, program: str, *options: str, output: Path = Path(os.devnull)) -> Command:
        path = shutil.which(program, path=self.environment["PATH"])
        return Command((path or program, *options), self.environment, output)


@dataclass(frozen=True)
class Sequitur:
    """Ramped up to order 4, one twentieth held out for its discounts, as its README has it."""

    name = "sequitur order 4"
    package = "sequitur-g2p"
    phones = 1
    jobs = (1,)
    copies = 1
    order = 4

    version: str
    python: str

    @classmethod
    def find(cls, python: str) -> Sequitur | None:
        found = installed(python, "g2p", cls.package)
        return found and cls(found[1], python)

    def training(self, lexicon: Path, model: Path) -> list[Command]:
        models = [model.with_suffix(f".{order}") for order in range(1, self.order)] + [model]
        commands = []
        for order, written in enumerate(models):
            options = ["--train", str(lexicon), "--devel", "5%", "--write-model", str(written)]
            if order:
                options += ["--model", str(models[order - 1]), "--ramp-up"]
            commands.append(self.command(*options))
        return commands

    def decoding(self, model: Path, words: Path, output: Path, *, jobs: int) -> Command:
        return self.command("--model", str(model), "--apply", str(words), output=output)

    def command(self, *options: str, output: Path = Path(os.devnull)) -> Command:
        arguments = (self.python, "-I", "-c", RUN_SEQUITUR, "--encoding", "UTF-8", *options)
        return Command(arguments, output=output)


PEERS: tuple[type[Phonetisaurus] | type[Sequitur], ...] = (Phonetisaurus, Sequitur)


def add_environment(folder: str | None) -> None:
    """Let modules be found in a virtual environment, behind those of our own."""
    if folder:
        sys.path += map(str, Path(folder).glob("lib/python*/site-packages"))


def installed(python: str, module: str, package: str) -> tuple[str, str] | None:
    """Where a module of an interpreter's environment stands, and the version of its package."""
    run = subprocess.run(
        [python, "-I", "-c", FIND, module, package], capture_output=True, text=True
    )
    if run.returncode:
        return None
    origin, version = run.stdout.splitlines()
    return origin, version
