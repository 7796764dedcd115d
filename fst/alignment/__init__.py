"""Pairs of strings cut into units, by expectation maximisation."""
