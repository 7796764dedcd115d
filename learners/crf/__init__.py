"""Linear-chain conditional random fields with many labels, many tests, and few weights that are not
zero.

Public: `SequenceCRF`.
"""
