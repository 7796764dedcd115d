"""Models of every kind that answers or compares, loaded by name: `glyphone.load`.

>>> load("spa.letter_to_sound:CASTILIAN")("hola").output
'ˈ o l a'
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from glyphone.catalog import names as catalog_names

if TYPE_CHECKING:
    from glyphone.fst.interface.model import Model


def load(name: str | Path) -> Model | Any:
    """The model or transducer of a name, ready to answer, or the matcher, ready to compare names
    (`glyphone.learners.matching.matcher.NameMatcher`)."""
    path = catalog_names.file_of(name)
    if path is not None:
        kind = catalog_names.kind_of(name)
        if not kind.answers and kind.compares:
            return kind.load_model(str(name))
    return catalog_names.load(name)
