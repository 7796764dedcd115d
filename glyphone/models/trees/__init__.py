"""Letter to sound by decision trees.

Public: `TreeModel`, `TreeOptions`, `fit_tree`.
"""
