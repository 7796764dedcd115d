"""scikit-learn estimators: trees, count models, random fields, utilities, entities.

Public: none of its own.
"""
