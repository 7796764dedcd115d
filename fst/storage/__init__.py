"""The .glyphone container and binary reading.

Public: `Contents`, `read`, `write`, `Packing`, `FilePath`, `register`.
"""
