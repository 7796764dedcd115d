"""Names into scripts and out of them.

Public: `NameModel`, `Language`, `find_language`, `fit_names`.
"""
