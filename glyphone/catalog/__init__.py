"""Names of models and grammars, and whether they are installed.

Public: `load`, `model_of`, `split_name`.
"""
