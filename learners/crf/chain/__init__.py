"""Learnt chains: labels, tests and weights.

Public: `model.ChainModel`, `choices.Choices`.
"""
