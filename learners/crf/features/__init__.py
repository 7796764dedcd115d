"""From patterns to numbered tests and their weights.

Public: `read_patterns`, `Tests`, `observed`, `weights_of`.
"""
