"""Lattices of one input: composition, sums over paths, best paths, blocks of answers.

Public: `Lattice`, `Machine`, `NBest`, `Block`; all else are kernels.
"""
