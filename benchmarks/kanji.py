"""Kanji restored from romaji: the settings of the paper and beyond, beside baselines and a peer.

    python benchmarks/kanji.py [--shared ../shared/data] [--peers FOLDER] [--parts paper,strings]
                               [--settings "standard;full"]

`paper` are the settings of Jansche and Sproat (2009), section 7, on surnames and given names of
JMnedict: a thousand keys are held out, and all kanji strings that they have. Of what is left so
many pairs are learnt from, and so many names in kanji, in all kinds of names; "channel" is the
model of the paper (trigrams, a channel that does not know of places, names of one kind), "glyphone"
the default. A dictionary is drawn from names of IPADIC and of a list of common names; "promoted" is
what it knows among the best ten, "replaced" asks it first. `plain` is the same with kanji strings
left in, as the reference run did it (accuracy .404, .414, .455). In `strings` every tenth kanji
string is held out, and what is right is any form of the key that JMnedict has, or one of those that
were held out. `counts` and readings are in kanji_readings.py.

Accuracy, mean F and MRR are those of NEWS. An answer is right if JMnedict lists it: all entries
count alike, rare ones too. Training is measured from outside, start-up included; names/s by the
clock, with `--jobs 1` and `2`, the ten best of each, on 16,000 keys of all names, each once.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import kanji_data as data
import kanji_systems as systems
from kanji_data import Name, Split, pairs_of
from kanji_systems import Answers
from peers import Failed, Phonetisaurus, Usage

from glyphone.data.records import Pair

ROOT = Path(__file__).resolve().parents[1]
# Pairs and names in kanji; None is all there are.
SETTINGS = {
    "standard": (19_684, 19_721),
    "1, 2": (19_684, 117_782),
    "3, 4": (108_172, 117_782),
    "full": (None, None),
}
HEAD = (
    f"{'setting':9} {'system':28} {'pairs':>7} {'names':>7} {'acc %':>6} {'95 %':>11} {'F %':>6}"
    f" {'MRR %':>6} {'top 10':>6} {'names/s':>7} {'--jobs 2':>8} {'CPU s':>6} {'MiB':>6}"
)


@dataclass(frozen=True)
class Run:
    """The data, the peer if there is one, the settings and the seed of a run."""

    shared: Path
    peer: Phonetisaurus | None
    settings: Sequence[str]
    seed: int


def row(
    setting: str,
    system: str,
    pairs: int,
    names: int,
    asked: Mapping[str, set[str]],
    answers: Answers,
    *,
    usage: Usage | None = None,
    speeds: Sequence[float] = (),
) -> None:
    found = systems.figures(asked, answers)
    low, high = found.interval
    cells = [f"{speed:,.0f}" for speed in speeds] + [""] * (2 - len(speeds))
    cost = f"{usage.cpu_seconds:6.1f} {usage.peak_mib:6.0f}" if usage else ""
    print(
        f"{setting:9} {system:28} {pairs:7} {names:7} {100 * found.accuracy:6.1f}"
        f" {100 * low:5.1f}-{100 * high:5.1f} {100 * found.mean_f:6.1f} {100 * found.mrr:6.1f}"
        f" {100 * found.top:6.1f} {cells[0]:>7} {cells[1]:>8} {cost}".rstrip(),
        flush=True,
    )


def settings_of(
    split: Split, chosen: Sequence[str]
) -> Iterator[tuple[str, Sequence[Name], Sequence[Name]]]:
    """The names that each setting learns from: with readings, and more of them without."""
    for setting in chosen:
        pairs, names = SETTINGS[setting]
        yield setting, split.train[:pairs], split.train[pairs or len(split.train) : names]


def ours(
    setting: str,
    system: str,
    split: Split,
    known: Sequence[Name],
    more: Sequence[tuple[str, str]],
    *,
    dictionary: Mapping[str, Sequence[str]] | None = None,
    speed: bool = True,
    also: Mapping[str, set[str]] | None = None,
) -> None:
    """Rows of one model; `also` are other references for what is asked."""
    channel = system == "channel"
    pairs = pairs_of(known, kinds=not channel)
    options = asdict(systems.PAPER) if channel else {}
    with tempfile.TemporaryDirectory() as folder:
        learnt = systems.trained(systems.TRAIN, pairs, Path(folder), names=more, options=options)
    keys = [*split.asked]
    answers = systems.asked_of(learnt.model, keys)
    size, names = len(known), len(known) + len(more)
    many = systems.many_of([*keys, *(name.key for name in split.train)])
    speeds = [systems.names_per_second(learnt.model, many, jobs=jobs) for jobs in (1, 2) if speed]
    row(setting, system, size, names, split.asked, answers, usage=learnt.usage, speeds=speeds)
    if dictionary:
        promoting = systems.with_dictionary(learnt.model, dictionary)
        best = systems.asked_of(promoting, keys)
        row(setting, f"{system}, promoted", size, names, split.asked, best)
        best = systems.replaced(keys, answers, dictionary)
        row(setting, f"{system}, replaced", size, names, split.asked, best)
    if also:
        row("held out", system, size, names, also, answers)


def baselines(
    setting: str,
    split: Split,
    known: Sequence[Name],
    peer: Phonetisaurus | None,
    *,
    also: Mapping[str, set[str]] | None = None,
) -> None:
    """Look-up, joint models and the peer on the pairs of a setting."""
    pairs, keys = pairs_of(known, kinds=False), [*split.asked]

    def rows(system: str, answers: Answers, usage: Usage | None = None, *speeds: float) -> None:
        row(setting, system, len(known), len(known), split.asked, answers, usage=usage,
            speeds=speeds)  # fmt: skip
        if also:
            row("held out", system, len(known), len(known), also, answers)

    rows("look-up", systems.looked_up(keys, pairs_of(known)))
    for system, options in (
        ("joint, default", {}),
        ("joint, 6 letters to a kanji", {"max_source": 6, "order": 4}),
    ):
        with tempfile.TemporaryDirectory() as folder:
            learnt = systems.trained(systems.JOINT, pairs, Path(folder), options=options)
        many = systems.many_of([*keys, *(name.key for name in split.train)])
        speeds = [systems.names_per_second(learnt.model, many, jobs=jobs) for jobs in (1, 2)]
        rows(system, systems.asked_of(learnt.model, keys), learnt.usage, *speeds)
    if peer is None:
        return
    for system, letters in ("Phonetisaurus", 0), ("Phonetisaurus, 6 to a kanji", 6):
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = systems.Peer(peer, letters).answers(keys, distinct(pairs), Path(folder))
            except Failed as failure:
                print(f"{setting}: {system}: {failure}", flush=True)
            else:
                rows(system, *found)


def distinct(pairs: Sequence[Pair]) -> list[Pair]:
    """Each pair once, as the peer would count it otherwise as often as it has readings in kana."""
    return [*{(pair.source, pair.target): pair for pair in pairs}.values()]


def paper(names: Sequence[Name], run: Run) -> None:
    split, listed = data.by_romaji(names, seed=run.seed), data.dictionary(run.shared, seed=run.seed)
    known_keys = sum(key in listed for key in split.asked)
    print(f"held out by key and by string; the dictionary has {known_keys} of the keys\n{HEAD}")
    written = set().union(*split.asked.values())
    ipadic = [(n.kanji, kind) for n in data.ipadic(run.shared) for kind in n.kinds]
    for setting, known, more in settings_of(split, run.settings):
        lines = [(name.kanji, "") for name in more]
        for system in ("channel", "glyphone"):
            own = lines if system == "channel" else [(n.kanji, k) for n in more for k in n.kinds]
            ours(setting, system, split, known, own, dictionary=listed)
        if setting in ("standard", "full"):
            others = [entry for entry in ipadic if entry[0] not in written]
            ours(setting, "glyphone, names of IPADIC", split, known, others, speed=False)
            baselines(setting, split, known, run.peer)


def plain(names: Sequence[Name], run: Run) -> None:
    split = data.by_romaji(names, seed=run.seed, strict=False)
    print(f"held out by key\n{HEAD}")
    for setting, known, more in settings_of(split, run.settings):
        for system in ("channel", "glyphone"):
            lines = [(name.kanji, "") for name in more]
            ours(setting, system, split, known, lines, speed=False)


def strings(names: Sequence[Name], run: Run) -> None:
    split, out = data.by_string(names, seed=run.seed)
    forms = data.forms_of(out)
    also = {key: forms[key] for key in split.asked}
    print(f"held out by kanji string; one of all forms is right, or one of those held out\n{HEAD}")
    for system in ("channel", "glyphone"):
        known: dict[str, list[str]] = {}
        for name in split.train:
            known.setdefault(name.key, []).append(name.kanji)
        ours("full", system, split, split.train, [], dictionary=known, also=also)
    baselines("full", split, split.train, run.peer, also=also)


PARTS = {"paper": paper, "plain": plain, "strings": strings}


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--peers", metavar="FOLDER", help="the virtual environment of the peers")
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--settings", default=";".join(SETTINGS), help="divided by semicolons")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    chosen = arguments.settings.split(";")
    if not (arguments.shared / "jmnedict").is_dir():
        print(f"kanji: skipped, {arguments.shared / 'jmnedict'} is absent")
        return
    folder = arguments.peers
    peer = Phonetisaurus.find(str(Path(folder, "bin", "python")) if folder else sys.executable)
    if peer is None:
        print("left out: phonetisaurus is not installed (name its environment with --peers)")
    names = data.jmnedict(arguments.shared)
    print(f"kanji from romaji, JMnedict, {len(names)} names, seed {arguments.seed}")
    for part in arguments.parts.split(","):
        print()
        PARTS[part](names, Run(arguments.shared, peer, chosen, arguments.seed))


if __name__ == "__main__":
    main()
