"""Kernels for all words at once: EM, shapes and dispersions, beside plain twins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from glyphone.data.kernels import jit
from glyphone.learners.counts import dispersion_kernels, shape_kernels, zero_inflation_kernels
from glyphone.learners.counts.fitting import fit
from glyphone.learners.counts.goodness import log_likelihood
from glyphone.learners.counts.models import BetaBinomial, Binomial, ZeroInflated

Array = Any
NOTHING = (0.0, 0.0, 0.0)


def documents(seed: int, n: int = 40, words: int = 5) -> tuple[Array, Array]:
    """Counts, documents by words, and lengths."""
    random = np.random.default_rng(seed)
    lengths = random.integers(5, 60, n)
    on_topic = random.random((n, words)) < random.random(words)
    p = random.random(words) * 0.15
    return np.where(on_topic, random.binomial(lengths[:, None], p), 0), lengths.astype(float)


def arrays(x: Array, n: Array) -> tuple[Array, ...]:
    """The arguments of the kernel."""
    distinct, places = np.unique(n, return_inverse=True)
    rows = [np.flatnonzero(column) for column in x.T]
    starts = np.cumsum([0, *map(len, rows)])
    counts = np.concatenate([column[here] for column, here in zip(x.T, rows, strict=True)])
    histogram = np.bincount(places).astype(float)
    return distinct, histogram, starts, counts.astype(float), places[np.concatenate(rows)]


def em_twin(x: Array, n: Array, more: tuple[float, float, float], steps: int) -> list[ZeroInflated]:
    """EM document by document, as it is written down; where a step changes nothing, it ends."""
    z, p = 0.5, (x.sum() + more[0]) / (n.sum() + more[1])
    found = [ZeroInflated(z, Binomial(p))]
    for _ in range(steps):
        r = np.where(x == 0, z / (z + (1 - z) * (1 - p) ** n), 0.0)
        last, z = (z, p), (r.sum() + more[2]) / (len(x) + 2 * more[2])
        p = (x.sum() + more[0]) / (((1 - r) * n).sum() + more[1])
        if abs(z - last[0]) + abs(p - last[1]) < 1e-10:
            break
        found.append(ZeroInflated(z, Binomial(p)))
    return found


@pytest.mark.parametrize("more", [NOTHING, (1.0, 5.0, 1.0), (0.1, 2.0, 0.5)])
@pytest.mark.parametrize("seed", range(4))
def test_the_end_of_em_is_that_of_many_plain_steps(
    seed: int, more: tuple[float, float, float]
) -> None:
    x, n = documents(seed)
    found = zero_inflation_kernels.zero_inflated(*arrays(x, n), more, 1e-13, 500)
    for word, (occurrences, tokens, off_topic) in enumerate(found):
        assert occurrences == x[:, word].sum() + more[0]
        last = em_twin(x[:, word], n, more, 20_000)[-1]
        z, p = off_topic / (len(n) + 2 * more[2]), occurrences / tokens
        assert {"z": z, "p": p} == pytest.approx(last.parameters(), rel=1e-4, abs=1e-5)


def test_the_likelihood_never_falls() -> None:
    x, n = documents(9)
    for word in range(x.shape[1]):
        plain = [
            log_likelihood(model, x[:, word], n) for model in em_twin(x[:, word], n, NOTHING, 40)
        ]
        assert (np.diff(plain) >= -1e-9).all()
        ours = []
        for steps in range(1, 12):
            found = zero_inflation_kernels.zero_inflated(*arrays(x, n), NOTHING, 1e-13, steps)[word]
            model = ZeroInflated(found[2] / len(n), Binomial(found[0] / found[1]))
            ours.append(log_likelihood(model, x[:, word], n))
        assert (np.diff(ours) >= -1e-9).all()
        # Newton's steps are what makes it short.
        assert ours[-1] >= plain[-1] - 1e-9


def test_expectations_have_the_likelihood_of_the_model_and_its_slopes() -> None:
    x, n = documents(2)
    distinct, places = np.unique(n, return_inverse=True)
    column = x[:, 0]
    absent = np.bincount(places, weights=column == 0)
    some = column > 0
    word = zero_inflation_kernels.WordCounts(
        distinct, absent, 40.0, 0.0, some.sum(), n[some].sum(), column.sum()
    )

    def height(z: float, p: float) -> float:
        # Without what the kernel leaves out: the choice of the places of a word.
        whole = log_likelihood(ZeroInflated(z, Binomial(p)), column, n)
        inner = log_likelihood(Binomial(p), column[some], n[some])
        plain = column.sum() * np.log(p) + (n[some].sum() - column.sum()) * np.log1p(-p)
        return whole - inner + plain

    z, p, h = 0.4, 0.03, 1e-5
    step = zero_inflation_kernels.expectation_step(word, z, p)
    assert step.likelihood == pytest.approx(height(z, p), rel=1e-9)
    by_logit = (height(z + h, p) - height(z - h, p)) / (2 * h) * z * (1 - z)
    assert step.off_topic - 40 * z == pytest.approx(by_logit, rel=1e-5)
    by_log = (height(z, p + h) - height(z, p - h)) / (2 * h) * p
    rest = step.tokens - column.sum()
    assert column.sum() - p / (1 - p) * rest == pytest.approx(by_log, rel=1e-5)


def test_words_that_never_occur() -> None:
    x, n = documents(3)
    x[:, [1, 3]] = 0
    found = zero_inflation_kernels.zero_inflated(*arrays(x, n), NOTHING, 1e-8, 200)
    assert found[[1, 3]].tolist() == [[0.0, n.sum() / 2, 20.0]] * 2
    smooth = zero_inflation_kernels.zero_inflated(*arrays(x, n), (1.0, 5.0, 1.0), 1e-10, 200)
    assert smooth[1].tolist() == smooth[3].tolist()
    assert smooth[1, 0] == 1


def test_long_documents_do_not_underflow() -> None:
    n = np.array([10.0, 1e5, 1e6, 50.0])
    x = np.array([[5], [0], [0], [20]])
    occurrences, tokens, off_topic = zero_inflation_kernels.zero_inflated(
        *arrays(x, n), NOTHING, 1e-10, 200
    )[0]
    assert occurrences / tokens == pytest.approx(25 / 60)
    assert off_topic / 4 == pytest.approx(0.5)


@pytest.mark.parametrize("inflated", [False, True])
def test_shapes_are_those_of_direct_search(inflated: bool) -> None:
    random = np.random.default_rng(0)
    name = "zero_inflated_negative_binomial" if inflated else "negative_binomial"
    for k in (0.3, 2.0):
        x = np.where(random.random(150) < 0.4, 0, random.negative_binomial(k, 0.3, 150))
        x[0] = 80  # more than is multiplied one by one
        counts = np.sort(x[x > 0]).astype(float)
        mu, shape, z = shape_kernels.most_likely(
            np.array([0, len(counts)]), counts, 150.0, inflated
        )[0]
        model = fit(x, name)
        values = {"z": z} if inflated else {}
        assert {**values, "mu": mu, "k": shape} == pytest.approx(
            model.parameters(), rel=2e-3, abs=2e-3
        )


def test_shapes_of_words_that_vary_less_than_poisson_and_of_none() -> None:
    found = shape_kernels.most_likely(np.array([0, 0, 4]), np.ones(4), 4.0, False)
    assert found[:, 1] == pytest.approx(np.exp(shape_kernels.MOST))
    assert found[:, 0].tolist() == [0.0, 1.0]


def overdispersed(seed: int, n: int = 40, words: int = 5) -> tuple[Array, Array]:
    """Counts of words whose shares vary from document to document, the last one's alone do not."""
    random = np.random.default_rng(seed)
    sizes = random.integers(5, 60, n).astype(float)
    p = random.beta(0.6, 6.0, (n, words))
    p[:, -1] = 0.2
    return random.binomial(sizes.astype(int)[:, None], p), sizes


def dispersions_of(x: Array, n: Array, p: Array, smoothing: float) -> tuple[Any, ...]:
    """The arguments of the kernel, each length for itself."""
    distinct, _, starts, counts, places = arrays(x, n)
    times = np.array([(n == one).sum() for one in distinct])
    words = float(x.shape[1])
    lengths, times = np.append(distinct, words), np.append(times, smoothing)
    return p, starts, counts, distinct[places], lengths, times, (smoothing, words)


@pytest.mark.parametrize("smoothing", [0.0, 1.0, 0.3])
@pytest.mark.parametrize("seed", range(3))
def test_dispersions_are_those_of_direct_search(seed: int, smoothing: float) -> None:
    x, n = overdispersed(seed)
    x[:, 2] = 0
    p = (x.sum(axis=0) + smoothing + 1e-9) / (n.sum() + smoothing * 5)
    found = dispersion_kernels.most_likely(*dispersions_of(x, n, p, smoothing))
    for word, share in enumerate(p):

        def worth(g: float, x: Array = x[:, word], share: float = share) -> float:
            model = BetaBinomial(share, g)
            return log_likelihood(model, x, n) + smoothing * model.log_mass(1.0, 5.0)

        ends = np.exp([dispersion_kernels.LEAST, dispersion_kernels.MOST])
        best = max(
            [*ends, *(
                float(np.exp(minimize_scalar(
                    lambda t: -worth(np.exp(t)), bounds=(low, low + 3), method="bounded"
                ).x)) for low in range(-12, 0, 3)
            )],
            key=worth,
        )  # fmt: skip
        assert worth(found[word]) == pytest.approx(worth(best), abs=1e-3)
        if best > 1e-3 and smoothing:
            assert found[word] == pytest.approx(best, rel=0.03)
    assert found[0] > 0.02


def test_counts_that_vary_less_than_a_binomial_have_no_dispersion() -> None:
    x, n = np.full((30, 2), 4), np.full(30, 20.0)
    found = dispersion_kernels.most_likely(*dispersions_of(x, n, np.array([0.2, 0.2]), 0.0))
    assert found.tolist() == [0.0, 0.0]


def test_groups_of_lengths_hardly_change_a_dispersion() -> None:
    x, n = overdispersed(7, 400)
    n = n * 5
    p, starts, counts, sizes, lengths, times, more = dispersions_of(x, n, x.sum(0) / n.sum(), 1.0)
    means, members = dispersion_kernels.groups(n)
    assert len(means) < len(lengths) / 2 and members.sum() == 400
    assert means @ members == pytest.approx(n.sum())
    again = (np.append(means, lengths[-1]), np.append(members, 1.0))
    exact = dispersion_kernels.most_likely(p, starts, counts, sizes, lengths, times, more)
    near = dispersion_kernels.most_likely(p, starts, counts, sizes, *again, more)
    assert near == pytest.approx(exact, rel=0.02, abs=1e-5)
    assert [part.tolist() for part in dispersion_kernels.groups(np.zeros(2))] == [[], []]


def test_both_tiers_find_the_same() -> None:
    x, n = documents(4)
    call = (*arrays(x, n), (0.5, 2.0, 0.5), 1e-10, 200)
    fast = jit.compiled(zero_inflation_kernels).zero_inflated(*call)
    assert fast == pytest.approx(zero_inflation_kernels.zero_inflated(*call), rel=1e-6)
    _, _, starts, counts, _ = arrays(x, n)
    for inflated in (False, True):
        again = jit.compiled(shape_kernels).most_likely(starts, counts, 40.0, inflated)
        assert again == pytest.approx(
            shape_kernels.most_likely(starts, counts, 40.0, inflated), rel=1e-6
        )
    x, n = overdispersed(4)
    arguments = dispersions_of(x, n, (x.sum(axis=0) + 1) / (n.sum() + 5), 1.0)
    found = jit.compiled(dispersion_kernels).most_likely(*arguments)
    assert found == pytest.approx(dispersion_kernels.most_likely(*arguments), rel=1e-6)
