"""Arguments that several verbs share: types of their values, and groups of options; no verbs.

Public: none; verbs import it.
"""
