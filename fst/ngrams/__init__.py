"""Backoff n-gram models: counts, smoothing, pruning, ARPA."""
