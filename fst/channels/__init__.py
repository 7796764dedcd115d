"""The noisy channel of kanji names, and mixtures of n-gram models.

Public: `segmented`, `channel_of`, `noisy`, `mixed`, `with_unseen`.
"""
