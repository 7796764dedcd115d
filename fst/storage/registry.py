"""The module that reads and writes each kind of model, by the name of the kind.

A module has `to_contents(model, prefix)` and `from_contents(contents, prefix, *, path)`. It is
imported when a model of its kind is met. `glyphone.models.kinds` fills the table by `register`,
since most kinds are defined in folders above this one.

>>> register("joint", "glyphone.fst.joint.file")
>>> module_of("joint").KIND
'joint'
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from glyphone.data.errors import UnknownName

if TYPE_CHECKING:
    from glyphone.fst.storage.container import Contents, FilePath

_MODULES: dict[str, str] = {}


def register(kind: str, module: str) -> None:
    """Enter a kind and the name of its module."""
    _MODULES[kind] = module


def module_of(kind: str) -> Any:
    """The module of a kind, imported; UnknownName for a kind that nothing has registered."""
    if kind not in _MODULES:
        raise UnknownName("kind of model", kind, _MODULES)
    return import_module(_MODULES[kind])


def from_contents(contents: Contents, prefix: str = "", *, path: FilePath | None = None) -> Any:
    """The model of a manifest and of the arrays under a prefix."""
    return module_of(contents.kind).from_contents(contents, prefix, path=path)


def to_contents(model: Any, prefix: str = "") -> Contents:
    """The manifest of a model, and its arrays under a prefix."""
    found: Contents = module_of(model.kind).to_contents(model, prefix)
    return found


def load_part(
    row: Mapping[str, Any],
    arrays: Mapping[str, Any],
    prefix: str,
    *,
    what: str,
    kinds: Collection[str],
    path: FilePath | None,
) -> Any:
    """A model inside another, from its row of the manifest.

    `what` names it in errors; ValueError if its kind is none of `kinds`.
    """
    from glyphone.fst.storage.container import Contents

    if row["kind"] not in kinds:
        raise ValueError(f"it has a {what} of the kind {row['kind']!r}")
    return from_contents(Contents(row["kind"], row["model"], arrays), prefix, path=path)


def part_to_dict(contents: Contents) -> dict[str, Any]:
    """The row of the manifest from which `load_part` makes a model."""
    return {"kind": contents.kind, "model": dict(contents.manifest)}
