"""Pronunciation lexicons in TSV: read, written, named, split.

Public: `read_lexicon`, `numbered_lexicon`, `read_table`, `write_lexicon`, `split_by_word`,
`families_of`.
"""
