"""The kinds of models, each in a folder of its own, and their registry.

Public: `KINDS`, `explain`.
"""
