"""Files that verbs read and write: lexicons, tables, messages, paths."""
