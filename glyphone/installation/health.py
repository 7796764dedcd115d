"""The state of an installation: packages, grammars and models, with remedies.

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
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from glyphone.catalog import defaults as catalog_defaults
from glyphone.catalog import names as catalog_names
from glyphone.data.errors import GlyphoneError
from glyphone.data.kernels import cache_folder
from glyphone.data.version import VERSION
from glyphone.fst.transducers import archive
from glyphone.grammar_tools import archives
from glyphone.models.kinds import resolve_name

NEEDED = ("numpy", "numba", "regex", "tqdm")
OPTIONAL = {
    "pynini": "to compile grammars: pip install pynini (Linux x86-64; elsewhere use archives "
    "compiled there)",
    "resvg-py": 'to draw PNG: pip install "glyphone[draw]"',
}


@dataclass(frozen=True)
class Finding:
    name: str
    found: str
    remedy: str
    needed: bool = False

    def __str__(self) -> str:
        if self.found:
            return f"  ok       {self.name} {self.found}"
        return f"  missing  {self.name}: {self.remedy}"


@dataclass(frozen=True)
class HealthReport:
    head: str
    packages: list[Finding]
    grammars: list[Finding]
    models: list[Finding]
    kernels: str

    @property
    def sound(self) -> bool:
        """Whether everything that is needed is there."""
        return all(finding.found for finding in self.packages if finding.needed)

    def __str__(self) -> str:
        rows = [self.head, "packages", *map(str, self.packages), "grammars"]
        rows += map(str, self.grammars)
        if not self.grammars:
            rows.append("  missing  no grammar comes with this installation: reinstall glyphone")
        rows += ["models", *map(str, self.models)]
        rows += ["machine code", f"  {self.kernels}"]
        return "\n".join(rows)


def examine_installation() -> HealthReport:
    head = (
        f"glyphone {VERSION}, Python {platform.python_version()}, "
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    )
    packages = [examine_package(name, f"pip install {name}", needed=True) for name in NEEDED]
    packages += [examine_package(name, remedy) for name, remedy in OPTIONAL.items()]
    grammars = [examine_grammar(name) for name in archives.grammar_names()]
    models = [examine_model(name) for name in catalog_defaults.OTHERS]
    return HealthReport(head, packages, grammars, models, cache_folder.describe_cache())


def examine_package(name: str, remedy: str, *, needed: bool = False) -> Finding:
    """A package counts as found if it can be imported, which a half removed one cannot."""
    try:
        version = metadata.version(name) if is_importable(name.replace("-", "_")) else ""
    except metadata.PackageNotFoundError:
        version = ""
    return Finding(name, version, remedy, needed)


def is_importable(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ValueError:  # blocked in sys.modules
        return False


def examine_grammar(name: str) -> Finding:
    path = archives.archive_of(name)
    if path is None:
        return Finding(name, "", "not compiled: make grammars, or reinstall glyphone")
    try:
        rules = ", ".join(archive.rules_of(path))
    except GlyphoneError as error:
        return Finding(name, "", f"{error}; compile it again")
    return Finding(name, f"({rules}) in {short_path(path)}", "")


def examine_model(name: str) -> Finding:
    path = catalog_names.model_of(name)
    if path is None:
        return Finding(name, "", catalog_defaults.training_command(name))
    try:
        resolve_name(catalog_names.kind_of(name).load)(name)
    except GlyphoneError as error:
        return Finding(name, "", f"{error}; train it again")
    return Finding(name, f"in {short_path(path)}", "")


def short_path(path: Path) -> str:
    """A path as short as it can be said from here."""
    relative = os.path.relpath(path)
    if relative.startswith(".."):
        return str(path).replace(sys.prefix, "…", 1)
    return relative
