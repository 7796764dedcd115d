"""Ensembles: several models propose, all judge, a reranker decides.

Public: `EnsembleModel`, `EnsembleOptions`, `fit_ensemble`.
"""
