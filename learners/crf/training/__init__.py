"""The objective of conditional random fields and its optimisers.

Public: `loop.TrainingOptions`, `solve.solve`.
"""
