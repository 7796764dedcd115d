"""Latent-dynamic conditional random fields: each label has hidden states of its own.

Public: `estimator.LatentCRF`; `states.describe_states`.
"""
