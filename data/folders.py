"""Folders of the user, outside of every project."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """The folder of files that can be made again: in GLYPHONE_CACHE, or the cache of the system.

    >>> cache_folder().name
    'glyphone'
    """
    asked = os.environ.get("GLYPHONE_CACHE")
    if asked:
        return Path(asked) / "glyphone"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "glyphone"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "glyphone"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "glyphone"
