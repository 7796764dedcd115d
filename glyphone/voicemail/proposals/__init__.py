"""Numbers, first phase: a grammar proposes candidates.

Public: `Finder`, `Proposals`.
"""
