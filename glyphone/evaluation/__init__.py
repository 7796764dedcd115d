"""Evaluation of models: accuracy on references, and scores of given pairs.

Public: `evaluate`, `Evaluation`, `evaluate_file`, `relations_to`, `score_pairs`, `audit_pairs`.
"""
