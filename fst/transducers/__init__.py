"""Compiled cascades that answer; archives of them; spans found in text.

Public: `TransducerModel`, `save`, `load`.
"""
