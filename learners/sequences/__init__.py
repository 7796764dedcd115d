"""The base of estimators over sentences: records, contexts of tokens, features of words.

Public: `sentences.SentenceEstimator`, `contexts.Contexts`, the features of `words`.
"""
