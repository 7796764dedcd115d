"""Weighted transducers: rules, automata, lattices, alignment, n-grams, joint models, ensembles."""
