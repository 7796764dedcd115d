"""Treebanks: trees of one language taken into another, and compared."""
