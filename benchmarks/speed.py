"""Speed of compiled grammars: compiling, loading, the first answer, and words by the million.

    python benchmarks/speed.py [--words 1000000] [--peer-words 20000] [--rounds 20] [--only spa]

The peer is pynini's own way to apply a rule to a word, `rewrite.top_rewrite` in a loop, with the
same transducer; it works on one core, for it holds the lock. Both answer the same generated words.
Memory is that of the largest process of a command.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pynini
from peers import Command, Usage, measure
from pynini.lib import rewrite

from glyphone.catalog import names as catalog_names
from glyphone.fst import backend
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.transducers import archive
from glyphone.fst.transducers.model import TransducerModel
from glyphone.grammar_tools import archives, modules
from glyphone.grammars.kor import hangul

SPANISH = "spa.letter_to_sound:CASTILIAN"


def words(n: int, seed: int) -> list[str]:
    """Distinct-looking Spanish words: two to five syllables of frequent shapes."""
    rng = random.Random(seed)
    onsets = "b c ch d f g gu h j l ll m n ñ p qu r rr s t tr bl pr v y z br".split()
    vowels = "a a a e e e i o o u á é í ó ú ia ie io ue ei ai".split()
    codas = ["", "", "", "", "n", "s", "r", "l", "d"]
    parts = [onset + vowel + coda for onset in onsets for vowel in vowels for coda in codas]
    return ["".join(rng.choices(parts, k=rng.randint(2, 5))) for _ in range(n)]


def compiling(only: str) -> None:
    print("compile and load\n")
    print(f"{'grammar':24} {'compile s':>9} {'KiB':>6}  load ms of each rule")
    with tempfile.TemporaryDirectory() as folder:
        for name in (name for name in archives.grammar_names() if only in name):
            path = Path(folder) / f"{name}.far"
            began = time.perf_counter()
            modules.compile_grammar(name, path)
            taken = time.perf_counter() - began
            loads = []
            for rule in archive.rules_of(path):
                began = time.perf_counter()
                archive.load(path, rule)
                loads.append(f"{rule} {1000 * (time.perf_counter() - began):.0f}")
            size = path.stat().st_size // 1024
            print(f"{name:24} {taken:9.1f} {size:6}  {', '.join(loads)}")


def first_answer() -> None:
    code = f"import glyphone; print(glyphone.load({SPANISH!r})('guerra'))"
    taken = min(timed_run([sys.executable, "-c", code]) for _ in range(5))
    print(f"\nfirst answer of a fresh process, start of Python included: {taken:.2f} s\n")


def timed_run(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def batch(items: list[str], jobs: int, folder: Path) -> Usage:
    """The costs of `glyphone apply` on a file, start-up included."""
    source, output = folder / "words.txt", folder / "answers.tsv"
    source.write_text("\n".join(items) + "\n", encoding="utf-8")
    words = ["apply", SPANISH, str(source), "-o", str(output), "--jobs", str(jobs)]
    return measure([Command((sys.executable, "-m", "glyphone", *words))])


def pynini_loop(model: TransducerModel, items: Iterable[str]) -> list[str]:
    """The peer: the same transducer with code points for input and named phones for output."""
    machine = model.machines[0]
    codes = np.zeros(max(model.source.symbols.values()) + 1, np.int32)
    for symbol, label in model.source.symbols.items():
        codes[label] = ord(symbol)
    recoded = Transducer.from_arcs(
        machine.start,
        machine.finals,
        machine.sources(),
        codes[machine.ilabels],
        machine.olabels,
        machine.weights,
        machine.targets,
    )
    rule = backend.from_transducer(recoded)
    phones = pynini.SymbolTable()
    phones.add_symbol("<epsilon>", 0)
    for symbol, label in model.target.symbols.items():
        phones.add_symbol(symbol, label)
    return [
        rewrite.top_rewrite(item, rule, input_token_type="utf8", output_token_type=phones)
        for item in items
    ]


def applying(n: int, peer_n: int, seed: int) -> None:
    model = catalog_names.load(SPANISH)
    if len(model.machines) != 1:
        sys.exit("the Spanish cascade is kept in stages; the peer needs one transducer")
    items = words(n, seed)
    sample = items[:peer_n]
    began = time.perf_counter()
    peer = pynini_loop(model, sample)
    peer_speed = peer_n / (time.perf_counter() - began)
    with tempfile.TemporaryDirectory() as folder:
        batch(items[:50_000], 1, Path(folder))  # compiled kernels are kept on disk
        print(f"{'':30} {'words':>9} {'words/s':>9} {'ratio':>6} {'peak MiB':>9}")
        print(f"{'pynini top_rewrite, one core':30} {peer_n:9} {peer_speed:9,.0f} {1:6.1f}")
        for size in (n // 10, n):
            for jobs in (1, 2):
                usage = batch(items[:size], jobs, Path(folder))
                speed = size / usage.seconds
                row = f"glyphone apply --jobs {jobs}"
                print(
                    f"{row:30} {size:9} {speed:9,.0f} {speed / peer_speed:6.1f}"
                    f" {usage.peak_mib:9.0f}"
                )
        answers = (Path(folder) / "answers.tsv").read_text(encoding="utf-8").split("\n")
    ours = [line.split("\t")[1] for line in answers[:peer_n]]
    same = sum(a == b for a, b in zip(ours, peer, strict=True))
    print(f"same outputs as pynini: {same} of {peer_n}\n")


def hangul_round_trip(rounds: int) -> None:
    syllables = list(hangul.SYLLABLES) * rounds
    there, back = (
        catalog_names.load(f"kor.hangul:{rule}") for rule in ("TO_PHONES", "FROM_PHONES")
    )
    apply_all(there, syllables), apply_all(back, apply_all(there, syllables[:9000]))  # compiled
    began = time.perf_counter()
    returned = apply_all(back, apply_all(there, syllables))
    taken = time.perf_counter() - began
    same = sum(a == b for a, b in zip(syllables, returned, strict=True))
    print(
        f"Hangul round trip: {same} of {len(syllables)} syllables come back "
        f"({len(hangul.SYLLABLES)} different), {len(syllables) / taken:,.0f} per second\n"
    )


def apply_all(model: TransducerModel, items: list[str]) -> list[str]:
    return [output for answers in model.blocks(items) for output in answers.outputs]


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=1_000_000)
    parser.add_argument("--peer-words", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=20, help="that Hangul syllables go")
    parser.add_argument("--only", default="", help="part of the names of grammars to compile")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    compiling(arguments.only)
    first_answer()
    applying(arguments.words, min(arguments.peer_words, arguments.words), arguments.seed)
    hangul_round_trip(arguments.rounds)
    usage = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"this page itself used {usage} MiB")


if __name__ == "__main__":
    main()
