"""Annotated sentences: CoNLL, CoNLL-U and brackets, and operations on their trees.

Public: `Sentence`, `Word`, `read_conll`, `read_conllu`, `write_conll`, `write_conllu`,
`read_trees`, `write_trees`, `Phrase`; `crossing_words` of `dependencies`,
`constituents_of` and `sentence_from_constituents` of `spines`
"""
