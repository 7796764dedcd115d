"""Gibbs chains over forests.

Public: `Plan`, `impute`, `SamplingOptions`.
"""
