"""The page of figures: accuracy and speed of what is shipped, beside its peers, in one run.

    python benchmarks/run.py [--shared ../shared/data] [--words 1000000] [--peers FOLDER] [-o PAGE]
    python benchmarks/run.py --only speed.py,beam.py

Each benchmark is a process of its own, so that its peak memory is its own, and one that fails is
told and takes no other along. Benchmarks that tell words or messages a second, or that use all
cores, run alone and first; the others run `--jobs` at a time, by default two, for they tell seconds
of CPU or none. The page is Markdown: the date, the machine, the versions and the
commit, then the command, the minutes and the output of each; the exit code is 1 if any failed. It
is written after each, so that a run that is stopped keeps what it has. With `--only`, the sections
of other benchmarks stay as they are on the page, and sections that are new have what differs from
its head, such as date and commit.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
FIGURES = ROOT / "docs" / "figures.md"
OURS = ("numpy", "scipy", "scikit-learn", "numba", "pynini")
PEERS = (
    "phonetisaurus", "sequitur-g2p", "mecab-python3", "ipadic", "pykakasi", "rapidfuzz", "text2num",
    "sklearn-crfsuite", "python-crfsuite", "gruut-lang-fr", "wordfreq", "py-stringmatching",
    "jellyfish", "unidecode",
)  # fmt: skip
INTRODUCTION = """\
`make bench` has written this page: the output of the scripts in `benchmarks/`, each of which says
at its top what its figures are. Those of rules and settings that were chosen with these data in
view are development figures."""
# Prints the versions of the packages that an environment has.
VERSIONS = """
import sys
from importlib import metadata
for name in sys.argv[1:]:
    try:
        print(name, metadata.version(name))
    except metadata.PackageNotFoundError:
        pass
"""
HEADING = "## `python benchmarks/"
# Those that other work would slow down.
ALONE = frozenset(
    [
        *("speed.py", "compiling.py", "time_of_tests.py", "batch_names.py", "voicemail.py"),
        *("learned.py", "beam.py", "distill.py", "names.py", "kanji.py"),
    ]
)


@dataclass(frozen=True)
class Section:
    """A benchmark on the page: its script, and the text from its heading on."""

    script: str
    text: str


@dataclass(frozen=True)
class Page:
    """The facts of a run (date, machine, versions, commit), and the benchmarks below them."""

    facts: tuple[str, ...]
    sections: tuple[Section, ...]

    def __str__(self) -> str:
        head = f"# Figures\n\n{INTRODUCTION}\n\n{'; '.join(self.facts)}\n"
        return "\n".join([head, *(f"{section.text}\n" for section in self.sections)])

    @classmethod
    def read(cls, text: str) -> Page:
        """A page of its text, as `str` gives it."""
        head, *rest = text.split(f"\n{HEADING}")
        sections = (
            Section(re.split("[ `]", one, maxsplit=1)[0], f"{HEADING}{one.rstrip()}\n")
            for one in rest
        )
        return cls(tuple(head.strip().rpartition("\n")[2].split("; ")), tuple(sections))


def pages(
    shared: str, *, words: int = 1_000_000, peers: str | None = None
) -> tuple[Sequence[str], ...]:
    """The scripts of the page with their arguments, in its order; `peers` is an environment."""
    data = ["--shared", shared]
    beside = ["--peers", peers] if peers else []
    readers = ["--readers", peers] if peers else []
    return (
        ["speed.py", "--words", str(words)],
        ["compiling.py", "--top", "0"],
        ["time_of_tests.py"],
        ["grammars.py", *data, *beside],
        ["learned.py", "--ensemble", *beside],
        ["relatives.py"],
        ["beam.py"],
        ["sigmorphon.py", *data],
        ["distill.py", *data],
        ["reengineering.py", *data, *beside, "--samples", "1"],
        ["federalist.py", *data],
        ["count_models.py", *data],
        ["named_entities.py", *data],
        ["expected_f.py", *data],
        ["utility_decoding.py", *data],
        ["nettalk.py", *data],
        ["crf.py", *data, *beside],
        ["names.py", *data, *beside],
        ["mining.py", *data],
        ["batch_names.py", "--model", "hin"],
        ["kanji.py", *data, *beside, "--parts", "paper", "--settings", "standard"],
        ["kanji_readings.py", *data, *readers],
        ["matching.py", *data, *beside],
        ["matching_names.py", *data, *beside],
        ["treebank_synthetic.py"],
        ["treebank_transfer.py", *data],
        ["treebank_tagging.py", *data],
        ["voicemail.py", "--tables", *beside],
        ["voicemail_customers.py"],
    )


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", default=str(ROOT.parent / "shared" / "data"))
    parser.add_argument("--words", type=int, default=1_000_000)
    parser.add_argument("--peers", metavar="FOLDER", help="the virtual environment of the peers")
    parser.add_argument("--only", default="", help="scripts to run again, by comma")
    parser.add_argument("--jobs", type=int, default=2, help="benchmarks at a time (default: 2)")
    parser.add_argument("-o", "--output", metavar="PAGE", type=Path, default=FIGURES)
    asked = parser.parse_args(argv)
    benchmarks = pages(asked.shared, words=asked.words, peers=asked.peers)
    only = {*filter(None, asked.only.split(","))}
    if unknown := only - {script for script, *_ in benchmarks}:
        parser.error(f"--only {','.join(sorted(unknown))}: the page has no such script")
    facts = facts_of_this_run(asked.peers)
    sys.exit(write_page(benchmarks, asked.output, facts=facts, only=only, jobs=asked.jobs))


def write_page(
    benchmarks: Iterable[Sequence[str]],
    path: Path,
    *,
    facts: Sequence[str],
    only: Iterable[str] = (),
    jobs: int = 1,
) -> int:
    """Run benchmarks, or `only` some scripts, and write the page; 1 if any of them failed.

    The page is written after each, so that a run that is stopped keeps what it has.
    """
    again = {*only}
    page = path.read_text(encoding="utf-8") if again and path.exists() else ""
    old = Page.read(page) if page else Page(tuple(facts), ())
    sections = numbered([section for section in old.sections if section.script not in again])
    new = [fact for fact in facts if fact not in old.facts]
    failed, seen, order = list[Sequence[str]](), Counter[str](), list[tuple[str, int]]()
    for script, *_ in (every := [*benchmarks]):
        order.append((script, seen[script]))
        seen[script] += 1
    path.parent.mkdir(parents=True, exist_ok=True)
    print(Page(tuple(facts), ()), flush=True)
    lock = threading.Lock()

    def run(place: tuple[str, int], words: Sequence[str]) -> None:
        found = section_of(words, new, failed)
        with lock:
            sections[place] = found
            print(f"{found.text}", flush=True)
            shown = tuple(sections[place] for place in order if place in sections)
            path.write_text(f"{str(Page(old.facts, shown)).rstrip()}\n", encoding="utf-8")

    asked = [one for one in zip(order, every, strict=True) if not again or one[1][0] in again]
    alone = [one for one in asked if one[1][0] in ALONE or jobs == 1]
    for one in alone:
        run(*one)
    with ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(run, *one) for one in asked if one not in alone]
        for one_of_all in waiting:
            one_of_all.result()
    for words in failed:
        print(f"failed: {' '.join(words)}", file=sys.stderr)
    return 1 if failed else 0


def numbered(sections: Iterable[Section]) -> dict[tuple[str, int], Section]:
    """Sections by their scripts, and how many of the same script stand before."""
    seen = Counter[str]()
    found = {}
    for section in sections:
        found[section.script, seen[section.script]] = section
        seen[section.script] += 1
    return found


def section_of(words: Sequence[str], new: Sequence[str], failed: list[Sequence[str]]) -> Section:
    """The command, minutes, facts that differ from the head's, and output of a benchmark.

    One that fails is added to `failed`.
    """
    begun = time.perf_counter()
    command = [sys.executable, str(HERE / words[0]), *words[1:]]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if ran.returncode:
        failed.append(words)
    ending = [f"failed with exit code {ran.returncode}"] if ran.returncode else []
    given = (os.path.relpath(word) if os.path.isabs(word) else word for word in words[1:])
    told = "; ".join([f"{(time.perf_counter() - begun) / 60:.1f} minutes", *new, *ending])
    output = "\n".join(line.rstrip() for line in ran.stdout.rstrip().splitlines())
    heading = f"{HEADING}{' '.join([words[0], *given])}`"
    return Section(words[0], f"{heading}\n\n{told}\n\n```text\n{output}\n```\n")


def facts_of_this_run(peers: str | None) -> tuple[str, ...]:
    """The date, the machine, the versions, those of peers, and the commit."""
    python = Path(peers, "bin", "python") if peers else Path(sys.executable)
    ask = [str(python), "-c", VERSIONS, *PEERS]
    told = subprocess.run(ask, capture_output=True, text=True).stdout if python.exists() else ""
    versions = [f"{name} {metadata.version(name)}" for name in OURS]
    return (
        f"{date.today()}",
        f"{os.cpu_count()} cores, {processor()}",
        f"Python {platform.python_version()}, {', '.join(versions)}",
        f"peers: {', '.join(told.splitlines()) or 'none'}",
        f"commit {commit()}",
    )


def processor() -> str:
    """The architecture, and the name of the processor where Linux knows it."""
    about = Path("/proc/cpuinfo")
    text = about.read_text(encoding="utf-8") if about.exists() else ""
    name = re.search(r"^model name\s*: (.+)$", text, re.M)
    return f"{platform.machine()} ({name[1]})" if name else platform.machine()


def commit() -> str:
    """The commit of this checkout, and whether anything but the page of figures is not in it."""
    git = ["git", "-C", str(ROOT)]
    named = subprocess.run([*git, "describe", "--always"], capture_output=True, text=True)
    files = ["--", ".", f":(exclude){FIGURES.relative_to(ROOT)}"]
    clean = subprocess.run([*git, "diff", "--quiet", "HEAD", *files], capture_output=True)
    name = named.stdout.strip() or "no checkout"
    return f"{name}-dirty" if clean.returncode == 1 else name


if __name__ == "__main__":
    main()
