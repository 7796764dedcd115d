"""Packed and-or forests of trees.

Public: `Forest`, `ForestBuilder`, `WeightedForest`, `of_ngrams`.
"""
