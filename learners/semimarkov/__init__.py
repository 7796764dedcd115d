"""Semi-Markov conditional random fields: segments of tokens, each with a kind, as named entities.

Public: `estimator.SemiMarkovCRF`; `templates.default_templates`.
"""
