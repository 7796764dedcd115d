"""Taggers and entity recognisers, trained on columns and applied to them.

Public: `train_file`, `tag_file`, `convert_tagger`.
"""
