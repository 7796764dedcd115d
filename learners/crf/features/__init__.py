"""Features of chains: numbered tests, and their weights.

Public: `numbering.Tests`; `weights.weights_of`.
"""
