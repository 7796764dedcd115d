"""Distillation: small models that are trained on the answers of large ones.

Public: `distill`, `distill_file`.
"""
