"""The miner's filter on true and shuffled pairs, and what it mines from installed data.

    python benchmarks/mining.py [--shared ../shared/data] [--language rus] [--pairs 5000]
                                [--languages hin rus jpn kor tam kan]

Half of the pairs are names as the language writes them, drawn by seed, and half names with those of
others: of the first at least three quarters should be kept, of the second nineteen in twenty
dropped. `far` is that of a language with a script to itself, for nobody mixed in other languages;
`strict` is the filter as the miner uses it for this language.
"""

from __future__ import annotations

import argparse
import gzip
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from names import NETRANSLIT

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import NamePair
from glyphone.models.names.languages import find_language
from glyphone.models.names.mining.candidates import candidates_of
from glyphone.models.names.mining.filter import OWN_FAR, FilterOptions, judge_candidates
from glyphone.models.names.mining.mine import mine_pairs
from glyphone.models.names.script import script_of

ROOT = Path(__file__).resolve().parents[1]


def mixed(path: Path, pairs: int, seed: int) -> tuple[list[NamePair], list[NamePair]]:
    """True pairs of single words, and as many with each native word at another Latin one."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [tuple(line.rstrip("\n").split("\t")[:2]) for line in lines]
    # Native letters have spaces between them.
    pairs_of_words = {(row[0], row[1].replace(" ", "")) for row in rows if len(row) == 2}
    words = sorted(row for row in pairs_of_words if " " not in row[0])
    chosen = random.Random(seed).sample(words, 2 * pairs)
    true, other = chosen[:pairs], chosen[pairs:]
    moved = [native for _, native in other[1:] + other[:1]]
    wrong = [(latin, native) for (latin, _), native in zip(other, moved, strict=True)]
    return [named(row) for row in true], [named(row) for row in wrong]


def named(row: tuple[str, ...]) -> NamePair:
    return NamePair(row[0], row[1], "list", row[0], "name")


def filtered(path: Path, language: str, pairs: int, options: FilterOptions) -> tuple[float, float]:
    """The share of true pairs that is kept, and of others that is dropped."""
    true, wrong = mixed(path, pairs, options.seed)
    script = script_of(find_language(language))
    pool = candidates_of([*true, *wrong], script)
    kept = {
        (one.candidate.latin, one.candidate.native)
        for one in judge_candidates(pool.candidates, script, options).verdicts
        if not one.reason
    }
    found = [
        sum((one.latin.lower(), one.native) in kept for one in names) / pairs
        for names in (true, wrong)
    ]
    return found[0], 1 - found[1]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--language", choices=sorted(NETRANSLIT), default="rus")
    parser.add_argument("--pairs", type=int, default=5000)
    parser.add_argument(
        "--languages", nargs="*", default=["hin", "rus", "jpn", "kor", "tam", "kan"]
    )
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    script = NETRANSLIT[arguments.language]
    path = arguments.shared / "netranslit_coling2018" / f"wd_{script}_64.tsv.gz"
    if path.exists():
        for title, far in (("nobody else's names", OWN_FAR), ("strict", None)):
            options = FilterOptions(far=far, seed=arguments.seed)
            kept, dropped = filtered(path, arguments.language, arguments.pairs, options)
            print(f"{title}: {kept:.1%} of true pairs kept, {dropped:.1%} of shuffled dropped")
    else:
        print(f"the filter: skipped, {path.name} is absent")
    for code in arguments.languages:
        begin = time.perf_counter()
        try:
            found = mine_pairs(find_language(code)).report
        except GlyphoneError as error:
            print(error, file=sys.stderr)
            return 2
        seconds = time.perf_counter() - begin
        print(f"{code}: {found.kept} of {found.candidates} kept, {seconds:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
