"""What every estimator over sentences shares.

Public: `SentenceEstimator`, `Contexts`, features of words.
"""
