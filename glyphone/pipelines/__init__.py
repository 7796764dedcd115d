"""Pipelines of versioned stages.

Public: `Pipeline`, `load`, `Item`, `Stage`, `find_stage`, `Resource`.
"""
