"""The kinds of models, each in a folder of its own, and their registry.

Public: `KINDS`, `Kind` and `register` of `kinds`; `explain`.
"""
