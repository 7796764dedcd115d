"""The grammars that come with glyphone, and where their compiled archives lie.

>>> "spa.letter_to_sound" in grammar_names()
True
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import glyphone.grammars
from glyphone.data.errors import NotInstalled

if TYPE_CHECKING:
    from glyphone.fst.transducers.model import TransducerModel

SOURCES = Path(glyphone.grammars.__path__[0])


# Archives lie beside the grammars in an installed package, and under build/ in a checkout.
ARCHIVES = (SOURCES, SOURCES.parent / "build")


def grammar_names() -> list[str]:
    """The grammars that come with glyphone: modules two levels deep, not beginning with _."""
    paths = SOURCES.glob("*/[!_]*.py")
    return sorted(f"{path.parent.name}.{path.stem}" for path in paths)


def archive_of(grammar: str) -> Path | None:
    """Where the archive of a grammar lies, if it has been compiled."""
    return built(grammar, ".far")


def built(name: str, suffix: str) -> Path | None:
    relative = Path(*name.split(".")).with_suffix(suffix)
    return next((root / relative for root in ARCHIVES if (root / relative).is_file()), None)


def load_rule(name: str) -> TransducerModel:
    """A rule of a grammar that comes with glyphone, from the archive compiled from it.

    >>> load_rule("spa.letter_to_sound:CASTILIAN")("hola").output
    'ˈ o l a'
    """
    from glyphone.fst.transducers import (
        archive,  # which takes longer to import than a model to load
    )

    grammar, _, rule = name.partition(":")
    found = archive_of(grammar)
    if found is None:
        raise NotInstalled(f"{grammar} is not compiled yet", remedy="make grammars")
    return archive.load(found, rule or None)
