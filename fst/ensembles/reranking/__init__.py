"""Log-linear reranking of lists of candidates.

Public: `model.Reranker`, `training_kernels.CandidateLists`; of `fitting`, `fit_shares` and
`fit_reranker`.
"""
