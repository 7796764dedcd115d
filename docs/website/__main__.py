"""Writes the pages of the site, in Markdown, into a folder: python -m docs.website build/pages."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from docs.website.pages import all_pages


def write_pages(folder: Path) -> None:
    """Writes every page; those of an earlier time go."""
    shutil.rmtree(folder, ignore_errors=True)
    for path, text in all_pages().items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
