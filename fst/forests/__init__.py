"""Packed and-or forests of trees.

Public: `Forest`, `ForestBuilder` and `Choice` of `forest`; `weighted.WeightedForest`; `of_ngrams`,
`of_bigrams` and `of_acceptor` of `automata`.
"""
