"""The stages that come with glyphone, one idea a file.

Public: none; stages are found by their versioned names.
"""
