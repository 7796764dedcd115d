"""Training and decoding for a utility: the F score, sensitivity and specificity, and others.

Public: `classifier.UtilityLogisticRegression`; `decode_f` and `expected_f` of `decoding`; the
decoders of `linear_decoding`.
"""
