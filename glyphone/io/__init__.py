"""Files that verbs read and write: lexicons, tables, messages, paths.

Public: `LexiconFile`, `check_distinct`, `say`, `tell`, `progress`, `table`.
"""
