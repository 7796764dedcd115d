"""Names that are the same: our measures beside those of others, on four kinds of names.

    python benchmarks/matching_names.py [--part countries|secondstring|pairs|scripts|speed]
        [--shared ../shared/data] [--peers build/peers] [--sets parks,business] [--picture FILE]

`countries` and `secondstring` rank pairs: the best F over n, precision and recall there, and the
mean precision (glyphone/evaluation/pairs.py says how ties count). Of sets with too many pairs,
those with rare words or trigrams in common are asked, and right pairs that are not are missed by
all. `pairs` are nomenklatura's labelled pairs: F at the best threshold, F where the threshold was
chosen on nine tenths and used on the last, F of people and of others, microseconds a pair (median,
95th percentile), and whether mean scores fall from sure matches to sure others. `scripts` finds the
right one of 10,000 names in another script for 2,000 names in Latin letters: the share that is
first, and that is among ten; equal scores are drawn. Seconds are those of the scores on one core.
The matcher is a logistic regression over what names have in common: the one that is shipped; of
nomenklatura's pairs one for each of ten folds; of the others one that learns from the other sets,
and of countries one for each two of five folds of countries (matching_combined.py). `speed` has
pairs a second of one core, and candidates of lists of growing size: seconds by the clock on all
cores and those of all cores together, pairs, the share of true ones among them, and the peak of
memory.
"""

from __future__ import annotations

import argparse
import math
import random
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from matching_combined import Featured, by_folds, by_other_sets
from matching_data import (
    SCRIPTS,
    SETS,
    Case,
    PairTask,
    ScriptTask,
    across_scripts,
    countries,
    nomenklatura,
    second_string,
    task_of_cases,
)
from matching_measures import measures
from matching_peers import THRESHOLDS, Peers, Scored, rapidfuzz_scores
from rapidfuzz import fuzz, process

from glyphone.catalog import names as catalog_names
from glyphone.catalog.defaults import MATCHER
from glyphone.data.sources.rigour import read_name_groups
from glyphone.drawing.curves import picture_of_curves
from glyphone.evaluation.pairs import PairCurve
from glyphone.io.tables import format_table
from glyphone.learners.matching.across import SpellingMeasure
from glyphone.learners.matching.candidates import CandidateIndex, kept_share
from glyphone.learners.matching.matcher import NameMatcher
from glyphone.learners.matching.named import measure
from glyphone.matching.file import load_named
from glyphone.matching.spellings import NameSpeller, default_models

ROOT = Path(__file__).resolve().parents[1]
PUBLISHED = ("nomenklatura logic_v2, published, all 826 pairs", 0.790)
# The thresholds of those that have one.
SHIPPED = {
    "nomenklatura logic_v2": 0.7, "matcher, cross-validated": 0.5, "matcher, as shipped": 0.5,
}  # fmt: skip
STRENGTH = 0.3
RANDOM = 5_000
FOLDS = 10


def percent(value: float) -> str:
    return f"{100 * value:.1f}"


def our_scores(task: PairTask) -> Iterator[Scored]:
    """Each of our measures, fitted on the names of the task."""
    for name, make in measures().items():
        began = time.perf_counter()
        measure = make().fit(task.names)
        scores = measure.of_pairs(task.names, task.pairs)
        yield Scored(name, scores, time.perf_counter() - began)


def all_scores(task: PairTask, peers: Peers | None) -> Iterator[Scored]:
    """Our measures and those of others; of thresholds the one that is best on the task."""
    yield from our_scores(task)
    yield from rapidfuzz_scores(task.names, task.pairs)
    if peers and peers.has("py_stringmatching"):
        tried = {
            threshold: peers.ask(f"soft_tfidf:{threshold}", task.names, task.pairs)
            for threshold in THRESHOLDS
        }
        best = max(tried, key=lambda one: curve_of(tried[one], task).best().f)
        found = tried[best]
        name = f"py_stringmatching Soft-TFIDF, {best}"
        yield Scored(name, found.scores, found.seconds, found.each)
    if peers and peers.has("jellyfish"):
        for measure, name in (("jaro_winkler", "Jaro-Winkler"), ("metaphone", "metaphone")):
            found = peers.ask(measure, task.names, task.pairs)
            yield Scored(f"jellyfish {name}", found.scores, found.seconds, found.each)


def shipped(task: PairTask) -> Iterator[Scored]:
    """The matcher that is shipped, if it has been trained."""
    if catalog_names.model_of(MATCHER) is None:
        print(f"left out: `glyphone models train {MATCHER}` has not been run\n")
        return
    matcher = load_named(MATCHER)
    began = time.perf_counter()
    scores = matcher.of_pairs(task.names, task.pairs)
    yield Scored("matcher, as shipped", scores, time.perf_counter() - began)


def labelled_sets(arguments: argparse.Namespace) -> list[PairTask]:
    """The sets of SecondString, and then nomenklatura's pairs."""
    folder = arguments.shared / "name_matching"
    if not folder.is_dir():
        return []
    names = arguments.sets.split(",")
    found = [second_string(folder / "secondstring" / f"{name}.txt") for name in names]
    return [*found, task_of_cases(nomenklatura(folder / "nomenklatura_cases.csv"))]


def curve_of(scored: Scored, task: PairTask) -> PairCurve:
    return PairCurve.of(scored.scores, task.labels, positives=task.positives)


def show_countries(arguments: argparse.Namespace, peers: Peers | None) -> None:
    task = countries()
    print(f"{task}\n")
    rows = [["", "F1", "P", "R", "n", "F.5", "F2", "mean P", "highest", "s"]]
    curves = {}
    asked, sets = Featured(task), [*map(Featured, labelled_sets(arguments))]
    combined = [by_folds(asked), *([by_other_sets(asked, sets)] if sets else [])]
    for scored in (*combined, *shipped(task), *all_scores(task, peers)):
        curve = curves[scored.name] = curve_of(scored, task)
        best = curve.best()
        figures = (best.f, best.precision, best.recall)
        weighted = (curve.best(0.5).f, curve.best(2.0).f, curve.mean_precision)
        highest = f"{scored.scores.max():.3f}"
        rows.append(
            [scored.name, *map(percent, figures), str(best.pairs), *map(percent, weighted), highest,
             f"{scored.seconds:.1f}"]
        )  # fmt: skip
    print(format_table(rows, "<" + ">" * 9))
    if arguments.picture:
        kind = arguments.picture.suffix.removeprefix(".")
        arguments.picture.write_bytes(picture_of_curves(curves, kind, title="countries"))


def show_second_string(arguments: argparse.Namespace, peers: Peers | None) -> None:
    every = [*map(Featured, labelled_sets(arguments))]
    tasks = [one.task for one in every[:-1]]
    print("\n".join(map(str, tasks)), flush=True)
    f1: dict[str, list[float]] = {}
    mean: dict[str, list[float]] = {}
    for featured in every[:-1]:
        task = featured.task
        for scored in (by_other_sets(featured, every), *shipped(task), *all_scores(task, peers)):
            name = scored.name.partition(", 0.")[0]
            curve = curve_of(scored, task)
            f1.setdefault(name, []).append(curve.best().f)
            mean.setdefault(name, []).append(curve.mean_precision)
    head = [task.name[:12] for task in tasks]
    for title, table in (("best F1", f1), ("mean precision", mean)):
        rows = [[title, *head, "average"]]
        for name, values in table.items():
            rows.append([name, *map(percent, values), percent(float(np.mean(values)))])
        print("\n" + format_table(rows, "<" + ">" * (len(head) + 1)))


def show_pairs(arguments: argparse.Namespace, peers: Peers | None) -> None:
    cases = nomenklatura(arguments.shared / "name_matching" / "nomenklatura_cases.csv")
    task = task_of_cases(cases)
    print(f"{task}\n")
    head = ["", "F1", "P", "R", "held out", "mean P", "people", "others", "p50 us", "p95 us"]
    rows = [[*head, "falls with quality"]]
    found = [*timed(task), combined(task), *shipped(task), *others_of_pairs(task, cases, peers)]
    for scored in found:
        best = curve_of(scored, task).best()
        people = np.array([case.schema == "Person" for case in cases])
        parts = [PairCurve.of(scored.scores[x], task.labels[x]).best().f for x in (people, ~people)]
        figures = (best.f, best.precision, best.recall, held_out_f(scored.scores, task.labels))
        mean = curve_of(scored, task).mean_precision
        rows.append(
            [scored.name, *map(percent, (*figures, mean, *parts)), *times_of(scored),
             quality_steps(scored, cases)]
        )  # fmt: skip
        for name, threshold in SHIPPED.items():
            if scored.name == name:
                fixed = PairCurve.of(scored.scores, task.labels).at(threshold)
                figures = (fixed.f, fixed.precision, fixed.recall)
                rows.append([f"  at its {threshold}", *map(percent, figures), *[""] * 7])
    rows.append([PUBLISHED[0], percent(PUBLISHED[1]), *[""] * 9])
    print(format_table(rows, "<" + ">" * 9 + "<"))


def others_of_pairs(task: PairTask, cases: Sequence[Case], peers: Peers | None) -> Iterator[Scored]:
    yield from (one for one in all_scores(task, peers) if one.name not in measures())
    if peers and peers.has("nomenklatura"):
        schemas = [case.schema for case in cases for _ in range(2)]
        one = peers.ask("logic_v2", task.names, task.pairs, schemas=schemas)
        yield Scored("nomenklatura logic_v2", one.scores, one.seconds, one.each)


def timed(task: PairTask) -> Iterator[Scored]:
    """Our measures, fitted on the names, and the seconds of each pair."""
    for name, make in measures().items():
        measure = make().fit(task.names)
        scores, each = [], []
        for one, other in task.pairs.tolist():
            began = time.perf_counter()
            scores.append(measure.similarity(task.names[one], task.names[other]))
            each.append(time.perf_counter() - began)
        yield Scored(name, np.array(scores), sum(each), np.array(each))


def combined(task: PairTask, *, seed: int = 0) -> Scored:
    """The probabilities of pairs, each told by a matcher that has learnt from nine tenths of the
    others, and the seconds of each."""
    names = [(task.names[one], task.names[other]) for one, other in task.pairs.tolist()]
    order = np.random.default_rng(seed).permutation(len(names))
    scores, each = np.zeros(len(names)), np.zeros(len(names))
    for fold in range(FOLDS):
        tested = order[fold::FOLDS].tolist()
        learnt = np.setdiff1d(order, tested).tolist()
        matcher = NameMatcher(strength=STRENGTH, speller=NameSpeller())
        matcher.fit([names[i] for i in learnt], task.labels[learnt])
        for i in tested:
            began = time.perf_counter()
            scores[i] = matcher.similarity(*names[i])
            each[i] = time.perf_counter() - began
    return Scored("matcher, cross-validated", scores, float(each.sum()), each)


def times_of(scored: Scored) -> list[str]:
    if scored.each is None:  # all in one call
        return [f"{1e6 * scored.seconds / len(scored.scores):.1f}", ""]
    return [f"{1e6 * float(np.quantile(scored.each, x)):.1f}" for x in (0.5, 0.95)]


def held_out_f(scores: Any, labels: Any, *, seed: int = 0) -> float:
    """F of all pairs, each judged by the threshold that is best on the other nine tenths."""
    order = np.random.default_rng(seed).permutation(len(labels))
    told = np.zeros(len(labels), bool)
    for fold in range(FOLDS):
        tested = order[fold::FOLDS]
        learnt = np.setdiff1d(order, tested)
        threshold = PairCurve.of(scores[learnt], labels[learnt]).best().score
        told[tested] = scores[tested] >= threshold
    right = float((told & (labels == 1)).sum())
    return 2 * right / max(float(told.sum() + (labels == 1).sum()), 1.0)


def quality_steps(scored: Scored, cases: Sequence[Case]) -> str:
    """The mean scores from the surest matches to the surest others, which are to fall."""
    means = []
    for same, qualities in (
        (True, ("STRONG", "MEDIUM", "WEAK")),
        (False, ("WEAK", "MEDIUM", "STRONG")),
    ):
        for quality in qualities:
            chosen = [case.same == same and case.quality == quality for case in cases]
            means.append(float(scored.scores[chosen].mean()) if any(chosen) else math.nan)
    known = [mean for mean in means if not math.isnan(mean)]
    falls = all(one > other for one, other in pairwise(known))
    return ("yes: " if falls else "no: ") + " ".join(f"{mean:.3g}" for mean in means)


def show_scripts(arguments: argparse.Namespace, peers: Peers | None) -> None:
    folder = arguments.shared / "netranslit_coling2018"
    languages = arguments.languages.split(",")
    tasks = [across_scripts(folder, language) for language in languages]
    for task in tasks:
        print(
            f"{task.language}: {len(task.queries):,} names in Latin letters, the right one among "
            f"{len(task.candidates):,}"
        )
    rows = [["", *(f"{one} {k}" for one in languages for k in (1, 10))]]
    for name, table_of in systems_of_scripts(peers).items():
        row = [name]
        for task in tasks:
            table = table_of(task)
            row += [percent(recall_at(k, table, task)) for k in (1, 10)]
        rows.append(row)
    print("\n" + format_table(rows, "<" + ">" * (len(rows[0]) - 1)))
    if catalog_names.model_of(MATCHER) is not None:
        for task in tasks:
            print(f"{task.language}: {told_false_positives(task)}")


def told_false_positives(task: ScriptTask, *, seed: int = 0) -> str:
    """How many random pairs of names of one length, in two scripts and in the Latin one, the
    matcher that is shipped takes for one."""
    matcher = load_named(MATCHER)
    draw = np.random.default_rng(seed)
    parts = []
    for kind, others in (("in two scripts", task.candidates), ("in Latin letters", task.queries)):
        by_length: dict[int, list[int]] = defaultdict(list)
        for place, name in enumerate(others):
            by_length[len(name)].append(place)
        pairs = []
        while len(pairs) < RANDOM:
            one = int(draw.integers(len(task.queries)))
            alike = by_length[len(task.queries[one])]
            other = int(draw.choice(alike)) if alike else -1
            same = other in task.right[one] if others is task.candidates else other == one
            if other >= 0 and not same:
                pairs.append((task.queries[one], others[other]))
        found = matcher.similarities(*map(list, zip(*pairs, strict=True)))
        parts.append(f"{int((found >= SHIPPED['matcher, as shipped']).sum())} {kind}")
    told = " and ".join(parts)
    return f"of {RANDOM:,} random pairs of one length the shipped matcher takes {told} for one"


def systems_of_scripts(peers: Peers | None) -> dict[str, Callable[[ScriptTask], Any]]:
    """For each system the table of scores, queries by candidates."""
    found: dict[str, Callable[[ScriptTask], Any]] = {
        "ours, spellings by the default models": by_spellings
    }
    if peers and peers.has("unidecode"):
        romanize = peers.romanize

        def unidecoded(task: ScriptTask) -> Any:
            from rapidfuzz import process
            from rapidfuzz.distance import JaroWinkler

            names = [name.casefold() for name in romanize([*task.queries, *task.candidates])]
            queries, candidates = names[: len(task.queries)], names[len(task.queries) :]
            scorer = JaroWinkler.normalized_similarity
            return process.cdist(queries, candidates, scorer=scorer, dtype=np.float32)

        found["unidecode and Jaro-Winkler"] = unidecoded
    return found


def by_spellings(task: ScriptTask) -> Any:
    code = f"{task.language}.names"
    models = {
        script: [pair for pair in pairs if pair[0] == code]
        for script, pairs in default_models().items()
    }
    if not any(models.values()):
        print(f"{task.language}: letter by letter, without `glyphone models train {task.language}`")
    return SpellingMeasure(NameSpeller(models)).cdist(task.queries, task.candidates)


def recall_at(k: int, table: Any, task: ScriptTask) -> float:
    """The share of queries with a right candidate among k, where equal scores are drawn."""
    shares = [
        share_found(k, row, [*right]) for row, right in zip(table, task.right, strict=True) if right
    ]
    return sum(shares) / len(shares)


def share_found(k: int, scores: Any, right: Sequence[int]) -> float:
    """The probability that one of the right places is among the k best of a row.

    >>> share_found(1, np.array([0.5, 0.5, 0.1]), [0]), share_found(2, np.array([0.5, 0.5]), [1])
    (0.5, 1.0)
    """
    best = scores[right].max()
    above = int((scores > best).sum())
    equal = int((scores == best).sum())
    good = int((scores[right] == best).sum())
    drawn = min(k - above, equal)
    if drawn <= 0:
        return 0.0
    return 1 - math.comb(equal - good, drawn) / math.comb(equal, drawn)


def show_speed(arguments: argparse.Namespace, peers: Peers | None) -> None:
    """Seconds of one core, and how candidates grow; names are two of rigour's, every second one in
    other spellings of the one before."""
    del peers
    names = spelt_twice(arguments.names)
    learnt = measure("ml-extended/contexts").fit(names)
    inner = learnt.inner_measure()
    words = sorted({word for row in learnt.rows_of(names) for word in row})[: arguments.words]
    inner.cdist(words[:500])  # kernels are compiled
    seconds = cpu_seconds(lambda: inner.cdist(words))
    print(f"words by the contexts of their trigrams: {len(words) ** 2 / seconds:,.0f} pairs/s")
    ours = cpu_seconds(lambda: learnt.cdist(names))
    peer = cpu_seconds(lambda: process.cdist(names, names, scorer=fuzz.WRatio))
    cells = len(names) ** 2
    print(
        f"{len(names):,} by {len(names):,} names: ml-extended/contexts {cells / ours:,.0f} pairs/s,"
        f" RapidFuzz's WRatio {cells / peer:,.0f}, ratio of times {ours / peer:.1f}\n"
    )
    rows = [["names", "s", "CPU s", "pairs", "kept %", "MiB"]]
    for size in arguments.sizes.split(","):
        told = subprocess.run(
            [sys.executable, __file__, "--candidates"],
            input="\n".join(spelt_twice(int(size))), stdout=subprocess.PIPE, text=True, check=True,
        )  # fmt: skip
        rows.append([f"{int(size):,}", *told.stdout.split()])
    print(format_table(rows, ">" * 6))


def show_candidates(names: Sequence[str]) -> None:
    """Seconds by the clock on all cores, candidates, the share of true pairs kept, memory."""
    began, work_began = time.perf_counter(), time.process_time()
    found = CandidateIndex(names).pairs_within(most=10, workers=-1)
    seconds, work = time.perf_counter() - began, time.process_time() - work_began
    kept = kept_share(found, ((place, place + 1) for place in range(0, len(names) - 1, 2)))
    # That of this process alone: ru_maxrss begins with the peak of the one that started it.
    peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    memory = int(peak.split()[1]) // 1024
    print(f"{seconds:.1f} {work:.1f} {len(found):,} {100 * kept:.1f} {memory:,}")


def spelt_twice(n_names: int, *, seed: int = 0) -> list[str]:
    """Names of two words out of rigour's groups, each in two spellings, one behind the other."""
    groups = [group.in_script("Latn") for group in read_name_groups(["Latn"])]
    several = [group for group in groups if len(group) > 1]
    draw = random.Random(seed)
    names = []
    while len(names) < n_names:
        one, other = (draw.sample(draw.choice(several), 2) for _ in range(2))
        names += [f"{one[0]} {other[0]}", f"{one[1]} {other[1]}"]
    return names[:n_names]


def cpu_seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


PARTS = {
    "countries": show_countries,
    "secondstring": show_second_string,
    "pairs": show_pairs,
    "scripts": show_scripts,
    "speed": show_speed,
}

# The folders of data of those that have any.
FOLDERS = {
    "secondstring": "name_matching/secondstring",
    "pairs": "name_matching",
    "scripts": "netranslit_coling2018",
}


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--peers", metavar="FOLDER", help="the virtual environment of the peers")
    parser.add_argument("--sets", default=",".join(SETS), help="of SecondString")
    parser.add_argument("--languages", default=",".join(SCRIPTS))
    parser.add_argument("--names", type=int, default=10_000, help="of the table of names")
    parser.add_argument("--words", type=int, default=5_000, help="of the table of words")
    parser.add_argument("--sizes", default="10000,100000,1000000", help="of lists, by comma")
    parser.add_argument("--candidates", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--picture", type=Path, help="curves of the countries, SVG or PNG")
    arguments = parser.parse_args(given)
    if arguments.candidates:
        show_candidates(sys.stdin.read().splitlines())
        return
    peers = None
    if arguments.peers:
        peers = Peers(str(Path(arguments.peers, "bin", "python")))
        if missing := peers.missing():
            print(f"left out, for {arguments.peers} has no such package: {', '.join(missing)}\n")
    for part in arguments.part or PARTS:
        print(f"### {part}\n")
        folder = arguments.shared / FOLDERS.get(part, "")
        if folder.is_dir():
            PARTS[part](arguments, peers)
        else:
            print(f"skipped, {folder.name} is absent")
        print()


if __name__ == "__main__":
    main()
