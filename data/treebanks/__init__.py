"""Annotated sentences: CoNLL, CoNLL-U and brackets, and operations on their trees.

Public: `Sentence`, `Word`, `read_conll`, `read_conllu`, `write_conllu`, `read_trees`, `Phrase`.
"""
