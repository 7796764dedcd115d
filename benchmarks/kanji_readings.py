"""Names that people bear: read from kanji beside other readers, and restored, weighted by counts.

    python benchmarks/kanji_readings.py [--shared ../shared/data] [--readers FOLDER]

`JMnedict` are surnames of it whose kanji strings, every tenth one, were held out; any of the
readings that are listed for the string is right. `people` are the half of a list of the 2,000
commonest surnames, drawn with the seed, each counting as often as people bear it, which is what a
test drawn by counts gives on the average; what they bear is right and nothing else. Glyphone has
learnt all of JMnedict, with the counts of the other half; the strings of the half that is asked
for are either not in it at all, or there as one entry among others, not counted ("listed");
"surnames" was told that all of them are; with "promoted" a reading that is listed goes first, if
it is among the ten best. "counted" has learnt the counts of both halves, as other readers'
dictionaries have.

MeCab with IPADIC and pykakasi are asked for the same strings, in the environment of --readers
(pip install mecab-python3 ipadic pykakasi); they know many of them, as nothing was held out of
their dictionaries. "as surnames" takes the first of the ten best that MeCab has for one. Tools like
namedivider only divide names.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import kanji_data as data
import kanji_systems as systems
from kanji_data import Name, pairs_of
from kanji_systems import Answers

from glyphone.data.sources.japanese import to_hiragana
from glyphone.models.kanji.model import KanjiModel

ROOT = Path(__file__).resolve().parents[1]
ASKED = 2000
MECAB = """
import sys, MeCab, ipadic
best = MeCab.Tagger(ipadic.MECAB_ARGS + " -N 10")
def nodes(node):
    while node:
        if node.surface:
            yield node.surface, node.feature.split(",")
        node = node.next
for line in sys.stdin:
    best.parseNBestInit(line.strip())
    ways = [list(nodes(way)) for way in iter(best.nextNode, None)][:10]
    surnames = [way for way in ways if len(way) == 1 and way[0][1][2:4] == ["人名", "姓"]]
    chosen = (surnames or ways)[0] if "surnames" in sys.argv else ways[0]
    print("".join(row[7] if len(row) > 7 else text for text, row in chosen))
"""
PYKAKASI = """
import sys, pykakasi
reader = pykakasi.kakasi()
for line in sys.stdin:
    print("".join(word["hira"] for word in reader.convert(line.strip())))
"""
READERS = {
    "MeCab, IPADIC": (MECAB,),
    "MeCab, IPADIC, as surnames": (MECAB, "surnames"),
    "pykakasi": (PYKAKASI,),
}
HEAD = f"{'test':9} {'system':27} {'learnt':>7} {'asked':>6} {'acc %':>6} {'top 10 %':>8}"

# What is asked, what is right, and how much that counts.
Asked = list[tuple[str, set[str], float]]


def row(test: str, system: str, learnt: int | None, asked: Asked, answers: Answers) -> None:
    total = sum(weight for *_, weight in asked)
    first, top = (
        100
        * sum(
            weight
            for (_, right, weight), found in zip(asked, answers, strict=True)
            if right.intersection(found[:n])
        )
        / total
        for n in (1, systems.BEST)
    )
    ten = f"{top:8.1f}" if max(map(len, answers)) > 1 else ""
    learning = "" if learnt is None else learnt
    print(
        f"{test:9} {system:27} {learning:7} {len(asked):6} {first:6.1f} {ten}".rstrip(), flush=True
    )


def ours(names: Sequence[Name], counts: Mapping[tuple[str, str], float]) -> KanjiModel:
    with tempfile.TemporaryDirectory() as folder:
        pairs = pairs_of(names, kana=True, counts=counts)
        model = systems.trained(systems.TRAIN, pairs, Path(folder)).model
        assert isinstance(model, KanjiModel)
        return model


def read_by(python: str, script: Sequence[str], texts: Sequence[str]) -> Answers:
    """The readings of each text by a reader; none if it is not installed."""
    program, *options = script
    run = subprocess.run(
        [python, "-I", "-c", program, *options],
        input="".join(f"{text}\n" for text in texts),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    return [] if run.returncode else [[to_hiragana(line)] for line in run.stdout.splitlines()]


def readers(test: str, asked: Asked, python: str | None) -> None:
    for reader, script in READERS.items():
        answers = read_by(python, script, [text for text, *_ in asked]) if python else []
        if answers:
            row(test, reader, None, asked, answers)
        else:
            print(f"{test:9} {reader}: left out, it is not installed (see --readers)")


def jmnedict(names: Sequence[Name], python: str | None, seed: int) -> None:
    split, out = data.by_string(names, seed=seed)
    readings: dict[str, set[str]] = {}
    for name in out:
        if "surname" in name.kinds:
            readings.setdefault(name.kanji, set()).add(name.kana)
    drawn = random.Random(seed).sample(sorted(readings), min(ASKED, len(readings)))
    asked = [(kanji, readings[kanji], 1.0) for kanji in drawn]
    answers = systems.asked_of(ours(split.train, {}), drawn)
    row("JMnedict", "glyphone", len(split.train), asked, answers)
    readers("JMnedict", asked, python)


def listed_readings(names: Sequence[Name]) -> dict[str, list[str]]:
    """The readings that surnames are listed with, as a dictionary has them."""
    readings: dict[str, list[str]] = {}
    for name in names:
        if "surname" in name.kinds:
            readings.setdefault(name.kanji, []).append(name.kana)
    return readings


def people(names: Sequence[Name], shared: Path, python: str | None, seed: int) -> None:
    surnames = data.surnames_with_counts(shared)
    half = random.Random(seed).sample(surnames, len(surnames) // 2)
    strings = {name.kanji for name in half}
    everyone = {(n.kanji, n.kana): n.count for n in surnames}
    counts = {one: count for one, count in everyone.items() if one[0] not in strings}
    kept = [name for name in names if name.kanji not in strings]
    read: Asked = [(name.kanji, {name.kana}, name.count) for name in half]
    restored: Asked = [(name.key, {name.kanji}, name.count) for name in half]
    for system, known in ("glyphone, held out", kept), ("glyphone, listed", names):
        model = ours(known, counts)
        keys = [key for key, *_ in restored]
        row("restored", system, len(known), restored, systems.asked_of(model, keys))
        strung = [kanji for kanji, *_ in read]
        row("read", system, len(known), read, systems.asked_of(model, strung))
        surnames = model.of_kind("surname")
        row("read", f"{system}, surnames", len(known), read, systems.asked_of(surnames, strung))
        if known is names:
            promoting = systems.with_dictionary(surnames, listed_readings(names))
            best = systems.asked_of(promoting, strung)
            row("read", f"{system}, promoted", len(known), read, best)
    counted = ours(names, everyone).of_kind("surname")
    best = systems.asked_of(counted, strung)
    row("read", "glyphone, counted, surnames", len(names), read, best)
    pairs = pairs_of(names, counts=counts)
    row("restored", "look-up, listed", len(names), restored, systems.looked_up(keys, pairs))
    readers("read", read, python)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--readers", metavar="FOLDER", help="the virtual environment of readers")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    if not (arguments.shared / "jmnedict").is_dir():
        print(f"readings of kanji: skipped, {arguments.shared / 'jmnedict'} is absent")
        return
    folder = arguments.readers
    python = str(Path(folder, "bin", "python")) if folder else None
    names = data.jmnedict(arguments.shared)
    print(f"names that people bear, seed {arguments.seed}\n\n{HEAD}")
    jmnedict(names, python, arguments.seed)
    people(names, arguments.shared, python, arguments.seed)


if __name__ == "__main__":
    main()
