"""The estimator: phrases are found, the filter keeps what it should, options are checked."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from glyphone.data.errors import GlyphoneError
from glyphone.data.kernels import jit
from glyphone.data.records import Sequence
from glyphone.data.treebanks.chunks import Phrase, phrases_of
from glyphone.learners.optimization.descent import DenseDescent
from glyphone.learners.semimarkov.bayes import SMOOTHING, SpanFilter
from glyphone.learners.semimarkov.estimator import SemiMarkovCRF
from glyphone.learners.semimarkov.segments import (
    gold_segments,
    preceding_classes,
    segments_of,
)
from glyphone.learners.semimarkov.values import TokenValues
from glyphone.models.learners import file as learner_file

NAMES = {"x": ["alpha", "beta", "gamma"], "y": ["kinase", "factor", "gene"]}


def sentences_drawn(n: int, seed: int) -> list[Sequence]:
    """Phrases of x are one to three names, those of y a name of x and one of y."""
    draw = np.random.default_rng(seed)
    found = []
    for _ in range(n):
        tokens, labels = list[str](), list[str]()
        for _ in range(int(draw.integers(1, 4))):
            filler = draw.choice(["the", "of", "binds", "and", "(", ")"], draw.integers(1, 4))
            tokens += filler.tolist()
            labels += ["O"] * len(filler)
            kind = str(draw.choice(["x", "y"]))
            words = draw.choice(NAMES["x"], draw.integers(1, 4) if kind == "x" else 1).tolist()
            words += [str(draw.choice(NAMES["y"]))] * (kind == "y")
            tokens += words
            labels += [f"B-{kind}", *[f"I-{kind}"] * (len(words) - 1)]
        found.append(Sequence(tuple(tokens), {}, tuple(labels)))
    return found


TRAIN, DEV = sentences_drawn(60, 0), sentences_drawn(40, 1)


@pytest.fixture(scope="module")
def learner() -> SemiMarkovCRF:
    return SemiMarkovCRF(max_length=4, filter=1e-3, rho2=0.5).fit(TRAIN)


def test_phrases_are_found(learner: SemiMarkovCRF) -> None:
    assert learner.score(DEV) > 0.9
    segments = learner.predict_segments(DEV)
    assert [phrases_of(labels) for labels in learner.predict(DEV)] == segments
    for row, scored in zip(segments, learner.scored_phrases(DEV), strict=True):
        assert [phrase for phrase, _ in scored] == row
        assert all(0.0 < share <= 1.0 + 1e-9 for _, share in scored)


def test_probabilities_go_together(learner: SemiMarkovCRF) -> None:
    some = DEV[:10]
    ranked = learner.predict_nbest(some, n=5)
    best = [rows[0].labels for rows in ranked]
    assert best == learner.predict(some)
    for rank in range(2):
        logs = learner.log_probability(some, [rows[rank].labels for rows in ranked])
        shares = [rows[rank].probability for rows in ranked]
        assert np.exp(logs) == pytest.approx(shares)
    every = learner.segment_probabilities(some, least=0.0)
    likely = learner.segment_probabilities(some, least=0.1)
    for sentence, rows, each, kept in zip(some, ranked, every, likely, strict=True):
        assert kept == {phrase: share for phrase, share in each.items() if share >= 0.1}
        certain = {phrase for phrase in phrases_of(rows[0].labels) if rows[0].probability > 0.5}
        assert certain <= kept.keys()
        inside = np.zeros(len(sentence.tokens))
        for phrase, share in each.items():
            inside[phrase.begin : phrase.end] += share
        assert (inside < 1 + 1e-9).all()


def test_split_labels_tell_the_phrase_before() -> None:
    """The example of figure 1, and labels drawn by chance: O is split, and joined again."""

    def split(classes: list[int]) -> list[str]:
        before = preceding_classes(classes)
        return [
            str(y) if y else f"O-{p}" * bool(p) or "O" for y, p in zip(classes, before, strict=True)
        ]

    assert split([0, 1, 0, 0, 2]) == ["O", "1", "O-1", "O-1", "2"]
    draw = np.random.default_rng(1)
    for _ in range(50):
        classes = draw.integers(0, 4, draw.integers(0, 9)).tolist()
        joined = [0 if label[0] == "O" else int(label) for label in split(classes)]
        assert joined == classes
        for k, label in enumerate(split(classes)):
            last = next((y for y in reversed(classes[:k]) if y), 0)
            assert label == (str(classes[k]) if classes[k] else f"O-{last}" if last else "O")


def test_segments_cover_sentences() -> None:
    assert segments_of([], 2) == [Phrase(0, 1), Phrase(1, 2)]
    assert segments_of([Phrase(0, 2, "x"), Phrase(2, 3, "y")], 3)[1] == Phrase(2, 3, "y")
    labels = [one.labels for one in TRAIN]
    gold, too_long = gold_segments(labels, ("x", "y"), max_length=4)
    lengths = gold.lasts - gold.begins + 1
    assert not too_long and lengths.sum() == sum(map(len, labels))


def test_the_filter_is_naive_bayes() -> None:
    """Beside sums of logarithms of counts, span by span."""
    sentences = [["a", "b", "c"], ["b", "a"], [], ["c"]]
    labels = [["B-x", "I-x", "O"], ["O", "B-x"], [], ["O"]]
    values = TokenValues.learn([Sequence(tuple(one)) for one in sentences], ["word"])
    gold, _ = gold_segments(labels, ("x",), max_length=2)
    lines = ["begin word", "end word+1", "each word"]
    found = SpanFilter.learn(values, gold.phrases(), 2, "\n".join(lines)).probabilities(values, 2)
    spans = [
        (words, a, b, Phrase(a, b, "x") in phrases_of(given))
        for words, given in zip(sentences, labels, strict=True)
        for a in range(len(words))
        for b in range(a + 1, min(a + 2, len(words)) + 1)
    ]

    def events(words: list[str], a: int, b: int) -> list[list[str]]:
        return [[words[a]], [*words, ""][b : b + 1], words[a:b]]

    flat, first = iter(spans), 0
    for words in sentences:
        for a in range(len(words)):
            for b in range(a + 1, min(a + 2, len(words)) + 1):
                assert next(flat)[:3] == (words, a, b)
                odds = math.log(sum(x[3] for x in spans) / sum(not x[3] for x in spans))
                for k, here in enumerate(events(words, a, b)):
                    counts = {
                        side: [v for x in spans if x[3] == side for v in events(*x[:3])[k]]
                        for side in (True, False)
                    }
                    n = len({*counts[True], *counts[False]}) + 1
                    for value in here:
                        for side, sign in ((True, 1), (False, -1)):
                            count, total = counts[side].count(value), len(counts[side])
                            share = (count + SMOOTHING) / (total + n * SMOOTHING)
                            odds += sign * math.log(share)
                share = 1 / (1 + math.exp(-odds))
                assert found[first + b - 1, b - a - 1] == pytest.approx(share, rel=1e-9)
        first += len(words)


def test_lower_filters_keep_more() -> None:
    kept, recall, sizes = [], [], []
    for threshold in (0.9, 1e-1, 1e-3, 1e-6, 1e-12, None):
        learner = SemiMarkovCRF(max_length=4, filter=threshold, max_iter=1).fit(TRAIN)
        kept.append(learner.filter_kept_)
        recall.append(learner.filter_recall_)
        sizes.append(learner.n_weights_)
    assert kept == sorted(kept) and kept[0] < 0.5 < kept[-1] == 1.0
    assert recall == sorted(recall) and recall[0] < 1.0 == recall[-1]
    assert len({*sizes}) == 1  # right segments are learnt from whether they are kept or not


def test_a_filter_that_keeps_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    learner = SemiMarkovCRF(filter=1.0, max_iter=5).fit(TRAIN)
    assert "filter=1.0 keeps no candidate: everything is O" in capsys.readouterr().err
    assert (learner.filter_kept_, learner.filter_recall_) == (0.0, 0.0)
    assert {label for labels in learner.predict(DEV) for label in labels} == {"O"}
    assert learner.history_[0]["objective"] > learner.history_[-1]["objective"] > 0
    assert learner.log_probability(TRAIN[:1]) == [-np.inf]


def test_phrases_that_are_too_long(capsys: pytest.CaptureFixture[str]) -> None:
    learner = SemiMarkovCRF(max_length=2, verbose=True, max_iter=20).fit(TRAIN)
    long = [p for one in TRAIN for p in phrases_of(one.labels) if p.end - p.begin > 2]
    assert learner.too_long_ == len(long) > 0
    told = capsys.readouterr().err
    assert f"{len(long)} phrases have more than 2 tokens, which are learnt as O" in told
    assert all(p.end - p.begin <= 2 for row in learner.predict_segments(DEV) for p in row)
    assert learner.log_probability([["alpha"] * 3], [["B-x", "I-x", "I-x"]]) == [-np.inf]


def test_columns_are_looked_at() -> None:
    draw = np.random.default_rng(3)
    train = []
    for _ in range(30):
        tags = draw.choice(["N", "V"], 5).tolist()
        words = [f"w{k}" for k in draw.integers(0, 1000, 5)]
        labels = tuple("B-x" if tag == "N" else "O" for tag in tags)
        train.append(Sequence(tuple(words), {"1": tuple(tags)}, labels))
    learner = SemiMarkovCRF(max_length=2).fit(train)
    found = learner.predict([Sequence(("new", "words"), {"1": ("N", "V")})])
    assert found == [("B-x", "O")]
    with pytest.raises(GlyphoneError, match="there is no column '1'"):
        learner.predict([["new", "words"]])


def test_kinds_that_a_word_was_not_seen_with() -> None:
    """Weights are of what was seen: another class has none, and is still possible."""
    learner = SemiMarkovCRF(templates="begin word", max_length=1, filter=None).fit(
        [["a", "b"], ["c"]], [["B-x", "O"], ["B-y"]]
    )
    assert learner.n_weights_ == 3
    shares = learner.segment_probabilities([["a"]], least=0.0)[0]
    assert shares[Phrase(0, 1, "x")] > shares[Phrase(0, 1, "y")] > 0.0
    unknown = learner.segment_probabilities([["z"]], least=0.0)[0]
    assert [*unknown.values()] == pytest.approx([1 / 3, 1 / 3])


def test_odd_sentences(learner: SemiMarkovCRF) -> None:
    assert learner.predict([[], ["alpha"], ["never", "seen"], []])[::3] == [(), ()]
    assert learner.predict([]) == []
    assert learner.predict([["alpha"]]) == [("B-x",)]
    long = [word for one in DEV for word in one.tokens] * 50
    assert len(learner.predict([long[:5000]])[0]) == 5000
    assert learner.predict_nbest([[]], n=2)[0][0].labels == ()
    assert learner.log_probability([["alpha"], []], [["B-z"], []]) == [-np.inf, 0.0]
    one = SemiMarkovCRF().fit([["a", "b"], []], [["B", "O"], []])
    assert one.predict([["a", "b"]]) == [("B", "O")]
    with pytest.raises(GlyphoneError, match="n is 0"):
        learner.predict_nbest([["a"]], n=0)
    with pytest.raises(GlyphoneError, match="no phrase to learn from"):
        SemiMarkovCRF().fit([["a"]], [["O"]])
    with pytest.raises(GlyphoneError, match="no token"):
        SemiMarkovCRF().fit([[]], [[]])


def test_stretches_do_not_matter(learner: SemiMarkovCRF, monkeypatch: pytest.MonkeyPatch) -> None:
    given = learner.predict_segments(DEV), learner.segment_probabilities(DEV)
    monkeypatch.setattr("glyphone.learners.semimarkov.model.STRETCH", 7)
    other = clone(learner).set_params(n_jobs=3)
    vars(other).update({name: x for name, x in vars(learner).items() if name.endswith("_")})
    found = other.predict_segments(DEV), other.segment_probabilities(DEV)
    assert found[0] == given[0]
    for one, two in zip(found[1], given[1], strict=True):
        assert one == pytest.approx(two)


def test_threads_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glyphone.learners.optimization.parts.FEWEST", 2)
    monkeypatch.setattr(jit, "tier", lambda module, work: jit.compiled(module))
    one, other = (SemiMarkovCRF(max_length=4, max_iter=20, n_jobs=k).fit(TRAIN) for k in (1, 3))
    assert np.array_equal(one.model_.weights, other.model_.weights)


def test_few_weights() -> None:
    many, few = (SemiMarkovCRF(max_length=4, rho1=r, max_iter=40).fit(TRAIN) for r in (0.0, 1.0))
    assert few.n_weights_ == many.n_weights_ >= len(many.model_.weights)
    assert len(few.model_.weights) < 0.3 * many.n_weights_
    assert few.score(DEV) > 0.9
    rare = SemiMarkovCRF(max_length=4, min_count=5, max_iter=5).fit(TRAIN)
    assert rare.n_weights_ < 0.6 * many.n_weights_


def test_dev_error_ends_training() -> None:
    learner = SemiMarkovCRF(max_length=4, rho2=0.0, patience=3, tol=0.0).fit(TRAIN[:8], dev=DEV)
    assert learner.ended_ == "dev error"
    errors = [row["error"] for row in learner.history_]
    assert 1 - learner.score(DEV) == pytest.approx(min(errors))


def test_an_interrupt_keeps_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    steps, step = [], DenseDescent.iterate

    def interrupted(self: DenseDescent) -> tuple[float, str]:
        steps.append(1)
        if len(steps) > 4:
            raise KeyboardInterrupt
        return step(self)

    monkeypatch.setattr(DenseDescent, "iterate", interrupted)
    learner = SemiMarkovCRF(max_length=4, tol=0.0).fit(TRAIN)
    assert (learner.ended_, len(learner.history_)) == ("stop signal", 4)
    assert learner.predict(DEV)


def test_files(learner: SemiMarkovCRF, tmp_path: Path) -> None:
    learner_file.save(learner, tmp_path / "x.glyphone")
    again = learner_file.load(tmp_path / "x.glyphone")
    assert again.predict(DEV) == learner.predict(DEV)
    assert again.predict_nbest(DEV[:3], n=3) == learner.predict_nbest(DEV[:3], n=3)
    refitted = clone(again).fit(TRAIN)
    assert refitted.predict(DEV) == learner.predict(DEV)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_length": 0}, "max_length is 0"),
        ({"filter": 1.5}, "filter is 1.5"),
        ({"filter": -1e-6}, "filter is -1e-06"),
        ({"rho2": float("nan")}, "rho2 is nan"),
        ({"min_count": 0}, "min_count is 0"),
        ({"templates": "start word"}, "no role of features named 'start'"),
        ({"templates": "# nothing"}, "there is no template"),
        ({"templates": "begin"}, "a template of no feature"),
        ({"templates": "whole word+1"}, "whole goes with one feature"),
        ({"templates": "begin pos"}, "there is no column 'pos'"),
        ({"filter_templates": "length"}, "no role of features named 'length'"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(GlyphoneError, match=message):
        SemiMarkovCRF(**options).fit([["a"]], [["B-x"]])
