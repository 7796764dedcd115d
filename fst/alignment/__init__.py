"""Pairs of strings cut into units, by expectation maximisation.

Public: `fit`, `AlignmentOptions`, `AlignmentModel`, `Refusal`, `Units`, `align_widening`.
"""
