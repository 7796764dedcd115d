"""Letter to sound by conditional random fields.

Public: `CrfModel`, `CrfOptions`, `fit_crf`.
"""
