"""Features of chains: patterns, numbered tests, and their weights.

Public: `patterns.read_patterns`; `Tests` and `observe_tests` of `observations`;
`weights.weights_of`.
"""
