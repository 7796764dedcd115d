"""Logistic regression over features and their products, the best under an L1 penalty.

Public: `estimator.CombinationClassifier`.
"""
