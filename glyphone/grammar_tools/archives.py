"""The grammars that come with glyphone, and the archives compiled from them.

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
    """The archive of a grammar, if it has been compiled."""
    return built_file(grammar, ".far")


def built_file(name: str, suffix: str) -> Path | None:
    """The file that `make` has made of a name, if it has: build/eng/rules.far of eng.rules."""
    relative = relative_path(name, suffix)
    return next((root / relative for root in ARCHIVES if (root / relative).is_file()), None)


def relative_path(name: str, suffix: str) -> Path:
    """The file of a name below a folder.

    >>> relative_path("eng.rules", ".far").as_posix()
    'eng/rules.far'
    """
    return Path(*name.split(".")).with_suffix(suffix)


def load_rule(name: str) -> TransducerModel:
    """A rule of a grammar that comes with glyphone, from the archive compiled from it.

    >>> load_rule("spa.letter_to_sound:CASTILIAN")("hola").output
    'ˈ o l a'
    """
    # Imported here, for it takes longer to import than a model to load.
    from glyphone.fst.transducers import archive

    grammar, _, rule = name.partition(":")
    return archive.load(compiled_archive(grammar), rule or None)


def compiled_archive(grammar: str) -> Path:
    """The archive of a grammar; NotInstalled if it has not been compiled."""
    found = archive_of(grammar)
    if found is None:
        raise NotInstalled(f"{grammar} is not compiled yet", remedy="make grammars")
    return found
