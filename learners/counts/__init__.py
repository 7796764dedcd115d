"""Counts of words: their distributions, estimation, and classifiers over them.

After Jansche, "Parametric Models of Linguistic Count Data" (2003): `models` are the distributions,
`fitting` estimates them from the counts of one word, `goodness` measures their fit, `bayes` has a
naive Bayes classifier over each, and `mcnemar` compares two classifiers.

Public: `fitting.fit`; `CountModel`, `Poisson`, `NegativeBinomial`, `Binomial`, `Bernoulli`,
`BetaBinomial` and `ZeroInflated` of `models`; `goodness_of_fit` and `GoodnessOfFit` of `goodness`;
`PoissonNB`, `NegativeBinomialNB`, `ZeroInflatedPoissonNB`, `ZeroInflatedNegativeBinomialNB`,
`BernoulliNB`, `BinomialNB`, `BetaBinomialNB` and `ZeroInflatedBinomialNB` of `bayes`; `McNemar`,
`mcnemar.mcnemar`.

>>> from glyphone.learners.counts.fitting import fit
>>> from glyphone.learners.counts.goodness import goodness_of_fit
>>> counts = [0] * 125 + [1] * 88 + [2] * 26 + [3] * 7 + [5]
>>> model = fit(counts, "poisson")
>>> found = goodness_of_fit(model, counts)
>>> model.describe(), found.bins, round(found.chi_square, 2), round(found.aic, 1)
('Poisson(mu=0.6721)', ((0, 0), (1, 1), (2, 2), (3, 5)), 0.37, 536.6)
"""
