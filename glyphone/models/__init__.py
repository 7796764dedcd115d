"""The kinds of models that there are, in one registry, `kinds`, and what belongs to several.

Public are `glyphone.models.kinds`: `KINDS`, `Kind`, `register` and `load`.
"""
