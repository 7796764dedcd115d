"""Joint models composed with a transducer of a script and with a prior over words.

Public: `model.ComposedModel`; `Vocabulary` and `vocabulary_of` of `vocabulary`; `LetterModel` and
`train_letters` of `letters`; `fit_prior` of `tuning`.
"""
