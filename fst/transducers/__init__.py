"""Compiled cascades that answer; archives of them; spans found in text.

Public: `Model`, `save`, `load`.
"""
