"""Fitted scikit-learn estimators as model files.

Public: `save`, `load`, `is_learner`.
"""
