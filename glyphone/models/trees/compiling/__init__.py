"""Decision trees compiled into transducers.

Public: `compile_model`, `model_of`.
"""
