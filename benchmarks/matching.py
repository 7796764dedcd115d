"""Japanese names matched across scripts, by all their readings and by their best ones.

    python benchmarks/matching.py [--shared ../shared/data] [--peers FOLDER] [--pairs 20000]
                                  [--sample 2000]

The full names of JMnedict, undivided kanji, against their romaji in both orders and against their
kana. The model has learnt from `pairs` surnames and given names of JMnedict, none of the full
names. Beside each name stands one that is another: one whose surname begins with the same letter,
or, which is harder, one with the same surname and another given name.

Matchers are our score, the log odds beside it, and two that see one reading only, the best of the
model: whether it has the key of the other name (of kana, is it), and how near it is to it in
letters, by rapidfuzz, if that is installed. Precision and recall are told at a score of 0.001, at
equality, and for distances at the threshold of the best F, chosen on the same pairs. Names that
the model refuses count as not matched. Seconds are of CPU, start of kernels left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from peers import add_environment
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score

from glyphone.data.records import Pair
from glyphone.data.sources.japanese import JapaneseName, is_kanji
from glyphone.data.sources.japanese_files import read_persons
from glyphone.models.kanji.matching.matcher import Match, Matcher
from glyphone.models.kanji.matching.ways import LEAST
from glyphone.models.kanji.model import KanjiModel
from glyphone.models.kanji.training import fit_kanji

Floats = Any
Pairs = Sequence[tuple[str, str]]
ROOT = Path(__file__).resolve().parents[1]
LEARNT = ("surname", "given", "male", "female")


@dataclass(frozen=True)
class Task:
    """Pairs of names of which the first half are of one person."""

    name: str
    pairs: list[tuple[str, str]]

    @property
    def truth(self) -> Floats:
        return np.arange(len(self.pairs)) < len(self.pairs) // 2


def turned(romaji: str) -> str:
    return " ".join(reversed(romaji.split()))


FORMS: dict[str, Callable[[JapaneseName], str]] = {
    "romaji": lambda name: name.romaji,
    "romaji, given name first": lambda name: turned(name.romaji),
    "kana": lambda name: name.kana,
}


def tasks(names: Sequence[JapaneseName], others: dict[str, list[JapaneseName]]) -> Iterator[Task]:
    for negatives, drawn in others.items():
        for form, of in FORMS.items():
            same = [(one.kanji, of(one)) for one in names]
            different = [(one.kanji, of(other)) for one, other in zip(names, drawn, strict=True)]
            yield Task(f"{form}; {negatives}", same + different)


def drawn(
    names: Sequence[JapaneseName],
    everyone: Sequence[JapaneseName],
    of: Callable[[JapaneseName], str],
    seed: int,
) -> list[JapaneseName | None]:
    """For each name another of the same group that is read otherwise, or none."""
    rng = random.Random(seed)
    groups: dict[str, list[JapaneseName]] = {}
    for one in everyone:
        groups.setdefault(of(one), []).append(one)
    found = list[JapaneseName | None]()
    for one in names:
        rivals = [x for x in groups[of(one)] if x.romaji != one.romaji and x.kana != one.kana]
        found.append(rng.choice(rivals) if rivals else None)
    return found


def best_readings(model: KanjiModel, pairs: Pairs) -> list[tuple[str, str, list[str]]]:
    """The best reading of each name in kanji, its key, and the keys of the other in both orders."""
    found = model.answer([kanji for kanji, _ in pairs])
    outputs = [
        "" if first == last else found.outputs[first].replace(" ", "")
        for first, last in zip(found.firsts[:-1], found.firsts[1:], strict=True)
    ]
    others = ["".join(other.split()) for _, other in pairs]
    swapped = ["".join(turned(other).split()) for _, other in pairs]
    keys = model.keys.answer([*outputs, *others, *swapped])
    spelt = [
        "" if first == last else keys.outputs[first]
        for first, last in zip(keys.firsts[:-1], keys.firsts[1:], strict=True)
    ]
    n = len(pairs)
    rows = zip(outputs, spelt[:n], spelt[n : 2 * n], spelt[2 * n :], strict=True)
    return [(output, key, [one, other]) for output, key, one, other in rows]


def equality(model: KanjiModel, task: Task) -> Floats:
    rows = best_readings(model, task.pairs)
    in_kana = task.name.startswith("kana")
    return np.array(
        [
            float(bool(key) and (output == other if in_kana else key in keys))
            for (output, key, keys), (_, other) in zip(rows, task.pairs, strict=True)
        ]
    )


def nearness(model: KanjiModel, task: Task) -> Floats:
    from rapidfuzz.distance import Levenshtein

    return np.array(
        [
            max(Levenshtein.normalized_similarity(key, other) for other in keys) if key else 0.0
            for _, key, keys in best_readings(model, task.pairs)
        ]
    )


def matched(matcher: Matcher, task: Task) -> tuple[Floats, Floats, int]:
    """Scores and log odds, and how many pairs were refused."""
    found = list(matcher.matches(task.pairs))
    good = [one if isinstance(one, Match) else None for one in found]
    scores = np.array([one.score if one else 0.0 for one in good])
    odds = np.array([max(one.log_odds, -1e9) if one else -1e9 for one in good])
    return scores, odds, good.count(None)


def row(name: str, truth: Floats, values: Floats, threshold: float | None) -> str:
    """AUC, average precision, and precision, recall and F at a threshold, or at the best one."""
    if threshold is None:
        precisions, recalls, thresholds = precision_recall_curve(truth, values)
        sums = np.maximum(precisions + recalls, 1e-12)
        threshold = float(thresholds[np.argmax((precisions * recalls / sums)[:-1])])
    told = values >= threshold
    right = float((told & truth).sum())
    precision, recall = right / max(told.sum(), 1), right / truth.sum()
    f = 2 * precision * recall / max(precision + recall, 1e-12)
    figures = (roc_auc_score(truth, values), average_precision_score(truth, values))
    numbers = "".join(f"{number:11.4f}" for number in (*figures, precision, recall, f))
    return f"  {name:26}{numbers}"


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--peers", metavar="FOLDER", help="an environment with rapidfuzz")
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--sample", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    add_environment(arguments.peers)
    path = arguments.shared / "jmnedict" / "persons_kanji_reading.tsv.gz"
    if not path.exists():
        print(f"matching: skipped, {path.name} of JMnedict is absent")
        return
    rng = random.Random(arguments.seed)
    everything = list(read_persons(path))
    pairs = [
        Pair(tuple(one.kana), tuple(one.kanji), 1.0, kind)
        for one in everything
        for kind in one.kinds
        if kind in LEARNT
    ]
    rng.shuffle(pairs)
    full = [
        one
        for one in everything
        if "full" in one.kinds and is_kanji(one.kanji) and len(one.romaji.split()) == 2
    ]
    names = rng.sample(full, min(arguments.sample, len(full)))
    groups = {
        "same first letter": drawn(names, full, lambda one: one.romaji[0], arguments.seed),
        "same surname": drawn(names, full, lambda one: one.romaji.split()[0], arguments.seed),
    }
    kept = [k for k in range(len(names)) if all(group[k] for group in groups.values())]
    others = {
        name: [other for k in kept if (other := group[k]) is not None]
        for name, group in groups.items()
    }
    names = [names[k] for k in kept]

    began = time.process_time()
    model = fit_kanji(pairs[: arguments.pairs]).model
    seconds = time.process_time() - began
    matcher = Matcher(model)
    warm = [(one.kanji, other) for one in names[:50] for other in (one.romaji, one.kana)]
    list(matcher.matches(warm))
    near = importlib.util.find_spec("rapidfuzz") is not None
    print(f"{arguments.pairs} pairs learnt in {seconds:.1f} s; {len(names)} full names of JMnedict")
    if not near:
        print("distances are left out: rapidfuzz is not installed (pip install rapidfuzz)")
    head = "".join(f"{one:>11}" for one in ("AUC", "AP", "precision", "recall", "F"))
    for task in tasks(names, others):
        began = time.process_time()
        scores, odds, refused = matched(matcher, task)
        speed = len(task.pairs) / (time.process_time() - began)
        print(f"\n{task.name} ({speed:,.0f} pairs/s, {refused} refused)\n  {'':26}{head}")
        print(row(f"score, at {LEAST}", task.truth, scores, LEAST))
        print(row("log odds, at best F", task.truth, odds, None))
        print(row("best reading is equal", task.truth, equality(model, task), 1.0))
        if near:
            print(row("best reading is near", task.truth, nearness(model, task), None))


if __name__ == "__main__":
    main()
