"""Grammars as source: found, imported, compiled, checked.

Public: `grammar_rules`, `compile_grammar`, `check_grammars`.
"""
