"""Backoff n-gram models: counts, smoothing, pruning, ARPA.

Public: `NgramModel`, `count_sequences`, `count_lattices`, `estimate`, `discounts_of`, `train`,
`prune`, `read_arpa`, `write_arpa`, `epsilon_acceptor`, `exact_acceptor`. Counts may be fractional:
weights
of sequences, and posteriors of lattices (`lattice_counts`).
"""
