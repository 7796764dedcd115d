"""Ensembles: several models propose outputs, all score them, a reranker decides.

Public: `model.EnsembleModel`, `members.EnsembleOptions`, `training.fit_ensemble`; `Judge`,
`Proposer` and `Teacher` of `judges`; `save` and `load` of `file`.
"""
