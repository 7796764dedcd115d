"""Joint models composed with a transducer of a script and with a prior over words.

Public: `ComposedModel`, `Vocabulary`, `vocabulary_of`, `LetterModel`.
"""
