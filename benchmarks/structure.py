"""Learners of structure: latent states, segments, combinations of features, word classes.

    python benchmarks/structure.py [--part chunks] [--shared ../shared/data]

`chunks`: noun phrases of CoNLL-2000 by chains and by latent states (structure_chunks.py).
`entities`: JNLPBA and CoNLL-2002 by segments (structure_entities.py).
`combinations`: made data, letters to sounds, newsgroups (structure_combinations.py).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import structure_combinations
import structure_entities
from structure_chunks import show_chunks

ROOT = Path(__file__).resolve().parents[1]


def chunks(arguments: argparse.Namespace) -> None:
    folder = arguments.shared / "conll2000"
    if not folder.is_dir():
        print(f"skipped, {folder.name} is absent")
        return
    show_chunks(folder, most=arguments.sentences, iterations=arguments.iterations)


PARTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "chunks": chunks,
    "entities": lambda asked: structure_entities.main(["--shared", str(asked.shared)]),
    "combinations": lambda asked: structure_combinations.main(["--shared", str(asked.shared)]),
}


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--sentences", type=int, metavar="N", help="of chunks, to try it out")
    parser.add_argument("--iterations", type=int, metavar="N", help="at most, to try it out")
    arguments = parser.parse_args(given)
    for part in arguments.part or PARTS:
        print(f"### {part}\n")
        PARTS[part](arguments)
        print()


if __name__ == "__main__":
    main()
