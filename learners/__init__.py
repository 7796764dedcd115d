"""scikit-learn estimators: trees, count models, random fields, combinations of features, utilities,
entities.

Public: none of its own.
"""
