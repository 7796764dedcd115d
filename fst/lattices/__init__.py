"""Lattices of one input: composition, sums over paths, best paths, blocks of answers.

Public: `Lattice`, `Machine`, `NBest`, `Block`. All other names are of kernels, but those of
`block_order`, which sorts blocks of strings.
"""
