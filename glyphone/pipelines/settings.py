"""The settings of a stage: which there are, and of which values.

They are the fields of its dataclass, and of the types in `glyphone.data.fields`; a field that is
annotated with a `Resource` names a thing that is loaded.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, get_args

from glyphone.data.fields import Reference, read_setting, setting_types
from glyphone.fst.storage.container import Contents, FilePath, checksum


class Resource(Reference, ABC):
    """A kind of object that a setting names: how it is found, loaded, and put into a file."""

    @abstractmethod
    def find(self, name: str, folder: Path) -> str:
        """The name with which it can be loaded, or a GlyphoneError if there is no such thing.

        Names of files are relative to the folder of the pipeline; nothing is loaded yet.
        """

    @abstractmethod
    def load(self, name: str) -> Any: ...

    @abstractmethod
    def pack(self, value: Any, prefix: str) -> Contents:
        """The object as the contents of a file, arrays and blobs under a prefix."""

    def fingerprint(self, value: Any) -> str:
        """A checksum of the contents."""
        return checksum(self.pack(value, ""))

    @abstractmethod
    def unpack(self, contents: Contents, prefix: str, path: FilePath | None) -> Any: ...


def resources_of(stage: type) -> dict[str, Resource]:
    """The settings of a class of stages that are loaded, or may be None."""
    return {
        name: part
        for name, kind in setting_types(stage).items()
        for one in (kind, *get_args(kind))
        for part in getattr(one, "__metadata__", ())
        if isinstance(part, Resource)
    }


def check_settings(stage: Any) -> None:
    """Refuses a stage that was made with settings that no file could give it."""
    kind: type = type(stage)
    for name, type_ in setting_types(kind).items():
        if name not in resources_of(kind):
            read_setting(name, getattr(stage, name), type_)


def settings_fingerprints(stage: Any) -> dict[str, Any]:
    """The settings of a stage, with the fingerprints of those that are loaded."""
    kind: type = type(stage)
    values = {name: getattr(stage, name) for name in setting_types(kind)}
    for name, resource in resources_of(kind).items():
        if values[name] is not None:
            values[name] = resource.fingerprint(values[name])
    return values
