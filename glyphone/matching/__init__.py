"""Names that are one: matchers from files and in files, pairs, lists and clusters of names.

Public: `save`, `load` (`file`); `measure_file` (`measuring`).
"""
