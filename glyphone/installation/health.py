"""The state of an installation: packages, grammars, models and caches, with remedies.

>>> print(Finding("numba", "0.61", ""))
  ok       numba 0.61
>>> print(Finding("pynini", "", "pip install pynini"))
  missing  pynini: pip install pynini
"""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from glyphone.catalog import defaults as catalog_defaults
from glyphone.catalog import names as catalog_names
from glyphone.data import folders
from glyphone.data.errors import GlyphoneError
from glyphone.data.kernels import cache_folder
from glyphone.data.version import VERSION
from glyphone.fst.storage import container
from glyphone.fst.transducers import archive
from glyphone.grammar_tools import archives

NEEDED = (
    *("anyascii", "numpy", "numba", "platformdirs", "rapidfuzz", "regex", "tqdm"),
    *("scikit-learn", "scipy", "threadpoolctl"),
)
PYNINI = (
    "to compile grammars: pip install pynini (Linux x86-64; elsewhere use archives compiled there)"
)
# Of each extra, the work that it is for, and its packages: a test compares with pyproject.toml.
EXTRAS = {
    "draw": ("pictures as PNG", ("resvg-py",)),
    "parquet": ("Parquet files", ("pyarrow",)),
}
IMPORTED_AS = {"scikit-learn": "sklearn"}
WIDTH = 80
INDENT = " " * 11


@dataclass(frozen=True)
class Finding:
    """Something with its version or place if it is `found`, else with a remedy; size in bytes."""

    name: str
    found: str
    remedy: str
    needed: bool = False
    size: int = 0

    def __str__(self) -> str:
        if self.found:
            return f"  ok       {self.name} {self.found}"
        return f"  missing  {self.name}: {self.remedy}"


@dataclass(frozen=True)
class HealthReport:
    head: str
    packages: list[Finding]
    extras: list[Finding]
    grammars: list[Finding]
    models: list[Finding]
    caches: list[str]
    slow: str = ""

    @property
    def sound(self) -> bool:
        """Whether everything that is needed is there."""
        return all(finding.found for finding in self.packages if finding.needed)

    def __str__(self) -> str:
        return self.page()

    def page(self, *, in_full: bool = False) -> str:
        """The report, with a row for each grammar and model if it is `in_full`."""
        summary = [*map(str, self.grammars)] if in_full else summarise_grammars(self.grammars)
        if not self.grammars:
            summary = ["  missing  no grammar comes with this installation: reinstall glyphone"]
        models = [*map(str, self.models)] if in_full else summarise_models(self.models)
        parts: dict[str, Iterable[str]] = {
            self.head: [],
            "packages": [*summarise_packages(self.packages), *filter(None, [self.slow])],
            'extras (pip install "glyphone[all]" for all)': map(str, self.extras),
            "grammars": summary,
            "models": models,
            "caches (made again when they are removed)": [f"  {cache}" for cache in self.caches],
        }
        return "\n".join(row for title, rows in parts.items() for row in (title, *rows))


def examine_installation() -> HealthReport:
    head = (
        f"glyphone {VERSION}, Python {platform.python_version()}, "
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    )
    packages = [examine_package(name, f"pip install {name}", needed=True) for name in NEEDED]
    packages.append(examine_package("pynini", PYNINI))
    return HealthReport(
        head,
        packages,
        [examine_extra(extra) for extra in EXTRAS],
        [examine_grammar(name) for name in archives.grammar_names()],
        [examine_model(name) for name in catalog_defaults.default_names()],
        [cache_folder.describe_cache(), *describe_other_caches()],
        slow_compiler() if is_importable("numba") else "",
    )


def examine_package(name: str, remedy: str, *, needed: bool = False) -> Finding:
    """A package counts as found if it can be imported, which a half removed one cannot."""
    try:
        module = IMPORTED_AS.get(name, name.replace("-", "_"))
        version = metadata.version(name) if is_importable(module) else ""
    except metadata.PackageNotFoundError:
        version = ""
    return Finding(name, version, remedy, needed)


def is_importable(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ValueError:  # blocked in sys.modules
        return False


def examine_extra(extra: str) -> Finding:
    """An extra is found if all its packages are; those that are absent are named."""
    work, packages = EXTRAS[extra]
    findings = [examine_package(name, "") for name in packages]
    absent = [finding.name for finding in findings if not finding.found]
    name = f"{extra} ({work})"
    if absent:
        return Finding(name, "", f'{", ".join(absent)}: pip install "glyphone[{extra}]"')
    return Finding(name, ", ".join(f"{found.name} {found.found}" for found in findings), "")


def slow_compiler() -> str:
    """A warning if the installed numba compiles each kernel alone; empty if it does not."""
    from glyphone.data.kernels import bundles

    version, [*known] = metadata.version("numba"), bundles.VERSIONS
    if bundles.fits(version):
        return ""
    return (
        f"  slow     numba {version}: machine code takes three times as long to compile as with "
        f'{" or ".join(known)}: pip install "numba=={known[-1]}.*"'
    )


def examine_grammar(name: str) -> Finding:
    path = archives.archive_of(name)
    if path is None:
        return Finding(name, "", "not compiled: make grammars, or reinstall glyphone")
    try:
        rules = ", ".join(archive.rules_of(path))
    except GlyphoneError as error:
        return Finding(name, "", f"{error}; compile it again")
    return Finding(name, f"({rules}) in {short_path(path)}", "", size=path.stat().st_size)


def examine_model(name: str) -> Finding:
    path = catalog_names.model_of(name)
    if path is None:
        return Finding(name, "", catalog_defaults.training_command(name))
    try:
        container.read(path)
    except GlyphoneError as error:
        return Finding(name, "", f"{error}; train it again", size=path.stat().st_size)
    return Finding(name, f"in {short_path(path)}", "", size=path.stat().st_size)


def describe_other_caches() -> list[str]:
    """The folders beside that of machine code, with their files and sizes."""
    described = []
    for folder in sorted(folders.cache_folder().glob("*/")):
        if folder != cache_folder.kernel_folder():
            sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
            described.append(f"{folder}: {len(sizes)} files, {format_size(sum(sizes))}")
    return described


def summarise_packages(packages: list[Finding]) -> list[str]:
    """One row of what is needed and there, then rows of all others."""
    found = [pack for pack in packages if pack.needed and pack.found]
    others = [str(pack) for pack in packages if pack not in found]
    row = ", ".join(f"{pack.name} {pack.found}" for pack in found)
    return [*wrap_row("  ok       ", row), *others]


def summarise_grammars(grammars: list[Finding]) -> list[str]:
    """One paragraph of those that are compiled, then a row of each other one."""
    found = [grammar for grammar in grammars if grammar.found]
    rows = [str(grammar) for grammar in grammars if not grammar.found]
    if found:
        names = ", ".join(grammar.name for grammar in found)
        rows[:0] = wrap_row("  ok       ", f"{count_and_size(found, len(grammars))}: {names}")
    return rows


def summarise_models(models: list[Finding]) -> list[str]:
    """One paragraph of those that are trained, a row of each damaged one, one of all others."""
    found, rows = [model for model in models if model.found], list[str]()
    if found:
        names = ", ".join(f"{model.name} {format_size(model.size)}" for model in found)
        rows += wrap_row("  ok       ", f"{count_and_size(found, len(models))}: {names}")
    rows += [str(model) for model in models if not model.found and model.size]
    absent = [model for model in models if not model.found and not model.size]
    if absent:
        commands = {model.remedy for model in absent}
        command = commands.pop() if len(commands) == 1 else "glyphone models train NAME, or --all"
        rows.append(f"  missing  {len(absent)} of {len(models)}: {command}")
    return rows


def count_and_size(findings: list[Finding], total: int) -> str:
    return f"{len(findings)} of {total}, {format_size(sum(found.size for found in findings))}"


def wrap_row(mark: str, text: str) -> Iterable[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=mark,
        subsequent_indent=INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def format_size(size: int) -> str:
    """A size in bytes for people.

    >>> format_size(350 << 20), format_size(3_400_000)
    ('350 MiB', '3.2 MiB')
    """
    mib = size / cache_folder.MIB
    return f"{mib:.0f} MiB" if mib >= 10 else f"{mib:.1f} MiB"


def short_path(path: Path) -> str:
    """A path as short as it can be said from here."""
    relative = os.path.relpath(path)
    if relative.startswith(".."):
        return str(path).replace(sys.prefix, "…", 1)
    return relative
