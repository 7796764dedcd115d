"""All pages by their paths, and their order, which is that of README's "Where to read on"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from benchmarks.house import ROOT
from docs.website.markdown import contents, title_of
from docs.website.reference import reference_pages, room_pages
from docs.website.verbs import verb_pages

HOME = "index.md"


def all_pages() -> dict[str, str]:
    """The text of every page and picture, by paths; the first page is README and leads to all."""
    written = guides()
    home = written.pop("README.md")
    generated = {**verb_pages(written), **reference_pages()}
    return {HOME: home + navigation(home, written), **written, **pictures(), **generated}


def guides() -> dict[str, str]:
    """The pages that people have written, at the paths that they have in the project."""
    return texts([*ROOT.glob("*.md"), *sorted((ROOT / "docs").glob("*.md"))])


def pictures() -> dict[str, str]:
    return texts(sorted((ROOT / "docs").glob("*.svg")))


def texts(paths: Iterable[Path]) -> dict[str, str]:
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}


def navigation(readme: str, written: dict[str, str]) -> str:
    """Lists of pages under captions: guides as README groups them, verbs, and the reference."""
    groups = guide_groups(readme)
    told = {path for group in groups.values() for path in group.values()}
    rest = {title_of(text): path for path, text in written.items() if path not in told}
    groups["Figures and changes"] = rest
    groups["Verbs and reference"] = {"Verbs": "verbs/index.md"}
    groups["Verbs and reference"] |= {f"Reference: {x}": path for x, path in room_pages().items()}
    return "".join(contents(pages, caption) for caption, pages in groups.items())


def guide_groups(readme: str) -> dict[str, dict[str, str]]:
    """The rows of "Where to read on" that have links: pages by their names.

    >>> guide_groups("## Where to read on\\n\\n| to | read |\\n|---|---|\\n| go | [on](x.md) |")
    {'Go': {'On': 'x.md'}}
    """
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", readme.split("## Where to read on")[1], re.M)
    return {
        upper_first(goal): {upper_first(name): path for name, path in links}
        for goal, cell in rows
        if (links := re.findall(r"\[([^]]+)\]\(([^)]+)\)", cell))
    }


def upper_first(text: str) -> str:
    return text[0].upper() + text[1:]
