"""Plain twins of semi-Markov fields: features as text, weights in a dictionary, every segmentation
written out. `Case` is a small problem drawn by chance."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.data.records import Sequence
from glyphone.data.treebanks.chunks import Phrase, labels_of, phrases_of
from glyphone.learners.semimarkov.arrays import Data, States
from glyphone.learners.semimarkov.features import SegmentTests
from glyphone.learners.semimarkov.model import Candidacy, SegmentModel
from glyphone.learners.semimarkov.segments import candidates_of, gold_segments
from glyphone.learners.semimarkov.values import TokenValues
from glyphone.learners.sequences.words import feature_named

Array = Any
TEMPLATES = """begin word
begin word-1 tag
end word+1
in word
each tag
whole word
around tag
length
length word
again word
preceding
preceding word-1
"""
KINDS = ("x", "y")
# Begin, end, and the class, from the first segment on; those of one token outside are of class 0.
Segmentation = tuple[tuple[int, int, int], ...]
Weight = tuple[str, str, int, int]


def texts_of(line: str, sentence: Sequence, begin: int, end: int) -> Iterator[str]:
    """The features of a segment by one template."""
    role, *places = line.split()

    def values(name: str) -> list[str]:
        feature = feature_named(name)
        return [*map(feature, sentence.tokens)] if feature else [*sentence.columns[name]]

    def at(place: int) -> str:
        found = []
        for text in places:
            name, offset = (text[:-2], int(text[-2:])) if text[-2] in "+-" else (text, 0)
            column, k = values(name), place + offset
            found.append(column[k] if 0 <= k < len(column) else "")
        return " ".join(found)

    if role in ("begin", "preceding"):
        yield at(begin)
    elif role == "end":
        yield at(end - 1)
    elif role in ("in", "each"):
        inner = role == "in"
        yield from (at(k) for k in range(begin + inner, end - inner))
    elif role == "length":
        yield f"{end - begin} {at(end - 1)}"
    elif role == "around":
        column = ["", *values(places[0]), ""]
        yield f"{column[begin]} {column[end + 1]}"
    elif role == "whole":
        yield " ".join(values(places[0])[begin:end])
    else:
        column, n = values(places[0]), end - begin
        spans = [column[k : k + n] for k in range(len(column) - n + 1)]
        if spans.count(column[begin:end]) > 1:
            yield "again"


def weights_in(sentence: Sequence, segments: Segmentation, templates: str) -> Iterator[Weight]:
    """The weights of a segmentation, each as often as it is added."""
    before = 0
    for begin, end, y in segments:
        for line in templates.split("\n"):
            for text in texts_of(line, sentence, begin, end) if line else ():
                yield line, text, y, before if line.startswith("preceding") else 0
        before = y or before


def segmentations(length: int, longest: int, n_kinds: int) -> Iterator[Segmentation]:
    """Every way to cut so many tokens into segments."""
    if not length:
        yield ()
    for size in range(1, min(longest, length) + 1):
        for rest in segmentations(length - size, longest, n_kinds):
            for y in range(1 if size > 1 else 0, n_kinds + 1):
                yield (*rest, (length - size, length, y))


def split_states(n_kinds: int) -> States:
    """States of O alone, of O behind each kind, and of each kind: labels that are not packed."""
    kinds = np.arange(1, n_kinds + 1)
    outside = np.arange(n_kinds + 1)
    entered = np.concatenate(([0], kinds + n_kinds))
    return States(np.concatenate((outside, kinds)), entered, np.concatenate((outside, kinds)))


@dataclass(frozen=True, eq=False)
class Case:
    """Sentences, their data, a model whose weights are drawn, and these by texts of features."""

    sentences: list[Sequence]
    labels: list[tuple[str, ...]]
    kept: Array
    data: Data
    model: SegmentModel
    weights: dict[Weight, float]
    templates: str

    @classmethod
    def drawn(
        cls, seed: int, *, lengths: tuple[int, ...] = (4, 0, 1, 5, 2), longest: int = 3,
        scale: float = 1.0, share: float = 1.0, templates: str = TEMPLATES,
    ) -> Case:  # fmt: skip
        """Of the spans a share is kept, and all that are right."""
        draw = np.random.default_rng(seed)
        sentences, labels = [], []
        for n in lengths:
            words, tags = (tuple(draw.choice([*some], n).tolist()) for some in ("abc", "NV"))
            sentences.append(Sequence(words, {"tag": tags}))
            ways = [*itertools.islice(segmentations(n, longest, len(KINDS)), 5000)]
            labels.append(bio_of(ways[draw.integers(len(ways))], n))
        gold, _ = gold_segments(labels, KINDS, max_length=longest)
        values = TokenValues.learn(sentences, ["word", "tag"])
        kept = draw.random((sum(lengths), longest)) < share
        candidates, _ = candidates_of(values.bounds, kept, gold, forced=True)
        tests, features, _ = SegmentTests.learn(values, gold, templates, longest, len(KINDS) + 1)
        weights = draw.normal(0, scale, len(features.codes))
        model = SegmentModel(KINDS, values.known, Candidacy(longest), tests, features, weights)
        data = tests.data(values, candidates)
        named = named_weights(model, data, sentences)
        return cls(sentences, labels, kept, data, model, named, templates)

    def gold(self, s: int) -> Segmentation:
        return segmentation_of(self.labels[s])

    def ways(self, s: int) -> dict[Segmentation, float]:
        """The probability of every segmentation of candidates, and of no other."""
        n, first = len(self.sentences[s].tokens), int(self.data.bounds[s])
        forced = {*self.gold(s)}

        def allowed(segment: tuple[int, int, int]) -> bool:
            begin, end, y = segment
            right = any(segment[:2] == one[:2] and one[2] for one in forced)
            return y == 0 or right or bool(self.kept[first + end - 1, end - begin - 1])

        scores = {
            way: sum(
                self.weights.get(weight, 0.0)
                for weight in weights_in(self.sentences[s], way, self.templates)
            )
            for way in segmentations(n, self.kept.shape[1], len(KINDS))
            if all(map(allowed, way))
        }
        highest = max(scores.values())
        total = sum(math.exp(score - highest) for score in scores.values())
        return {way: math.exp(score - highest) / total for way, score in scores.items()}


def named_weights(
    model: SegmentModel, data: Data, sentences: list[Sequence]
) -> dict[Weight, float]:  # fmt: skip
    """Weights by the texts of their features, which must have one feature each."""
    lines = [line for line in model.tests.templates.split("\n") if line]
    owners = np.repeat(np.arange(len(lines)), [*map(len, model.tests.keys)]).tolist()
    names: dict[int, str] = {}
    lasts = np.repeat(np.arange(len(data.firsts) - 1), np.diff(data.firsts))
    rows = [(data.tests[a:b], k, k) for k, (a, b) in enumerate(itertools.pairwise(data.starts))]
    rows += [
        (data.segment_tests[a:b], int(data.begins[k]), int(lasts[k]))
        for k, (a, b) in enumerate(itertools.pairwise(data.segment_starts))
    ]
    for tests, begin, last in rows:
        s = int(np.searchsorted(data.bounds, begin, side="right")) - 1
        first = int(data.bounds[s])
        for test in tests.tolist():
            line = lines[owners[test]]
            asked = "each" + line[2:] if line.startswith("in ") else line
            (text,) = texts_of(asked, sentences[s], begin - first, last - first + 1)
            assert names.setdefault(test, text) == text
    assert len({(owners[test], text) for test, text in names.items()}) == len(names)
    found = {}
    features = model.features
    for test, text in names.items():
        for j in range(features.starts[test], features.starts[test + 1]):
            line, code = lines[owners[test]], int(features.codes[j])
            pair = divmod(code, features.n_preceding) if line[:3] == "pre" else (code, 0)
            found[line, text, *pair] = float(model.weights[j])
    assert len(found) == len(model.weights)
    return found


def bio_of(way: Segmentation, length: int) -> tuple[str, ...]:
    return labels_of((Phrase(a, b, KINDS[y - 1]) for a, b, y in way if y), length)


def segmentation_of(labels: tuple[str, ...]) -> Segmentation:
    phrases = [(one.begin, one.end, KINDS.index(one.kind) + 1) for one in phrases_of(labels)]
    inside = {k for a, b, _ in phrases for k in range(a, b)}
    outside = [(k, k + 1, 0) for k in range(len(labels)) if k not in inside]
    return tuple(sorted([*phrases, *outside]))
