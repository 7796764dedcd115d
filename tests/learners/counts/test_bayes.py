"""Classifiers: scikit-learn's checks, sums over all words in full, bad and degenerate input."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn import naive_bayes
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.learners.counts import bayes, estimates, scoring
from glyphone.learners.counts.bayes import CountNB
from glyphone.learners.counts.checking import BadCounts
from glyphone.learners.counts.estimates import CountTable
from glyphone.learners.counts.fitting import fit
from glyphone.learners.counts.mcnemar import mcnemar
from glyphone.learners.counts.models import BetaBinomial, Binomial, ZeroInflated
from glyphone.learners.counts.vocabulary import best_words, mutual_information

Array = Any
EVERY = CountNB.__subclasses__()
ZI = bayes.ZeroInflatedBinomialNB


def corpus(seed: int = 0, n: int = 90, words: int = 12) -> tuple[Array, Array]:
    """Counts of words that three classes use differently, and only where they are on topic."""
    random = np.random.default_rng(seed)
    y = random.integers(0, 3, n)
    p = np.random.default_rng(77).dirichlet(np.full(words, 0.5), 3)[y]
    lengths = random.integers(5, 80, n)[:, None]
    X = random.binomial(lengths, 0.7 * p) * (random.random((n, words)) < 0.7)
    return X, np.array(["a", "b", "c"])[y]


def test_there_is_one_for_each_distribution() -> None:
    assert len(EVERY) == 8
    inflated = sorted(one.family.__name__ for one in EVERY if one.inflated)
    assert inflated == ["Binomial", "NegativeBinomial", "Poisson"]
    plain = sorted(one.family.__name__ for one in EVERY if not one.inflated)
    assert plain == ["Bernoulli", "BetaBinomial", *inflated]


@parametrize_with_checks([one() for one in EVERY])
def test_scikit_learn_finds_nothing_wrong(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("kind", EVERY)
def test_scores_are_sums_over_all_words(kind: type[CountNB]) -> None:
    X, y = corpus()
    new, _ = corpus(1, n=20)
    model = kind(n_words=7, smoothing=0.5).fit(X, y)
    kept, lengths = new[:, model.vocabulary_], new.sum(axis=1)
    expected = np.array(
        [
            [
                prior + sum(
                    float(model.model_.at_words(w).log_mass(x, n)[c]) for w, x in enumerate(row)
                )
                for c, prior in enumerate(model.class_log_prior_)
            ]
            for row, n in zip(kept, lengths, strict=True)
        ]
    )  # fmt: skip
    assert model.predict_joint_log_proba(new) == pytest.approx(expected, abs=1e-8)
    assert np.exp(model.class_log_prior_) == pytest.approx([(y == c).mean() for c in "abc"])
    shares = model.predict_proba(new)
    assert shares.sum(axis=1) == pytest.approx(1)
    assert np.log(shares) == pytest.approx(model.predict_log_proba(new), abs=1e-6)
    assert model.predict(new).tolist() == [*np.array(["a", "b", "c"])[expected.argmax(axis=1)]]


@pytest.mark.parametrize("kind", EVERY)
def test_sparse_and_dense_pickled_cloned_and_rebuilt(kind: type[CountNB]) -> None:
    X, y = corpus()
    model = kind(n_words=9).fit(X, y)
    expected = model.predict_proba(X)
    for other in (sparse.csr_matrix(X), sparse.csc_array(X), X.astype(np.float32)):
        assert kind(n_words=9).fit(other, y).predict_proba(other) == pytest.approx(expected)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), expected)
    assert clone(model).get_params() == kind(n_words=9).get_params()
    # What a model file keeps: options, and attributes that are arrays or numbers.
    again = kind(**model.get_params())
    for name, value in vars(model).items():
        if name.endswith("_"):
            assert isinstance(value, np.ndarray | int)
            setattr(again, name, value)
    assert np.array_equal(again.predict_proba(X), expected)


def test_pipelines_and_searches() -> None:
    X, y = corpus(n=120)
    texts = [" ".join(f"w{w}" for w in np.repeat(np.arange(12), row)) or "w0" for row in X]
    pipeline = make_pipeline(CountVectorizer(), ZI())
    grid = {
        "zeroinflatedbinomialnb__n_words": [1, 12],
        "zeroinflatedbinomialnb__smoothing": [0.1, 1.0],
    }
    search = GridSearchCV(pipeline, grid, cv=3).fit(texts, y)
    assert search.best_params_["zeroinflatedbinomialnb__n_words"] == 12
    assert search.best_score_ > 0.7


def test_the_binomial_is_scikit_learns_multinomial() -> None:
    """Up to tokens that are other words: log(p / (1 - p)) is nearly log p where words are many."""
    random = np.random.default_rng(0)
    p = random.dirichlet(np.full(3000, 0.1), 3)
    y = np.arange(60) % 3
    X = np.stack([random.multinomial(200, p[c]) for c in y])
    ours = bayes.BinomialNB().fit(X[:40], y[:40])
    peer = naive_bayes.MultinomialNB().fit(X[:40], y[:40])
    assert np.array_equal(ours.predict(X), peer.predict(X))
    assert np.log(ours.probabilities_) == pytest.approx(peer.feature_log_prob_)


def test_estimates_without_smoothing_are_those_of_single_words() -> None:
    X, y = corpus(3)
    classes, lengths = np.unique(y, return_inverse=True)[1], X.sum(axis=1).astype(float) + 30
    table = CountTable(sparse.csr_matrix(X, dtype=float), classes, lengths, 3)
    tiny = 1e-12
    for name, method, tolerance in (
        ("binomial", "likelihood", 1e-9), ("bernoulli", "likelihood", 1e-9),
        ("beta_binomial_by_moments", "moments", 1e-6), ("zero_inflated_binomial", "em", 1e-3),
        ("poisson", "likelihood", 1e-9), ("zero_inflated_poisson", "likelihood", 1e-3),
        ("negative_binomial", "likelihood", 5e-3),
    ):  # fmt: skip
        found = getattr(estimates, name)(table, tiny)
        compared = 0
        for one in range(3):
            for word in range(0, X.shape[1], 3):
                x = X[classes == one, word]
                if (x > 0).sum() < 6:
                    continue
                n, model = lengths[classes == one], name.removesuffix("_by_moments")
                single = fit(x, model, lengths=n, method=method).parameters()
                here = {key: value[one, word] for key, value in found.parameters().items()}
                assert here == pytest.approx(single, rel=tolerance, abs=tolerance), name
                compared += 1
        assert compared > 5


def test_dispersions_by_either_method() -> None:
    random = np.random.default_rng(4)
    n, y = random.integers(50, 200, 300), np.arange(300) % 2
    X = random.binomial(n[:, None], random.beta(2.0, 30.0, (300, 4)))
    X = np.c_[X, n - X.sum(axis=1)]
    for method in ("likelihood", "moments"):
        model = bayes.BetaBinomialNB(method=method).fit(X, y)
        assert model.dispersions_[:, :4] == pytest.approx(np.full((2, 4), 1 / 33), rel=0.4)
    with pytest.raises(UnknownName, match=r"no method named 'moment' .did you mean moments"):
        bayes.BetaBinomialNB(method="moment").fit(X, y)


def test_smoothing_makes_every_word_possible() -> None:
    X, y = np.array([[2, 0], [0, 3]]), ["a", "b"]
    model = bayes.BinomialNB(smoothing=0.5).fit(X, y)
    assert model.probabilities_.tolist() == [[2.5 / 3, 0.5 / 3], [0.5 / 4, 3.5 / 4]]
    assert bayes.BernoulliNB(smoothing=1).fit(X, y).probabilities_[0].tolist() == [2 / 3, 1 / 3]
    inflated = ZI(smoothing=1.0).fit(X, y)
    assert ((inflated.off_topic_ > 0) & (inflated.off_topic_ < 1)).all()
    for kind in EVERY:
        assert np.isfinite(kind().fit(X, y).predict_log_proba([[9, 9], [0, 0]])).all()


@pytest.mark.parametrize("kind", EVERY)
def test_empty_documents_unseen_words_and_one_class(kind: type[CountNB]) -> None:
    X, y = corpus()
    X[:, 4] = 0
    X[5] = 0
    model = kind().fit(X, y)
    empty = model.predict_proba(np.zeros((1, 12)))[0]
    if kind.family.needs_length:
        assert empty == pytest.approx(np.exp(model.class_log_prior_))
    assert np.isfinite(model.predict_joint_log_proba(7 * np.eye(12))).all()
    assert (kind().fit(X, np.full(len(y), "x")).predict(X) == "x").all()
    only = kind().fit(np.zeros((2, 3)), [0, 1])
    assert np.isfinite(only.predict_log_proba([[0, 0, 0], [1, 0, 2]])).all()


def test_a_word_that_is_all_of_a_class_leaves_others_possible() -> None:
    for kind in EVERY:
        model = kind(n_words=1).fit([[5, 0], [4, 0], [0, 4], [0, 9]], [0, 0, 1, 1])
        assert model.vocabulary_.tolist() == [0]
        assert np.isfinite(model.predict_log_proba([[5, 0], [0, 5], [3, 3]])).all()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (-1, "row 2, column 3: -1 is negative: Negative values in data"),
        (0.5, "row 2, column 3: 0.5 is not a whole number .give counts, not shares or tf-idf"),
        (np.nan, "row 2, column 3: nan is NaN"),
        (np.inf, "row 2, column 3: inf is inf"),
    ],
)
def test_what_is_no_count_is_refused_with_row_and_column(value: float, message: str) -> None:
    X, y = corpus()
    bad = X.astype(float)
    bad[2, 3] = value
    model = ZI().fit(X, y)
    for given in (bad, sparse.csr_matrix(bad), sparse.coo_array(bad)):
        with pytest.raises(BadCounts, match=message):
            ZI().fit(given, y)
        with pytest.raises(BadCounts, match=message):
            model.predict(given)


def test_options_that_make_no_sense_are_refused() -> None:
    X, y = corpus()
    for smoothing in (0, -1, np.nan, np.inf):
        with pytest.raises(GlyphoneError, match="smoothing is"):
            ZI(smoothing=smoothing).fit(X, y)
    with pytest.raises(GlyphoneError, match="n_words is 0"):
        ZI(n_words=0).fit(X, y)
    assert len(ZI(n_words=99).fit(X, y).vocabulary_) == 12


def test_explicit_zeros_and_duplicates_in_a_sparse_matrix() -> None:
    rows = sparse.csr_matrix(([1.0, 2.0, 0.0, 4.0], [0, 0, 1, 1], [0, 3, 4]), shape=(2, 2))
    plain = ZI().fit(rows.toarray(), [0, 1])
    assert np.array_equal(ZI().fit(rows, [0, 1]).probabilities_, plain.probabilities_)
    assert rows.nnz == 4  # what was given is as it was


def test_length_counts_words_outside_the_vocabulary() -> None:
    X = np.array([[1, 9], [1, 9], [1, 0], [1, 0]])
    model = bayes.BinomialNB(n_words=1).fit(X[:, ::-1], [0, 0, 1, 1])
    assert model.vocabulary_.tolist() == [0]
    other = bayes.BinomialNB(n_words=1).fit(np.c_[X[:, 0], X[:, 1]], [0, 0, 1, 1])
    assert other.vocabulary_.tolist() == [1]
    assert other.probabilities_[:, 0] == pytest.approx([19 / 21, 1 / 3])


@pytest.mark.parametrize("zero_inflated", [False, True])
def test_sums_over_absent_words_on_a_grid(zero_inflated: bool) -> None:
    random = np.random.default_rng(0)
    p = random.dirichlet(np.full(2000, 0.05), 2)
    g = random.random(p.shape) * 0.05
    z = random.random(p.shape)
    model = ZeroInflated(z, Binomial(p)) if zero_inflated else BetaBinomial(p, g)
    lengths = np.unique(np.round(np.geomspace(1, 20_000, 700)))
    assert len(lengths) > sum(scoring.KNOTS)
    exact = np.array([model.log_absent(n).sum(axis=-1) for n in lengths])
    found = scoring.absent_sums(model, np.append(lengths, 0.0))
    assert found[-1].tolist() == [0.0, 0.0]
    assert found[:-1] == pytest.approx(exact, abs=2e-3, rel=1e-6)


def test_words_are_ranked_by_mutual_information() -> None:
    X, y = corpus(n=40)
    classes = np.unique(y, return_inverse=True)[1]
    found = mutual_information(sparse.csr_matrix(X), classes, 3)
    for word in range(X.shape[1]):
        expected = 0.0
        for present in (False, True):
            for one in range(3):
                both = np.mean(((X[:, word] > 0) == present) & (classes == one))
                share = np.mean((X[:, word] > 0) == present) * np.mean(classes == one)
                expected += both * np.log(both / share) if both else 0.0
        assert found[word] == pytest.approx(expected)
    ranking = sorted(range(12), key=lambda word: (-found[word], word))
    best = best_words(sparse.csr_matrix(X), classes, n_classes=3, n_words=5)
    assert best.tolist() == sorted(ranking[:5])


def test_mcnemar() -> None:
    gold = np.arange(30) % 2
    first, second = gold.copy(), gold.copy()
    first[:4] = 9
    second[2:20] = 9
    found = mcnemar(gold, first, second)
    assert (found.first_only, found.second_only) == (16, 2)
    assert found.chi_square == pytest.approx(13**2 / 18)
    assert found.p_value == pytest.approx(0.00218, abs=1e-5)
    assert found.is_significant() and not found.is_significant(level=0.001)
    same = mcnemar(gold, first, first)
    assert (same.chi_square, same.p_value) == (0.0, 1.0)
    with pytest.raises(GlyphoneError, match="shapes"):
        mcnemar(gold, first[:3], second)
