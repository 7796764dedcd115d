"""Callers in voicemail: tables 1 to 3 of Jansche and Abney (2002), regenerated.

    python benchmarks/voicemail_callers.py [--peers build/peers] [--tagged 12000] [--paper]

All learn from generated messages, those that ours was learnt from, and are tested on others: of
templates and names that are not in training (train to test), or of the templates of the
specification's reference figures (paper to paper), clean or with 23 % of the words wrong; and on
messages that were written by hand. Beside ours, and the two models that it is the mean of (cuts:
where phrases start and how they go on; CRF: labels of words), are a regular expression, the paper's
two classifiers (start and length, trees over 45 words; they learn from clean messages), and a
linear-chain tagger of python-crfsuite over words, capitals and endings in a window of seven.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from glyphone.data.chunks import Score
from glyphone.learners.trees import SymbolicTree
from glyphone.voicemail.caller import Caller, alone
from glyphone.voicemail.caller_pair import Callers
from glyphone.voicemail.caller_training import Form
from glyphone.voicemail.caller_words import Words
from glyphone.voicemail.generator import generate
from glyphone.voicemail.generator_records import Message, Span, read_messages
from glyphone.voicemail.measuring import contained, score
from glyphone.voicemail.model import load
from glyphone.voicemail.training import MOST_FOR_CALLERS

ROOT = Path(__file__).resolve().parents[1]
HANDWRITTEN = ROOT / "tests" / "glyphone" / "voicemail" / "handwritten.jsonl"
LEARNT = ROOT / "build" / "eng" / "voicemail.jsonl"
NOISE = 0.23
# What the paper reports, in F: its own two classifiers, and others on its corpus.
PAPER = (
    ("caller phrase, manual", "log-linear tagger .81, two classifiers .706"),
    ("caller name, manual", "two classifiers .865"),
    ("caller phrase, ASR, containment", "two classifiers .70"),
)
LEXICON = """hi hello hey yeah yes good morning afternoon okay um uh this is it's it i'm i am me my
name just from calling here in with returning over could please we the they everything he she maybe
there thanks at""".split()
WINDOW, LATEST, LONGEST = 10, 16, 24
Spans = list[Span | None]


class System(Protocol):
    """Learns from messages, and gives phrases and names of others."""

    def fit(self, messages: Sequence[Message]) -> None: ...

    def find(self, messages: Sequence[Message]) -> tuple[Spans, Spans]: ...


class Expression:
    """What opens a phrase ("this is"), and the words with capitals behind it; or "it's me"."""

    OPENING = r"\b(?:this is|this's|it's|it is|i'm|i am|my name is|from)"
    NAMED = re.compile(rf"{OPENING} ((?:[A-Z]\S*)(?: [A-Z]\S*)*)|{OPENING} (?:only )?me\b")

    def fit(self, messages: Sequence[Message]) -> None:
        pass

    def find(self, messages: Sequence[Message]) -> tuple[Spans, Spans]:
        phrases: Spans = []
        names: Spans = []
        for message in messages:
            match = self.NAMED.search(message.text)
            phrases.append(match and words_of(message.text, match.span()))
            named = match is not None and match[1] is not None
            names.append(words_of(message.text, match.span(1)) if match and named else None)
        return phrases, names


def words_of(text: str, span: tuple[int, int]) -> Span:
    begin = text.count(" ", 0, span[0])
    return begin, begin + text.count(" ", *span) + 1


class TwoClassifiers:
    """Where the span starts, and how long it is, each by a tree (specification, section 2.1)."""

    def __init__(self) -> None:
        self.first = Words.read().first
        self.models: dict[str, tuple[Any, Any]] = {}

    def fit(self, messages: Sequence[Message]) -> None:
        full = [message for message in messages if message.words]
        for task in ("caller_phrase", "caller_name"):
            spans = [getattr(message, task) for message in full]
            starts = ["none" if span is None else str(min(span[0], LATEST)) for span in spans]
            start = self.tree().fit(self.table(full, [0] * len(full)), starts)
            near = [k for k, span in enumerate(spans) if span and span[0] < LATEST]
            begins = [spans[k][0] for k in near]
            sizes = [str(min(spans[k][1] - spans[k][0], LONGEST)) for k in near]
            length = self.tree().fit(self.table([full[k] for k in near], begins), sizes)
            self.models[task] = start, length

    @staticmethod
    def tree() -> SymbolicTree:
        return SymbolicTree(min_leaf=4, criterion="gini", splits="values", confidence=None)

    def table(self, messages: Sequence[Message], begins: Sequence[int]) -> Any:
        rows = []
        for message, begin in zip(messages, begins, strict=True):
            words = [self.kind(word) for word in message.words[begin : begin + WINDOW]]
            rows.append([*words, *["end"] * (WINDOW - len(words)), str(begin)])
        return np.array(rows, dtype=object)

    def kind(self, word: str) -> str:
        if word in LEXICON:
            return word
        return "FIRST" if word.lower() in self.first else "OTHER"

    def find(self, messages: Sequence[Message]) -> tuple[Spans, Spans]:
        return self.spans(messages, "caller_phrase"), self.spans(messages, "caller_name")

    def spans(self, messages: Sequence[Message], task: str) -> Spans:
        start, length = self.models[task]
        found: Spans = [None] * len(messages)
        full = [k for k, message in enumerate(messages) if message.words]
        given = start.predict(self.table([messages[k] for k in full], [0] * len(full)))
        near = [
            (k, int(begin))
            for k, begin in zip(full, given, strict=True)
            if begin != "none" and int(begin) < len(messages[k].words)
        ]
        table = self.table([messages[k] for k, _ in near], [begin for _, begin in near])
        for (k, begin), size in zip(near, length.predict(table), strict=True):
            found[k] = (begin, min(begin + int(size), len(messages[k].words)))
        return found


class Tagger:
    """python-crfsuite, labels B-L, I-N and so on for the parts of a phrase."""

    MOST, FILE = 40, "callers.crfsuite"

    def __init__(self, folder: Path) -> None:
        import pycrfsuite

        self.crf = pycrfsuite
        self.path = str(folder / self.FILE)

    def fit(self, messages: Sequence[Message]) -> None:
        trainer = self.crf.Trainer(algorithm="lbfgs", verbose=False)
        trainer.set_params({"c1": 0.1, "c2": 0.1, "max_iterations": 60})
        for message in messages:
            if message.words:
                trainer.append(self.features(message), self.labels(message))
        trainer.train(self.path)

    def features(self, message: Message) -> list[list[str]]:
        words = message.words[: self.MOST]
        rows = []
        for k, word in enumerate(words):
            row = ["bias", f"place={min(k, 8)}", f"end={word[-3:].lower()}"]
            for offset in range(-3, 4):
                if 0 <= k + offset < len(words):
                    other = words[k + offset]
                    row.append(f"{offset}={other.lower()}")
                    row.append(f"{offset} capital={other[0].isupper()}")
                else:
                    row.append(f"{offset} beyond")
            row += [f"pair={word.lower()} {other.lower()}" for other in words[k + 1 : k + 2]]
            rows.append(row)
        return rows

    def labels(self, message: Message) -> list[str]:
        found = ["O"] * len(message.words[: self.MOST])
        if message.caller_phrase:
            begin, end = message.caller_phrase
            first, last = message.caller_name or (end, end)
            for k in range(begin, min(end, len(found))):
                part = "L" if k < first else "N" if k < last else "T"
                found[k] = ("B-" if k == begin else "I-") + part
        return found

    def find(self, messages: Sequence[Message]) -> tuple[Spans, Spans]:
        tagger = self.crf.Tagger()
        tagger.open(self.path)
        phrases: Spans = []
        names: Spans = []
        for message in messages:
            labels = tagger.tag(self.features(message)) if message.words else []
            phrases.append(run(labels, lambda label: label != "O"))
            names.append(run(labels, lambda label: label.endswith("N")))
        return phrases, names


def run(labels: Sequence[str], wanted: Callable[[str], bool]) -> Span | None:
    """The first run of labels that are wanted."""
    begin = next((k for k, label in enumerate(labels) if wanted(label)), None)
    if begin is None:
        return None
    end = next((k for k in range(begin, len(labels)) if not wanted(labels[k])), len(labels))
    return begin, end


class Ours:
    """A model that has been learnt, whole or one of its two forms."""

    def __init__(self, model: Callers) -> None:
        self.model = model

    def fit(self, messages: Sequence[Message]) -> None:
        pass

    def find(self, messages: Sequence[Message]) -> tuple[Spans, Spans]:
        found: list[Caller] = self.model.find([message.words for message in messages])
        return [one.phrase for one in found], [one.name for one in found]


def only(model: Callers, form: Form) -> Callers:
    """One of the forms that its models are of (`CallerOptions`)."""
    return Callers(alone(model.written, form), alone(model.heard, form))


HEAD = (
    f"{'':26} {'phrase P':>9} {'R':>6} {'F':>6}   {'contains F':>10}"
    f"   {'name P':>7} {'R':>6} {'F':>6}"
)


def line(name: str, system: System, messages: Sequence[Message]) -> str:
    phrases, names = system.find(messages)
    strict = score([message.caller_phrase for message in messages], phrases)
    needed = [message.caller_name or message.caller_phrase for message in messages]
    within = score(needed, phrases, contained)
    named = score([message.caller_name for message in messages], names)

    def shown(one: Score, first: int) -> str:
        return f"{100 * one.precision:{first}.1f} {100 * one.recall:6.1f} {100 * one.f:6.1f}"

    return f"{name:26} {shown(strict, 9)}   {100 * within.f:10.1f}   {shown(named, 7)}"


def table(title: str, systems: dict[str, System], messages: Sequence[Message]) -> None:
    print(f"\n{title}, {len(messages)} messages\n{HEAD}")
    for name, system in systems.items():
        print(line(name, system, messages), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--model", default="eng.voicemail")
    parser.add_argument("--train", default=str(LEARNT), help="what it was learnt from")
    parser.add_argument("--tagged", type=int, default=12_000, help="how many the CRF learns from")
    parser.add_argument("--test", type=int, default=1869)
    parser.add_argument("--paper", action="store_true", help="the reference table, too")
    parser.add_argument("--peers", metavar="FOLDER", help="an environment with crfsuite")
    arguments = parser.parse_args()
    if arguments.peers:  # behind our own packages
        sys.path += map(str, Path(arguments.peers).glob("lib/python*/site-packages"))
    learnt = list(read_messages(arguments.train))[:MOST_FOR_CALLERS]
    tagged = learnt[:: max(1, len(learnt) // arguments.tagged)][: arguments.tagged]
    clean = [message for message in learnt if not message.origin.get("noise")]
    systems: dict[str, System] = {"regular expression": Expression()}
    systems["two classifiers (paper)"] = TwoClassifiers()
    try:
        systems["tagger (crfsuite)"] = Tagger(ROOT / "build")
    except ImportError:
        print("python-crfsuite: skipped, it is not installed")
    ours = load(arguments.model).callers
    if ours.written.options.form == "both":
        systems["glyphone, cuts alone"] = Ours(only(ours, "cuts"))
        systems["glyphone, CRF alone"] = Ours(only(ours, "crf"))
    systems["glyphone"] = Ours(ours)
    print(
        f"callers: {arguments.model}, from {len(learnt)} messages; the tagger learns from "
        f"{len(tagged)} of them, the two classifiers from the {len(clean)} that are clean"
    )
    for name, system in systems.items():
        began = time.process_time()
        system.fit(clean if isinstance(system, TwoClassifiers) else tagged)
        print(f"  {name}: {time.process_time() - began:.0f} CPU s")
    test = list(generate(arguments.test, seed=2, part="test"))
    heard = list(generate(arguments.test, seed=2, part="test", noise=NOISE))
    table("templates and names not in training, clean (seed 2)", systems, test)
    table(f"the same with {100 * NOISE:.0f} % of the words wrong", systems, heard)
    table("written by hand", systems, list(read_messages(HANDWRITTEN)))
    if arguments.paper:
        reference = TwoClassifiers()
        reference.fit(list(generate(8120, seed=1, part="paper")))
        found = list(generate(arguments.test, seed=2, part="paper"))
        title = "reference: paper to paper, 8,120 messages to learn from (seeds 1, 2)"
        table(title, {"two classifiers": reference}, found)
    print("\nin the paper, F: " + "; ".join(f"{task}: {value}" for task, value in PAPER))


if __name__ == "__main__":
    main()
