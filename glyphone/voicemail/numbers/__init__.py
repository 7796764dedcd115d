"""Numbers, second phase: a classifier keeps some candidates.

Public: `NumberModel`, `train`.
"""
