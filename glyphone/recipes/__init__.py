"""Recipes of the default models, which `glyphone models train` follows.

Public: `make_models` of `making`.
"""
