"""Telephone numbers, second phase: a classifier decides which candidates are numbers.

Public: `NumberModel` of `model`; `train` and `NumberTrainingOptions` of `training`;
`DecisionOptions` of `decisions`.
"""
