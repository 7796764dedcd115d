"""Pictures of two names compared: their words, the trigrams of these, and the odds.

Public: `picture_of_match` of `match`.
"""
