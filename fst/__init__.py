"""Weighted transducers: rules, automata, lattices, alignment, n-grams, joint models, ensembles.

Public: none of its own; `backend` is the one place where pynini is imported.
"""
