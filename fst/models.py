"""Which loader reads which kind of model file.

A kind has a loader, `from_contents(contents, prefix="", *, path=None)`, in a module that is not
imported before such a file is read. What a kind adds to the format is its loader's business.

>>> kinds()
['channel', 'crf', 'ensemble', 'joint', 'names', 'tree']
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib import import_module
from typing import Any

from glyphone.fst import model_file
from glyphone.fst.answering import Answering
from glyphone.fst.model_file import Contents, FilePath

_HOMES = {
    "crf": "glyphone.crf.files",
    "ensemble": "glyphone.fst.ensemble_file",
    "joint": "glyphone.fst.joint_file",
    "channel": "glyphone.kanji.files",
    "names": "glyphone.names.files",
    "tree": "glyphone.tree_file",
}
# What is no model for itself, only a part of others.
_PARTS = {"spelling": "glyphone.fst.spelling_file"}


def kinds() -> list[str]:
    """The kinds of models that this version reads."""
    return sorted(_HOMES)


def load(path: FilePath) -> Answering:
    """The model in a file, whatever its kind."""
    return from_contents(model_file.read(path, kinds=kinds()), path=path)


def from_contents(
    contents: Contents, prefix: str = "", *, path: FilePath | None = None
) -> Answering:
    """The model of a manifest, and of the arrays under a prefix."""
    model: Answering = _home_of(contents.kind).from_contents(contents, prefix, path=path)
    return model


def to_contents(model: Any, kind: str, prefix: str = "") -> Contents:
    """The manifest and arrays of a model of a kind, these under a prefix."""
    found: Contents = _home_of(kind).to_contents(model, prefix)
    return found


def part_of(
    row: Mapping[str, Any],
    arrays: Mapping[str, Any],
    prefix: str,
    *,
    what: str,
    kinds: Collection[str],
    path: FilePath | None,
) -> Any:
    """A model inside another, by its row of the manifest: `what` it is, and of which kinds."""
    if row["kind"] not in kinds:
        raise ValueError(f"it has a {what} of the kind {row['kind']!r}")
    return from_contents(Contents(row["kind"], row["model"], arrays), prefix, path=path)


def part_to_dict(contents: Contents) -> dict[str, Any]:
    """Such a row."""
    return {"kind": contents.kind, "model": dict(contents.manifest)}


def _home_of(kind: str) -> Any:
    return import_module((_HOMES | _PARTS)[kind])
