"""Which loader reads which kind of model file.

A kind has a loader, `from_contents(contents, prefix="", *, path=None)`, in a module that is not
imported before such a file is read. What a kind adds to the format is its loader's business.

>>> kinds()
['channel', 'crf', 'ensemble', 'joint', 'names', 'tree']
"""

from __future__ import annotations

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


def _home_of(kind: str) -> Any:
    return import_module(_HOMES.get(kind) or _PARTS[kind])
