"""Gibbs sampling of trees from forests.

Public: `ImputationPlan` and `impute` of `impute`; `SamplingOptions` of `chains`.
"""
