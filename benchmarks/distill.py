"""Trees distilled from transducers, beside the transducers in our kernels and in pynini.

    python benchmarks/distill.py [--shared ../shared/data] [--words N] [--peer-words 2000]
                                 [--only fra] [--seconds 1] [--json FILE]

French is a cascade of rules, English another one and the model that `make` trains. A tree learns
nine words in ten of a list, and invented ones; its agreement is that on the tenth. Bytes are those
of the transducers in the archive: where it keeps a cascade in stages, the whole composed eagerly
would be larger, so that the ratio told is the worst case. Words per second are those of one core,
the first answers of each left out. pynini composes a word with each stage and takes the shortest
path (`rewrite.rewrite_lattice`, `rewrite.lattice_to_top_string`), once for each of some held-out
words. Words are those of WikiPron's French list, or of the package gruut-lang-fr, and of CMUdict.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pynini
from lists import fra
from pynini.lib import rewrite

from glyphone.catalog import names as catalog_names
from glyphone.data.errors import GlyphoneError
from glyphone.distillation.costs import SECONDS
from glyphone.distillation.distill import distill
from glyphone.distillation.report import certificate_page
from glyphone.distillation.words import numbered_words
from glyphone.fst import backend
from glyphone.fst.transducers.model import TransducerModel

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Task:
    """A teacher by name, the language of its words, and the agreement that is aimed at, if any."""

    teacher: str
    language: str
    agreement: float | None = None


TASKS = (
    Task("fra.letter_to_sound:FRENCH", "fra", 0.97),
    Task("eng.rules:ENGLISH", "eng"),
    Task("eng.letter_to_sound", "eng"),
)


def words_of(language: str, shared: Path) -> list[str]:
    """The words of a list; none if it is not here."""
    if language == "eng":
        return [word for _, word in numbered_words("cmudict")]
    for job in fra.TASKS:
        if job.source(shared).exists():
            return [word for word, _ in job.read(job.source(shared))]
    return []


def through_pynini(model: TransducerModel, words: list[str]) -> Iterator[str]:
    """The best output of each word: the same transducers, one after the other."""
    stages = [backend.from_transducer(machine) for machine in model.machines]
    tables = []
    for side in (model.source, model.target):
        table = pynini.SymbolTable()
        table.add_symbol("<epsilon>", 0)
        for symbol, label in side.symbols.items():
            table.add_symbol(symbol, label)
        tables.append(table)
    for word in words:
        symbols = " ".join(model.source.writing.split(word).symbols)
        lattice = pynini.accep(symbols, token_type=tables[0])
        for stage in stages:
            lattice = rewrite.rewrite_lattice(lattice, stage)
        yield rewrite.lattice_to_top_string(lattice, tables[1])


def peer_speed(model: TransducerModel, words: list[str]) -> tuple[float, float]:
    """Words per second of pynini, and the share of its outputs that are ours."""
    plain = [word for word in words if word.isalpha()]
    answers = through_pynini(model, plain)
    next(answers)
    began = time.process_time()
    found = list(answers)
    taken = time.process_time() - began
    ours = [None if one is None else one.output for one in model.apply(plain[1:], jobs=1)]
    same = sum(a == b for a, b in zip(found, ours, strict=True))
    return len(found) / taken, same / len(found)


def measure(
    job: Task, words: list[str], peer_words: int, *, seconds: float, seed: int
) -> dict[str, Any]:
    began = time.perf_counter()
    distilled = distill(job.teacher, words, seed=seed, jobs=1, seconds=seconds)
    taken = time.perf_counter() - began
    certificate = distilled.certificate
    print(f"{certificate_page(certificate, most=5)}\n")
    rows = {**certificate.as_dict(), "seconds": taken}
    speed = certificate.student_cost.words_per_second
    own = speed / certificate.teacher_cost.words_per_second
    target = "" if job.agreement is None else f" (target {job.agreement:.0%})"
    print(f"word agreement {certificate.held_out.word:.2%}{target}; distilled in {taken:.0f} s")
    print(f"{speed:,.0f} words/s (target 500,000), {own:.1f} times our kernels (target 3)")
    model = catalog_names.load(job.teacher)
    if isinstance(model, TransducerModel):
        peer, same = peer_speed(model, words[:: max(1, len(words) // peer_words)])
        rows["pynini"] = {"words_per_second": peer, "same": same}
        print(f"pynini {peer:,.0f} words/s, {same:.2%} the same outputs as ours")
        print(f"{speed / peer:.0f} times pynini (target 20)")
    print(flush=True)
    return rows


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--words", type=int, default=100_000, help="of each list at most")
    parser.add_argument("--peer-words", type=int, default=2000, help="that pynini is asked for")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="at least, for speeds")
    parser.add_argument("--only", default="", help="part of a teacher's name")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    page = {}
    for job in TASKS:
        if arguments.only not in job.teacher:
            continue
        words = words_of(job.language, arguments.shared)[: arguments.words]
        if not words:
            print(f"{job.teacher}: skipped, no list of words is here")
            continue
        try:
            catalog_names.load(job.teacher)
        except GlyphoneError as error:
            print(f"{job.teacher}: skipped, {error}")
            continue
        page[job.teacher] = measure(
            job, words, arguments.peer_words, seconds=arguments.seconds, seed=arguments.seed
        )
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(page, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
