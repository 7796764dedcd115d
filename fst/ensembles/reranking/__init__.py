"""Log-linear reranking of lists of candidates.

Public: `Reranker`, `Lists`, `fit_shares`, `fit_reranker`.
"""
