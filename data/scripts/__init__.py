"""Scripts of writing and romanisations as such.

Public: `script_of`, `require_script`.
"""
