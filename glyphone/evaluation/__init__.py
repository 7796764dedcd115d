"""Evaluation of models: accuracy on references, and scores of given pairs.

Public: `evaluate`, `Evaluation`, `evaluate_file`, `score_pairs`, `audit_pairs`; `relations_to`
and `errors_by_relatives` of `relatives`.
"""
