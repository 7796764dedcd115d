"""Lexicons cut into units, as files.

Public: `align`, `align_file`.
"""
