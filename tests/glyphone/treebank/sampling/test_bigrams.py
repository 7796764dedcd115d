"""The full model: rows drawn from Dirichlet posteriors, and the reduced model as its limit."""

from __future__ import annotations

import numpy as np
import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.fst.forests.automata import of_bigrams
from glyphone.treebank.sampling.bigrams import ADDED, MOST_SYMBOLS, Bigrams, count_bigrams
from glyphone.treebank.sampling.chains import SamplingOptions, sample_posterior
from tests.glyphone.treebank.sampling.test_chains import FOREST, GRAMMAR, N, bigrams, estimate
from tests.glyphone.treebank.transfer.test_dependency_forests import GIVEN


def test_bigrams_are_counted_with_beginning_and_end() -> None:
    assert count_bigrams([[0, 1, 1], [1]], 2).tolist() == [[0, 1, 0], [0, 1, 2], [1, 1, 0]]
    assert count_bigrams([], 1).tolist() == [[0, 0], [0, 0]]


def test_rows_are_drawn_from_their_posterior() -> None:
    model = Bigrams.of([[0, 1]] * 5, n_symbols=2)
    random, yields = np.random.default_rng(1), [[1, 0]] * 20
    shares = np.mean(
        [np.exp(model.draw_model(random, yields).log_probs) for _ in range(2000)], axis=0
    )
    counts = model.prior + count_bigrams(yields, 2)
    expected = counts / counts.sum(axis=1, keepdims=True)
    assert shares.reshape(3, 3) == pytest.approx(expected, abs=0.01)
    assert model.prior.min() == ADDED
    plain = np.exp(model.mean_model().log_probs).reshape(3, 3)
    assert plain == pytest.approx(model.prior / model.prior.sum(axis=1, keepdims=True))


def test_yields_are_the_words_of_the_trees() -> None:
    found: list[list[list[int]]] = []

    def refine(random: np.random.Generator, yields: list[list[int]]) -> object:
        found.append(yields)
        return automaton

    automaton = of_bigrams(bigrams(2))
    options = SamplingOptions(iterations=4, chains=1)
    firm = GRAMMAR.multinomials(1.0)
    posterior = sample_posterior([FOREST] * 2, automaton, firm, options, refine=refine)  # type: ignore[arg-type]
    # None is drawn behind the last sweep, for nobody would read it.
    assert len(found) == 3
    kept = [FOREST.symbols[FOREST.leaves_of(tree)].tolist() for tree in posterior.trees[0]]
    assert found[-1][0] in kept
    tags = sorted(GRAMMAR.symbols[word.upos] for word in GIVEN.words)
    assert all(sorted(line) == tags for lines in found for line in lines)


def test_with_much_text_the_full_model_is_the_reduced_one() -> None:
    """100,000 prior counts a row, as the specification has it."""
    table = np.exp(bigrams(4))
    plain, full = of_bigrams(np.log(table)), Bigrams(1e5 * table)
    options = SamplingOptions(iterations=400, chains=2, seed=3)
    forests, firm = [FOREST] * 20, GRAMMAR.multinomials(5.0)
    one = sample_posterior(forests, plain, firm, options)
    other = sample_posterior(forests, full.mean_model(), firm, options, refine=full.draw_model)
    # Sweeps hang together: two runs of 400 differ by some hundredths.
    for name in GRAMMAR.classes:
        assert estimate(one, name).mean == pytest.approx(estimate(other, name).mean, abs=0.08)
    weak = Bigrams.of([], n_symbols=N)
    free = sample_posterior(forests, weak.mean_model(), firm, options, refine=weak.draw_model)
    means = [(estimate(one, n).mean, estimate(free, n).mean) for n in GRAMMAR.classes]
    assert max(abs(a - b) for a, b in means) > 0.2


def test_too_many_symbols() -> None:
    with pytest.raises(GlyphoneError, match="2,001 symbols are too many"):
        Bigrams.of([], n_symbols=MOST_SYMBOLS + 1)
