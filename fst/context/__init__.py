"""Log-linear models of a unit given its context: windows of letters, histories of units.

Public: `WindowModel`, `fit_windows`, `HistoryModel`, `fit_histories`, `find_vowels`.
"""
