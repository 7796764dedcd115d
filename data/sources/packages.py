"""Functions shared by the readers of names in two scripts from packages.

A pair of a reader is a name in Latin letters and a name in another script of the same thing; the
one need not spell the sound of the other. "Germany" and "Deutschland" are names of one country,
too.

>>> plain_name("Myanmar (Burma)"), plain_name("وینڈسر، کنیکٹیکٹ")
('Myanmar', 'وینڈسر')
"""

from __future__ import annotations

import re
import unicodedata

# A qualifier behind a comma or in brackets distinguishes things of one name; it is no part of it.
_QUALIFIER = re.compile(r"[,،，、(（\[].*", re.DOTALL)


def plain_name(name: str) -> str:
    """The name in NFC with single spaces, without additions after a comma or in brackets."""
    return " ".join(_QUALIFIER.sub("", unicodedata.normalize("NFC", name)).split())
