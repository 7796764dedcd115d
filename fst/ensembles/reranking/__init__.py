"""Log-linear reranking of lists of candidates.

Public: `model.Reranker`, `training_kernels.Lists`; `fit_shares` and `fit_reranker` of `fitting`.
"""
