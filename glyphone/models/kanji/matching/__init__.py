"""Whether two Japanese names are one.

Public: `Matcher`, `Match`, `match_file`.
"""
