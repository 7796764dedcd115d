"""The estimator: what it learns, what it refuses, and that it is a learner as scikit-learn's."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.data.records import Sequence
from glyphone.learners.crf.estimator import SequenceCRF
from glyphone.models.learners import file as learner_file

TEMPLATES = "*0:%x[0,0]\nu1:%x[-1,0]\nb"
VOWELS = frozenset("aeiou")


def words(n: int, seed: int) -> list[Sequence]:
    """A language in which s is z between vowels, and c is s before e and i."""
    random, found = np.random.default_rng(seed), []
    for _ in range(n):
        letters = tuple(random.choice([*"aeiscpt"], random.integers(1, 8)).tolist())
        around = ["", *letters, ""]
        phones = [
            "z" if y == "s" and {x, z} <= VOWELS else "s" if y == "c" and z in ("e", "i") else y
            for x, y, z in zip(around, around[1:], around[2:], strict=False)
        ]
        found.append(Sequence(letters, {}, tuple(phones)))
    return found


TRAIN, DEV = words(150, 1), words(60, 2)
WIDE = "*0:%x[0,0]\n*1:%x[-1,0]%x[0,0]%x[1,0]\nb"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"weights": "attested", "polish": 3},
        {"weights": "seen", "n_jobs": 2},
        {"optimizer": "sgd", "max_iter": 20, "tol": 0.0},
        {"optimizer": "bcd", "max_iter": 20},
        {"optimizer": "lbfgs", "rho1": 0.0, "rho2": 0.1, "weights": "seen"},
    ],
)
def test_a_language_is_learnt(options: dict[str, Any]) -> None:
    learner = SequenceCRF(templates=WIDE, **{"rho1": 0.1, **options}).fit(TRAIN)
    assert learner.score(DEV) > 0.97
    assert learner.n_weights_ > len(learner.model_.weights) or learner.optimizer == "lbfgs"
    found = learner.predict(DEV)
    assert [len(labels) for labels in found] == [len(word.tokens) for word in DEV]
    best = learner.predict_nbest(DEV, n=3)
    shares = learner.log_probability(DEV, found)
    for labels, paths, share in zip(found, best, shares, strict=True):
        assert paths[0].labels == labels and paths[0].probability == pytest.approx(math.exp(share))
        assert sum(path.probability for path in paths) < 1 + 1e-9


def test_early_stopping_keeps_the_best() -> None:
    learner = SequenceCRF(templates=WIDE, optimizer="sgd", tol=0.0, patience=2, max_iter=30)
    learner.fit(TRAIN, dev=DEV)
    errors = [row["error"] for row in learner.history_]
    assert 1 - learner.score(DEV) == pytest.approx(min(errors))
    assert learner.ended_ in ("dev error", "max_iter")


def test_training_goes_on() -> None:
    learner = SequenceCRF(templates=WIDE, max_iter=4, warm_start=True)
    objectives = [learner.fit(TRAIN).history_[-1]["objective"] for _ in range(3)]
    assert objectives[0] > objectives[1] > objectives[2]
    more = [*TRAIN, Sequence(("q",), {}, ("k",))]
    again = learner.fit(more)
    assert "k" in again.classes_ and again.history_[0]["objective"] < objectives[0]


def test_incremental_training_refines_what_is_active() -> None:
    stages = ["*0:%x[0,0]\nb", "*1:%x[-1,0]%x[0,0]", "*2:%x[-1,0]%x[0,0]%x[1,0]"]
    learner = SequenceCRF(templates=stages, rho1=0.2).fit(TRAIN)
    active = SequenceCRF(templates=stages[:2], rho1=0.2).fit(TRAIN).model_.active
    tests: tuple[set[str], set[str]] = set(), {"b"}
    for word in TRAIN:
        row = ["_x-1", *word.tokens, "_x+1"]
        for t, (x, y, z) in enumerate(zip(row, row[1:], row[2:], strict=False)):
            found = [f"*0:{y}"]
            found += [f"*1:{x}{y}"] * (f"*0:{y}" in active)
            found += [f"*2:{x}{y}{z}"] * (f"*1:{x}{y}" in active)
            for some in tests[: 1 + (t > 0)]:
                some |= {*found}
    n = len(learner.classes_)
    assert learner.n_weights_ == n * len(tests[0]) + n * n * len(tests[1])
    whole = SequenceCRF(templates="\n".join(stages), rho1=0.2).fit(TRAIN)
    assert learner.n_weights_ < whole.n_weights_
    assert learner.score(DEV) > 0.95
    assert clone(learner).templates == stages


def test_labels_that_are_allowed() -> None:
    learner = SequenceCRF(templates=TEMPLATES).fit(TRAIN)
    asked = [("a", "s", "a"), ("c",)]
    may = [[None, ["s", "p"], None], None]
    found = learner.predict(asked, allowed=may)
    assert found[0][1] in ("s", "p")
    shares = learner.predict_marginals(asked, allowed=may)
    assert shares[0].sum(axis=1) == pytest.approx(1.0)
    known = [name in ("s", "p") for name in learner.classes_.tolist()]
    assert shares[0][1, np.logical_not(known)].tolist() == [0.0] * (len(known) - 2)
    assert len(learner.predict_nbest(asked, n=1000, allowed=may)[1]) == len(known)
    for wrong, message in (
        ([None], "2 sequences, 1 lists"),
        ([[None], None], "3 tokens, 1 collections"),
        ([[["?"], None, None], None], r"none of the labels \['\?'\] is known"),
    ):
        with pytest.raises(GlyphoneError, match=message):
            learner.predict(asked, allowed=wrong)


def test_sequences_of_no_and_of_many_tokens() -> None:
    long = Sequence(tuple("casi" * 2500), {}, tuple("kasi" * 2500))
    learner = SequenceCRF(templates=TEMPLATES, max_iter=3).fit([Sequence(()), *TRAIN[:20], long])
    assert learner.predict([(), long.tokens, ()])[::2] == [(), ()]
    assert len(learner.predict([long])[0]) == 10_000
    assert learner.predict_nbest([()], n=3)[0][0].probability == 1.0
    assert learner.log_probability([Sequence(()), DEV[0]])[0] == 0.0
    with pytest.raises(GlyphoneError, match="no token to learn from"):
        learner.fit([Sequence(())])


def test_one_label_and_labels_unseen() -> None:
    learner = SequenceCRF(templates=TEMPLATES).fit([("a", "b")], [("x", "x")])
    assert learner.predict([("b", "c")]) == [("x", "x")]
    assert learner.log_probability([("a",), ("a",)], [("x",), ("y",)]) == [0.0, -math.inf]
    assert learner.score([("a", "a")], [("x", "y")]) == 0.5
    dev = [Sequence(("a",), {}, ("new",)), Sequence(("a",), {}, ("x",))]
    assert learner.fit([("a",)], [("x",)], dev=dev).history_[-1]["error"] == 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rho1": math.nan}, "rho1 is nan"),
        ({"rho2": -1.0}, "rho2 is -1.0"),
        ({"rho2": math.inf}, "rho2 is inf"),
        ({"optimizer": "lbfgs"}, "lbfgs is for rho1=0"),
        ({"optimizer": "adam"}, "no optimizer named 'adam'"),
        ({"weights": "some"}, "no kind of weights named 'some'"),
        ({"n_jobs": 0}, "jobs is 0"),
        ({"min_count": 0}, "min_count is 0"),
        ({"templates": "# nothing"}, "there is no pattern"),
        ({"memory": 1e-6}, "would fit"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(GlyphoneError, match=message):
        SequenceCRF(**options).fit(TRAIN)


def test_sequences_that_cannot_be() -> None:
    learner = SequenceCRF()
    with pytest.raises(GlyphoneError, match="2 tokens and 1 labels"):
        learner.fit([("a", "b")], [("x",)])
    with pytest.raises(GlyphoneError, match="which is no list of words"):
        learner.fit(["ab"], [("x", "y")])
    with pytest.raises(GlyphoneError, match="n is 0"):
        learner.fit(TRAIN).predict_nbest(DEV, n=0)
    with pytest.raises(UnknownName):
        SequenceCRF(optimizer="owl").fit(TRAIN)


def test_progress_is_told_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    SequenceCRF(templates=TEMPLATES, verbose=True, max_iter=2).fit(TRAIN, dev=DEV)
    told = capsys.readouterr()
    first, *rounds, last = told.err.splitlines()
    assert not told.out and first.startswith("owl-qn: ") and "numbers for each" in first
    assert len(rounds) == 2 and "objective" in rounds[1] and "dev error" in rounds[1]
    assert last.startswith("ended: max_iter, ")


def test_the_result_does_not_depend_on_threads() -> None:
    models = [SequenceCRF(templates=WIDE, max_iter=8, n_jobs=n).fit(TRAIN).model_ for n in (1, 3)]
    assert models[0].weights.tolist() == models[1].weights.tolist()


def test_a_learner_as_scikit_learns() -> None:
    learner = SequenceCRF(templates=WIDE, max_iter=5)
    X = [word.tokens for word in TRAIN]
    y = [word.labels for word in TRAIN]
    assert clone(learner).get_params() == learner.get_params()
    search = GridSearchCV(learner, {"rho1": [0.01, 30.0]}, cv=2).fit(X, y)
    assert search.best_params_ == {"rho1": 0.01}
    assert cross_val_score(learner, TRAIN, None, cv=2).mean() > 0.7
    again = pickle.loads(pickle.dumps(learner.fit(TRAIN)))
    assert again.predict(DEV) == learner.predict(DEV)


def test_learners_in_files(tmp_path: Any) -> None:
    path, learner = tmp_path / "tagger.glyphone", SequenceCRF(templates=WIDE).fit(TRAIN)
    learner_file.save(learner, path)
    again = learner_file.load(path)
    assert again.predict_nbest(DEV, n=2) == learner.predict_nbest(DEV, n=2)
    model = learner.model_
    broken = model.space._replace(befores=model.space.befores + 100)
    for wrong in (
        {"space": broken},
        {"weights": model.weights[:-1]},
        {"labels": model.labels[:-1]},
        {"weights": np.full_like(model.weights, np.nan)},
    ):
        learner.model_ = type(model)(**{**vars(model), **wrong})
        learner_file.save(learner, path)
        with pytest.raises(FormatError, match="is no learner"):
            learner_file.load(path)
