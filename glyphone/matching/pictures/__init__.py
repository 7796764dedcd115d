"""Pictures of two names compared: their words, the trigrams of these, and what speaks for one name.

Public: `picture_of_match` of `match`.
"""
