"""The errors that glyphone raises, all of one family.

>>> issubclass(ItemError, GlyphoneError)
True
"""

from glyphone.data.errors import (
    CycleError,
    FormatError,
    GlyphoneError,
    ItemError,
    NoOutput,
    NotInstalled,
    RuleError,
    UnknownName,
)

__all__ = [
    "CycleError",
    "FormatError",
    "GlyphoneError",
    "ItemError",
    "NoOutput",
    "NotInstalled",
    "RuleError",
    "UnknownName",
]
