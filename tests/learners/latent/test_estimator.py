"""The estimator: latent dynamics are found, options are checked, training can be stopped."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Sequence
from glyphone.learners.latent.estimator import DECODERS, LatentCRF
from glyphone.learners.optimization.descent import DenseDescent

CYCLE, RESET, SEEN = (0, 0, 1, 1, 1), 0.03, 0.75


def phases(n: int, seed: int) -> tuple[list[Sequence], list[list[str]]]:
    """Sequences of a cycle of five phases with two labels, each seen twice, with errors."""
    draw = np.random.default_rng(seed)
    sentences, labels = [], []
    for _ in range(n):
        phase, bits, given = int(draw.integers(5)), [], []
        for _ in range(12):
            right = draw.random(2) < SEEN
            bits.append(np.where(right, CYCLE[phase], 1 - CYCLE[phase]))
            given.append(str(CYCLE[phase]))
            phase = int(draw.integers(5)) if draw.random() < RESET else (phase + 1) % 5
        columns = [tuple("01"[bit] for bit in column) for column in zip(*bits, strict=True)]
        sentences.append(Sequence(columns[0], {"1": columns[1]}))
        labels.append(given)
    return sentences, labels


def test_latent_dynamics_are_found() -> None:
    options = {"templates": "u0:%x[0,0]\nu1:%x[0,1]\nB", "rho2": 1.0, "max_iter": 120, "tol": 0.0}
    tokens, sequences = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    for seed in (0, 10):
        (train, gold), (test, asked) = phases(150, seed), phases(1000, seed + 1)
        chain = LatentCRF(states=1, starts=1, **options).fit(train, gold)
        latent = LatentCRF(states=3, spread=0.5, trial=60, **options).fit(train, gold)
        assert latent.history_[-1]["objective"] < 0.6 * chain.history_[-1]["objective"]
        assert np.mean(latent.predict_proved(test)[1]) > 0.9
        given = {one: latent.predict(test, decoder=one) for one in DECODERS}
        for name, found in {**given, "chain": chain.predict(test)}.items():
            right = np.array(found) == np.array(asked)
            tokens[name].append(right.mean())
            sequences[name].append(right.all(axis=1).mean())
    assert np.mean(tokens["labels"]) > np.mean(tokens["chain"]) + 0.05
    assert np.mean(sequences["labels"]) > np.mean(sequences["hidden"])
    assert np.mean(tokens["marginals"]) > np.mean(tokens["labels"])


def test_seeds_give_the_same_weights() -> None:
    train, gold = phases(10, 2)
    one, other = (LatentCRF(states=2, max_iter=15, n_jobs=k).fit(train, gold) for k in (1, 2))
    assert np.array_equal(one.model_.weights, other.model_.weights)
    third = LatentCRF(states=2, max_iter=15, random_state=1).fit(train, gold)
    assert not np.array_equal(one.model_.weights, third.model_.weights)


def test_rho1_leaves_few_weights() -> None:
    train, gold = phases(20, 3)
    many = LatentCRF(states=2, max_iter=30).fit(train, gold)
    few = LatentCRF(states=2, rho1=2.0, max_iter=60).fit(train, gold)
    assert np.count_nonzero(few.model_.weights) < 0.5 * len(many.model_.weights)
    assert few.n_weights_ == many.n_weights_ == len(many.model_.weights)


def test_dev_error_ends_training() -> None:
    train, gold = phases(10, 4)
    dev = [
        Sequence(one.tokens, one.columns, tuple(labels))
        for one, labels in zip(*phases(20, 5), strict=True)
    ]
    learner = LatentCRF(states=2, rho2=0.0, starts=1, patience=3, tol=0.0).fit(train, gold, dev=dev)
    assert learner.ended_ == "dev error"
    errors = [row["error"] for row in learner.history_]
    found = learner.predict(dev)
    wrong = np.mean(
        [a != b for x, y in zip(found, dev, strict=True) for a, b in zip(x, y.labels, strict=True)]
    )
    assert wrong == pytest.approx(min(errors))


def test_an_interrupt_keeps_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    train, gold = phases(10, 6)
    steps, step = [], DenseDescent.iterate

    def interrupted(self: DenseDescent) -> tuple[float, str]:
        steps.append(1)
        if len(steps) > 7:
            raise KeyboardInterrupt
        return step(self)

    monkeypatch.setattr(DenseDescent, "iterate", interrupted)
    learner = LatentCRF(states=2, starts=2, trial=5, tol=0.0).fit(train, gold)
    assert learner.ended_ == "stop signal"
    assert learner.predict(train)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"states": 0}, "states is 0"),
        ({"order": 3}, "order is 3"),
        ({"rho2": -1.0}, "rho2 is -1.0"),
        ({"rho2": float("nan")}, "rho2 is nan"),
        ({"decoder": "best"}, "no decoder named 'best'"),
        ({"starts": 0}, "starts is 0"),
    ],
)
def test_wrong_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(GlyphoneError, match=message):
        LatentCRF(**options).fit([["a"]], [["x"]])


def test_odd_sentences() -> None:
    learner = LatentCRF(states=2, max_iter=5).fit([["a", "b"], [], ["a"]], [["x", "x"], [], ["x"]])
    assert learner.predict([[], ["unknown", "words"]]) == [(), ("x", "x")]
    assert learner.log_probability([["a"]], [["y"]]) == [-np.inf]
    assert learner.predict_nbest([[]], n=2)[0][0].labels == ()
    with pytest.raises(GlyphoneError, match="n is 0"):
        learner.predict_nbest([["a"]], n=0)
    with pytest.raises(GlyphoneError, match="no token"):
        LatentCRF().fit([[]], [[]])
