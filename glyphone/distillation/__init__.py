"""A small model that answers as a large one does.

Public: `distill`, `distill_file`.
"""
