"""Annotated sentences: CoNLL, CoNLL-U and brackets, and operations on their trees.

Public: `Sentence`, `Word`, `read_conll`, `read_conllu`, `write_conll`, `write_conllu`,
`read_trees`, `write_trees`, `Phrase`.
"""
