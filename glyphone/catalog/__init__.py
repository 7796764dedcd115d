"""Names of models and grammars, the files that they stand for, and the default models.

Public: `load`, `find_model`, `model_of`, `split_name`.
"""
