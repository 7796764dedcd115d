"""The language of rewrite rules: parsed, interpreted, compiled, checked.

Public: `cascade`, `Cascade`, `inventory`, `respelling`, `table`, `run`, `compile_cascade`, `lint`,
`rule_pairs`.
"""
