"""A learnt chain: its labels, tests and weights.

Public: `ChainModel`, `Choices`.
"""
