"""Kernels of joint models: the trellis of a string, and all that is read from it.

Public: none; `fst.joint`, `fst.composed`, `fst.ensembles`, `models.trees` and `models.kanji`
import it.
"""
