"""Japanese names: kanji restored, and read.

Public: `KanjiModel`, `KanjiOptions`, `fit_kanji`.
"""
