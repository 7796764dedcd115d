"""Decision trees compiled into transducers.

Public: `save`, `model_of`.
"""
