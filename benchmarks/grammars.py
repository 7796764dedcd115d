"""Word and phone error of the shipped grammars against public pronunciation lists.

    python benchmarks/grammars.py [--shared ../shared/data] [--only fin] [--errors 20]
                                  [--peers FOLDER]

Word error is the share of distinct words whose transcription equals none of those listed; phone
error is the edit distance to the nearest listed one, summed over all words and divided by the sum
of the lengths of those. A word without output counts as wrong, with all its phones. Both sides are
brought to one convention first, and the modules in `lists` say how and why. Lists that are absent
are skipped.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import lists
from conventions import Phones, Task
from peers import add_environment

from glyphone.catalog import names as catalog_names
from glyphone.evaluation.measures import edit_distance

ROOT = Path(__file__).resolve().parents[1]
References = dict[str, list[Phones]]


@dataclass(frozen=True)
class Result:
    words: int
    wrong: int
    edits: int
    phones: int
    mismatches: Counter[tuple[str, str]]
    examples: dict[tuple[str, str], str]


def tasks() -> Iterator[Task]:
    """The tasks of all languages, in alphabetical order."""
    for module in pkgutil.iter_modules(lists.__path__):
        yield from importlib.import_module(f"lists.{module.name}").TASKS


def references(job: Task, path: Path) -> References:
    found: References = {}
    for word, phones in job.read(path):
        found.setdefault(word, []).append(job.reference(phones))
    return found


def measure(job: Task, path: Path) -> Result:
    listed = references(job, path)
    model = catalog_names.load(job.grammar)
    wrong = edits = phones = 0
    mismatches: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], str] = {}
    answers = model.apply(listed, on_error=lambda number, error: None)
    for (word, variants), answer in zip(listed.items(), answers, strict=True):
        output = () if answer is None else job.output(str(answer.output))
        if output in variants:
            phones += len(output)
            continue
        nearest = min(variants, key=lambda variant: edit_distance(variant, output))
        wrong += 1
        edits += edit_distance(nearest, output)
        phones += len(nearest)
        for pair in differences(nearest, output):
            mismatches[pair] += 1
            examples.setdefault(pair, f"{word} {''.join(nearest)} {''.join(output)}")
    return Result(len(listed), wrong, edits, phones, mismatches, examples)


def differences(reference: Phones, output: Phones) -> Iterator[tuple[str, str]]:
    matcher = SequenceMatcher(None, reference, output, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind != "equal":
            yield " ".join(reference[a:b]), " ".join(output[c:d])


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--errors", type=int, default=0, metavar="N")
    parser.add_argument("--only", default="", help="part of a grammar's name")
    parser.add_argument("--peers", metavar="FOLDER", help="an environment with gruut-lang-fr")
    options = parser.parse_args(argv)
    add_environment(options.peers)
    print(f"{'grammar':40}{'words':>8}{'word error':>12}{'phone error':>13}  convention")
    for job in tasks():
        path = job.source(options.shared)
        if options.only not in job.grammar:
            continue
        if not path.exists():
            print(f"{job.grammar}: skipped, {job.path} is absent")
            continue
        result = measure(job, path)
        word_error, phone_error = result.wrong / result.words, result.edits / result.phones
        print(
            f"{job.grammar:40}{result.words:>8}{word_error:>12.2%}{phone_error:>13.2%}  {job.note}"
        )
        for pair, count in result.mismatches.most_common(options.errors):
            print(f"{count:>8}  {pair[0] or '∅'} → {pair[1] or '∅'}  ({result.examples[pair]})")


if __name__ == "__main__":
    main()
