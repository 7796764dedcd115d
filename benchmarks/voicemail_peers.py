"""Peers that look for callers: a regular expression, the paper's two classifiers, and a tagger.

What takes long to learn is kept in build/, under a name that says what it was learnt from.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from glyphone.learners.trees.estimator import SymbolicTree
from glyphone.recipes.voicemail import generate_messages
from glyphone.voicemail.callers.words import CallerWords
from glyphone.voicemail.records.messages import Message, Span, format_message, read_messages

LEXICON = """hi hello hey yeah yes good morning afternoon okay um uh this is it's it i'm i am me my
name just from calling here in with returning over could please we the they everything he she maybe
there thanks at""".split()
WINDOW, LATEST, LONGEST = 10, 16, 24
Spans = list[Span | None]


class Expression:
    """Callers by a regular expression: the words with capitals behind "this is", or "it's me"."""

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
        self.first = CallerWords.read().first
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


def learnt_messages(path: str | None) -> list[Message]:
    """Messages to learn from: those of a file, or those of `make models`, generated again."""
    with TemporaryDirectory() as folder:
        return [*read_messages(path or generate_messages(Path(folder))[0])]


def kept(folder: Path, what: str, messages: Sequence[Message]) -> Path:
    """The file of a peer that takes long to learn: what it has learnt from is in its name."""
    learnt_from = 0
    for message in messages:
        learnt_from = zlib.crc32(format_message(message).encode(), learnt_from)
    return folder / f"{what}-{len(messages)}-{learnt_from:08x}.crfsuite"


class Tagger:
    """python-crfsuite, labels B-L, I-N and so on for the parts of a phrase."""

    MOST = 40

    def __init__(self, folder: Path) -> None:
        import pycrfsuite

        self.crf = pycrfsuite
        self.folder = folder

    def fit(self, messages: Sequence[Message]) -> None:
        self.path = str(kept(self.folder, "callers", messages))
        if Path(self.path).exists():
            return
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
