"""The noisy channel of kanji names, and mixtures of n-gram models.

Public: `segment_pairs`, `fit_channel`, `compose_channel`, `mix_models`, `with_unseen`.
"""
