"""Folders of the user, outside of every project."""

from __future__ import annotations

import os
from pathlib import Path

NAME = "glyphone"


def cache_folder() -> Path:
    """The folder of files that can be made again: in GLYPHONE_CACHE, or the cache of the system.

    >>> cache_folder().name
    'glyphone'
    """
    # Imported here, for it takes as long as a few answers, and most runs need no folder.
    from platformdirs import user_cache_path

    asked = os.environ.get("GLYPHONE_CACHE")
    return Path(asked) / NAME if asked else user_cache_path(NAME, appauthor=False)


def model_folder() -> Path:
    """The folder of models that the user has trained: in GLYPHONE_DATA, or the user's data.

    >>> model_folder().name
    'models'
    """
    from platformdirs import user_data_path

    asked = os.environ.get("GLYPHONE_DATA")
    whole = Path(asked) / NAME if asked else user_data_path(NAME, appauthor=False)
    return whole / "models"
