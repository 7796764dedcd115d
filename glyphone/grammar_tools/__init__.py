"""Grammars as source: found, imported, compiled, checked."""
