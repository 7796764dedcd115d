"""Pairs of names made to learn from: names of people put together from groups of spellings, names
of companies from words, places and legal forms, and what people write instead of them.

Public: `make_pairs` (`pairs`).
"""
