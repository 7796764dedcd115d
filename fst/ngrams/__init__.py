"""Backoff n-gram models: counts, smoothing, pruning, ARPA.

Public: `NgramModel`, `train`, `estimate`, `prune`, `read_arpa`, `write_arpa`.
"""
