"""Kernels of conditional random fields: sums, gradients, decoding.

Public: none; `learners.crf` and `models.crf` import it.
"""
