"""The objective of conditional random fields and its optimisers.

Public: `TrainingOptions` and `TrainingProgress` of `loop`, `solve.solve`.
"""
