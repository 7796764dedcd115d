"""Exact n best outputs by sums over their paths, without a beam.

Public: none; only `fst.joint` imports it.
"""
