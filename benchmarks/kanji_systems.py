"""Systems that restore kanji, each trained in a process of its own, and what is asked of them.

A system answers keys with kanji, the best ten first. `look-up` knows the forms of the pairs it has
learnt from, the heavier first, and so those written in more kinds of names.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from peers import Command, Phonetisaurus, Usage, measure

from glyphone.data.lexicons.tsv import write_lexicon
from glyphone.data.records import Pair
from glyphone.evaluation import measures, verdicts
from glyphone.fst.interface.lexicon import LexiconFirst
from glyphone.fst.interface.model import Model
from glyphone.fst.interface.promotion import Promotion
from glyphone.models.kanji.mixtures import KanjiOptions

BEST, MANY = 10, 16_000
PAPER = KanjiOptions(order=3, channel_share=1.0, pull=float("inf"))
# Trains a model from files, as what it takes is to be measured from outside.
TRAIN = """
import json, sys
from glyphone.data.lexicons.tsv import numbered_lexicon
from glyphone.data.writing import LETTERS
from glyphone.models.kanji import file
from glyphone.models.kanji.mixtures import KanjiOptions
from glyphone.models.kanji.training import fit_kanji, read_names
pairs, names, model, options = sys.argv[1:]
read = numbered_lexicon(pairs, target=LETTERS, weight_column=3, kind_column=4)
options = KanjiOptions(**json.loads(options))
fitted = fit_kanji([pair for _, pair in read], names=read_names(names), options=options)
file.save(fitted.model, model)
"""
JOINT = """
import json, sys
from glyphone.data.lexicons.tsv import read_lexicon
from glyphone.data.writing import LETTERS
from glyphone.fst.joint import file
from glyphone.fst.alignment.training import AlignmentOptions
from glyphone.fst.joint.training import JointOptions, fit_joint
pairs, _, model, options = sys.argv[1:]
chosen = json.loads(options)
if "max_source" in chosen:
    chosen = {
        "order": chosen.pop("order"),
        "alignment": AlignmentOptions(**chosen, max_target=1, deletions=False, tolerance=1e-3),
    }
fitted = fit_joint([*read_lexicon(pairs, target=LETTERS)], JointOptions(**chosen), target=LETTERS)
file.save(fitted.model, model)
"""

Answers = list[list[str]]


@dataclass(frozen=True)
class Trained:
    """A model, and what its training took."""

    model: Model
    usage: Usage


def trained(
    script: str,
    pairs: Sequence[Pair],
    folder: Path,
    *,
    names: Sequence[tuple[str, str]] = (),
    options: Mapping[str, Any] | None = None,
) -> Trained:
    import glyphone

    learnt, listed, model = folder / "pairs.tsv", folder / "names.tsv", folder / "learnt.glyphone"
    with learnt.open("w", encoding="utf-8") as file:
        for pair in pairs:
            reading, kanji = "".join(pair.source), "".join(pair.target)
            print(reading, kanji, pair.weight, pair.kind, sep="\t", file=file)
    listed.write_text("".join(f"{name}\t{kind}\n" for name, kind in names), encoding="utf-8")
    arguments = [str(learnt), str(listed), str(model), json.dumps(dict(options or {}))]
    usage = measure([Command((sys.executable, "-c", script, *arguments))])
    return Trained(glyphone.load(str(model)), usage)


def asked_of(model: Model, keys: Sequence[str], *, jobs: int = 1) -> Answers:
    found = Answers()
    for block in model.blocks(keys, n=BEST, jobs=jobs):
        for item in range(len(block.firsts) - 1):
            found.append(list(block.outputs[block.firsts[item] : block.firsts[item + 1]]))
    return found


def names_per_second(model: Model, keys: Sequence[str], *, jobs: int) -> float:
    """By the clock, of the fastest of three runs over all keys."""
    seconds = []
    for _ in range(3):
        began = time.perf_counter()
        asked_of(model, keys, jobs=jobs)
        seconds.append(time.perf_counter() - began)
    return len(keys) / min(seconds)


def many_of(keys: Sequence[str]) -> list[str]:
    """The first keys, each once: what is asked twice would be answered for less."""
    return list(dict.fromkeys(keys))[:MANY]


def with_dictionary(model: Model, listed: Mapping[str, Sequence[str]]) -> Model:
    """The model after which a dictionary promotes what it knows."""
    pairs = [
        Pair(tuple(key), tuple(kanji), float(len(forms) - place))
        for key, forms in listed.items()
        for place, kanji in enumerate(forms)
    ]
    return Promotion(LexiconFirst.of(model, pairs))


def replaced(keys: Sequence[str], answers: Answers, listed: Mapping[str, Sequence[str]]) -> Answers:
    """The answers of a dictionary before those of any model."""
    return [
        [*dict.fromkeys([*listed.get(key, ()), *best])][:BEST]
        for key, best in zip(keys, answers, strict=True)
    ]


def looked_up(keys: Sequence[str], pairs: Sequence[Pair]) -> Answers:
    weights: dict[str, dict[str, float]] = {}
    for pair in pairs:
        forms = weights.setdefault("".join(pair.source), {})
        forms["".join(pair.target)] = forms.get("".join(pair.target), 0.0) + pair.weight
    return [
        sorted(found, key=lambda kanji: (-found[kanji], kanji))[:BEST]
        for found in (weights.get(key, {}) for key in keys)
    ]


@dataclass(frozen=True)
class Peer:
    """Phonetisaurus as it comes, or with units of up to so many letters and one kanji.

    Its n-grams are as long as names: it dies where there is nothing to count for the longest.
    """

    system: Phonetisaurus
    letters: int = 0

    def answers(
        self, keys: Sequence[str], pairs: Sequence[Pair], folder: Path
    ) -> tuple[Answers, Usage, float]:
        """The best ten, what training took, and names a second of CPU time."""
        lexicon, model = folder / "train.tsv", folder / "learnt.fst"
        words, output = folder / "words.txt", folder / "answers.tsv"
        write_lexicon(pairs, lexicon)
        words.write_text("".join(f"{key}\n" for key in keys), encoding="utf-8")
        other = {"--nbest=1": f"--nbest={BEST}"}
        if self.letters:
            other |= {
                "--seq1_max=2": f"--seq1_max={self.letters}",
                "--seq2_max=2": "--seq2_max=1",
                "--seq2_del=true": "--seq2_del=false",
                "8": "4",
            }
        decoding = self.system.decoding(model, words, output, jobs=1)
        commands = [
            replace(one, arguments=tuple(other.get(word, word) for word in one.arguments))
            for one in (*self.system.training(lexicon, model), decoding)
        ]
        usage, asking = measure(commands[:-1]), measure(commands[-1:])
        found: dict[str, list[str]] = {}
        for line in output.read_text(encoding="utf-8").splitlines():
            word, _, kanji, *_ = line.split("\t")
            found.setdefault(word, []).append(kanji.replace(" ", ""))
        answers = [[*dict.fromkeys(found.get(key, []))] for key in keys]
        return answers, usage, len(keys) / asking.cpu_seconds


@dataclass(frozen=True)
class Figures:
    accuracy: float
    interval: tuple[float, float]
    mean_f: float
    mrr: float
    top: float


def figures(asked: Mapping[str, set[str]], answers: Answers) -> Figures:
    """The figures of the answers to all keys, which stand in the order of these."""
    items = [
        verdicts.Item(key, tuple(tuple(kanji) for kanji in sorted(forms)), ())
        for key, forms in asked.items()
    ]
    said = []
    for forms, found in zip(asked.values(), answers, strict=True):
        rank = next((k for k, kanji in enumerate(found, 1) if kanji in forms), 0)
        said.append(verdicts.Answer(tuple(found[0]) if found else None, 0.0, rank))
    outcomes = measures.Outcomes.of(
        (one.answer.rank, one.edits, len(one.nearest), one.f_score, 0.0)
        for one in verdicts.judge_answers(items, said)
    )
    values = measures.figures(outcomes.sums())
    return Figures(
        float(values["accuracy"]),
        measures.intervals(outcomes)["accuracy"],
        float(values["mean_f"]),
        float(values["mrr"]),
        measures.top_n(outcomes.ranks, BEST),
    )
