"""Models that are transducers, such as compiled cascades; archives of these; spans in text.

Public: `TransducerModel`, `save`, `load`, `rules_of`.
"""
