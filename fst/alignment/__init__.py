"""Pairs of strings cut into units, by expectation maximisation.

Public: `fit`, `bag_counts`, `ONE_TO_ONE`, `AlignmentOptions`, `AlignmentModel`, `Refusal`, `Units`,
`align_widening`, `NothingLearnt`.
"""
