"""How right a model is.

Public: `evaluate`, `Evaluation`, `evaluate_file`, `scored`, `audited`.
"""
