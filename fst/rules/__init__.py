"""The language of rewrite rules: parsed, interpreted, compiled, checked.

Public: `cascade`, `Cascade`, `inventory`, `respelling`, `table`.
"""
