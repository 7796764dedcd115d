"""The folder of machine code: one for each user, shared by all checkouts.

>>> describe_cache().endswith("MiB")
True
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from glyphone.data.folders import cache_folder

SUFFIX = ".nbc"
MIB = 1 << 20


@cache
def kernel_folder() -> Path | None:
    """The folder of machine code, or None if it cannot be written to."""
    asked = os.environ.get("NUMBA_CACHE_DIR")
    folder = (Path(asked) if asked else cache_folder()) / "kernels"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def cache_entries() -> list[Path]:
    """All entries of the cache."""
    folder = kernel_folder()
    return [] if folder is None else sorted(folder.glob(f"*{SUFFIX}"))


def describe_cache() -> str:
    """The folder, the number of kernels in it and their size; without a folder, a remedy."""
    folder = kernel_folder()
    if folder is None:
        return "not kept, as no folder can be written to: set GLYPHONE_CACHE to one"
    sizes = [path.stat().st_size for path in cache_entries()]
    return f"{folder}: {len(sizes)} kernels, {sum(sizes) / MIB:.1f} MiB"
