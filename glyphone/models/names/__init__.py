"""Names into scripts and out of them.

Public: `NameModel`, `Language`, `find`, `fit_names`.
"""
