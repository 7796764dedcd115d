"""Synthetic messages.

Public: `generate`, `GenerateJob`, `generate_file`.
"""
