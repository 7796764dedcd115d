"""Linear-chain conditional random fields with many labels, many tests, and few weights that are not
zero.

Public: `estimator.SequenceCRF`; readers and writers of other tools in `files`.
"""
