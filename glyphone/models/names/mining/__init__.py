"""Pairs of names, mined from packages.

Public: `MineJob`, `mine_file`.
"""
