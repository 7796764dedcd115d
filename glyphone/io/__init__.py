"""Input and output of verbs: lexicons, tables, messages, paths, and dependencies for make.

Public: `LexiconFile`, `check_distinct`, `print_message`, `report_errors`, `format_table`.
"""
