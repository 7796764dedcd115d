"""Grammars as source: found, imported, compiled, checked.

Public: `grammar`, `compile_grammar`, `check`.
"""
