"""Treebanks taken to another language, and compared.

Public: `compare_files`, `read_treebank`.
"""
