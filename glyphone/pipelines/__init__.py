"""Pipelines of versioned stages.

Public: `Pipeline`, `load`, `Item`, `Stage`, `find`, `Resource`.
"""
