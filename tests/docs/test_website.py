"""The site of `make docs`: every link leads somewhere, and Sphinx has no warning."""

from __future__ import annotations

import doctest
import posixpath
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

from docs.website import markdown, pages, reference, verbs
from docs.website.__main__ import write_pages
from glyphone.cli import JOBS, VERBS
from tests.docs.pages import ROOT

SITE = cache(pages.all_pages)
# Resources that a browser loads when it opens a page, in HTML and in style sheets.
LOADED = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*?\bsrc=["']?((?:https?:)?//[^"'\s>]+)
    |<link\b(?=[^>]*\brel=["']?(?:stylesheet|preconnect|preload|icon))[^>]*href=["']?((?:https?:)?//[^"'\s>]+)
    |url\(\s*["']?((?:https?:)?//[^)]+)
    |@import\s+["']((?:https?:)?//[^"']+)""",
    re.X,
)


def without_code(page: str) -> str:
    page = re.sub(r"^```.*?^```$", "", page, flags=re.M | re.S)
    page = re.sub(r"^    .*$", "", page, flags=re.M)
    return re.sub(r"`+[^`\n]+`+", "code", page)


def links_of(page: str) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", without_code(page))


def anchors_of(page: str) -> list[str]:
    """Anchors of headings, made as GitHub and Sphinx make them."""
    headings = re.findall(
        r"^#{1,3} (.+)$", re.sub(r"^```.*?^```$", "", page, flags=re.M | re.S), re.M
    )
    plain = [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]
    seen: Counter[str] = Counter()
    found = []
    for anchor in plain:
        found.append(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
        seen[anchor] += 1
    return found


def dead_links(site: dict[str, str]) -> Iterator[str]:
    anchors = {path: {*anchors_of(text)} for path, text in site.items()}
    for path, text in site.items():
        for link in links_of(text):
            target, _, anchor = link.partition("#")
            if target.startswith(("http://", "https://", "mailto:")):
                continue
            place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            place = place if target else path
            if place not in site or (anchor and anchor not in anchors[place]):
                yield f"{path}: {link}"


def test_no_link_is_dead() -> None:
    assert sum(len(links_of(text)) for text in SITE().values()) > 500
    assert [*dead_links(SITE())] == []


def test_dead_links_are_found() -> None:
    site = {
        "a.md": "# A\n[1](docs/b.md#b-x) [2](docs/b.md#c) [3](c.md) [4](#a) `[5](x)` [`6`](d.md)",
        "docs/b.md": "# `b` x\n\n[a](../a.md) [b](a.md)\n\n```\n# c\n```\n",
    }
    assert [*dead_links(site)] == [
        "a.md: docs/b.md#c",
        "a.md: c.md",
        "a.md: d.md",
        "docs/b.md: a.md",
    ]


def test_every_page_is_in_the_navigation() -> None:
    told = {"index.md"}
    for path, text in SITE().items():
        for block in re.findall(r"^```\{toctree\}$(.*?)^```$", text, re.M | re.S):
            names = re.findall(r"<(.+)>$", block, re.M)
            found = [posixpath.join(posixpath.dirname(path), f"{name}.md") for name in names]
            assert told.isdisjoint(found)
            told |= {*found}
    assert told == {path for path in SITE() if path.endswith(".md")}


def test_guides_are_the_files_of_the_project() -> None:
    for path in [*(ROOT / "docs").glob("*.*"), ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        assert SITE()[path.relative_to(ROOT).as_posix()] == path.read_text("utf-8")
    readme = (ROOT / "README.md").read_text("utf-8")
    assert SITE()["index.md"].startswith(readme)
    assert len(pages.guide_groups(readme)) == 10


def test_every_verb_has_its_help() -> None:
    for verb in VERBS:
        page = SITE()[f"verbs/{verb}.md"]
        assert f"usage: glyphone {verb}" in page
        assert "\x1b" not in page
    assert "usage: glyphone treebank transfer" in SITE()["verbs/treebank.md"]
    assert "--order" in SITE()["verbs/train.md"]  # of one kind of model
    assert all(f"## {job.capitalize()}" in SITE()["verbs/index.md"] for job in JOBS)


def test_public_names_are_found_and_defined() -> None:
    """The reference raises a LookupError for a name that is gone from its package."""
    names = {
        f"{package}.{public.name}": public
        for package in reference.packages()
        for public in reference.public_names(package)
    }
    assert len(names) > 200
    homes = {
        "glyphone.load": "glyphone.catalog.loading",
        "glyphone.data.GlyphoneError": "glyphone.data.errors",
        "glyphone.fst.rules.cascade": "glyphone.fst.rules.cascade",
        "glyphone.fst.joint.save": "glyphone.fst.joint.file",
    }
    assert {name: names[name].module for name in homes} == homes
    with pytest.raises(LookupError, match="calls `gone` public"):
        reference.resolve("glyphone.fst.rules", "gone", [])


def test_packages_with_modules_say_what_is_public() -> None:
    """Languages with grammars are all alike, and the whole package has `__all__`."""
    modules = reference.HOUSE.modules
    packages = {name.rpartition(".")[0] for name in modules}
    ours = [
        name
        for name in packages & {*modules} - {"glyphone"}
        if not name.startswith("glyphone.grammars")
    ]
    assert len(ours) > 50
    assert [name for name in sorted(ours) if "Public: " not in reference.docstring(name)] == []


def test_a_class_has_its_fields_and_methods() -> None:
    page = SITE()["reference/data/glyphone.data.md"]
    assert "## class `Hypothesis`" in page
    assert "from glyphone.data.records import Hypothesis" in page
    assert "    posterior: float" in page
    assert "### `Model.nbest`" in SITE()["reference/fst/glyphone.fst.interface.md"]


def test_an_error_has_its_kinds() -> None:
    assert "- `ItemError`: " in SITE()["reference/data/glyphone.data.md"]


@pytest.mark.parametrize("module", [markdown, pages, reference, verbs])
def test_examples(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


def test_resources_from_elsewhere_are_found() -> None:
    page = "<a href=\"https://x.org\"><script src='https://y.org/z.js'></script>"
    page += '<link href="//z.org/a.css" rel="stylesheet">'
    assert ["".join(found) for found in LOADED.findall(page)] == [
        "https://y.org/z.js",
        "//z.org/a.css",
    ]


@pytest.mark.skipif(
    not all(map(find_spec, ("sphinx", "myst_parser", "furo"))), reason="needs the extra docs"
)
def test_sphinx_builds_the_site_and_fetches_nothing(tmp_path: Path) -> None:
    write_pages(tmp_path / "pages")
    settings = ["-qW", "--keep-going", "-c", str(ROOT / "docs" / "website")]
    folders = ["-d", str(tmp_path / "trees"), str(tmp_path / "pages"), str(tmp_path / "site")]
    words = [sys.executable, "-m", "sphinx", *settings, *folders]
    ran = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    built = [*(tmp_path / "site").rglob("*.html"), *(tmp_path / "site").rglob("*.css")]
    assert len(built) > len(SITE())
    loaded = {path.name: LOADED.findall(path.read_text("utf-8")) for path in built}
    assert {name: found for name, found in loaded.items() if found} == {}
