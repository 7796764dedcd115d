"""Treebanks: reading, comparison, transfer to another language, and pictures.

Public: `compare_files` of `compare`; `read_treebank` of `reading`.
"""
