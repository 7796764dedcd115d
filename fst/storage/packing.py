"""Saving and loading for models of every kind, and columns of numbers.

A kind turns a model into the contents of a file and contents into a model. A model that holds other
models packs each of them under a prefix: `units/targets` becomes `members/0/units/targets`, and
its manifest holds theirs.

>>> import tempfile
>>> def pack(numbers, prefix):
...     return Contents("list", {}, {f"{prefix}numbers": smallest_unsigned(numbers)})
>>> def unpack(contents, prefix, path):
...     return unsigned_column(contents.arrays, f"{prefix}numbers").tolist()
>>> lists = Packing(
...     kind="list",
...     what="list",
...     pack=pack,
...     unpack=unpack,
...     problem_of=lambda model: None if model else "it is empty",
... )
>>> path = tempfile.mkdtemp() + "/list.glyphone"
>>> lists.save(np.array([3, 1]), path)
>>> lists.load(path)
[3, 1]
>>> lists.from_contents(Contents("list", {}, {"numbers": np.zeros(0, np.uint8)}))
Traceback (most recent call last):
glyphone.data.errors.FormatError: is no list: it is empty (copy it again ...)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.fst.storage import container as storage_container
from glyphone.fst.storage.container import REMEDY, Contents, FilePath

Model = TypeVar("Model")
Array = NDArray[Any]


@dataclass(frozen=True, kw_only=True)
class Packing(Generic[Model]):
    """The functions that pack and unpack models of one kind.

    `pack(model, prefix)` and `unpack(contents, prefix, path)` put arrays under the prefix and take
    them from there. `problem_of` describes a contradiction between parts that are sound each by
    itself, or returns None. `what` names such a model in errors.
    """

    kind: str
    what: str
    pack: Callable[[Model, str], Contents]
    unpack: Callable[[Contents, str, FilePath | None], Model]
    problem_of: Callable[[Model], str | None]

    def save(self, model: Model, path: FilePath) -> None:
        """Write a model file; equal models give equal bytes."""
        storage_container.write(path, self.pack(model, ""))

    def load(self, path: FilePath) -> Model:
        """The model in a file, which answers as the saved one did."""
        return self.from_contents(storage_container.read(path, kinds=[self.kind]), path=path)

    def from_contents(
        self, contents: Contents, prefix: str = "", *, path: FilePath | None = None
    ) -> Model:
        """The model of a manifest and of the arrays under a prefix; `path` is for errors."""
        try:
            model = self.unpack(contents, prefix, path)
            problem = self.problem_of(model)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            problem = f"{type(error).__name__}: {error}"
        except FormatError:
            raise
        except GlyphoneError as error:  # a way of writing that no version has
            problem = error.message
        if problem:
            raise FormatError(f"is no {self.what}: {problem}", path=path, remedy=REMEDY)
        return model


def problem_of_settings(
    model: Any, ranges: Mapping[str, tuple[float, float]] = MappingProxyType({})
) -> str | None:
    """The first setting of a model that is outside of its range, or a name or description that is
    none; None if all are sound.

    >>> from types import SimpleNamespace
    >>> model = SimpleNamespace(beam=-1.0, name="tree", description={})
    >>> problem_of_settings(model), problem_of_settings(model, {"beam": (0, 9)})
    (None, 'its beam is -1.0')
    """
    for setting, (least, most) in ranges.items():
        value = getattr(model, setting)
        if type(value) not in (int, float) or not least <= value <= most:
            return f"its {setting} is {value!r}"
    if not isinstance(model.name, str) or not isinstance(model.description, dict):
        return "it has no name, or no description"
    return None


def smallest_unsigned(numbers: Array) -> Array:
    """Numbers from 0 on in the smallest unsigned type that holds them.

    >>> smallest_unsigned(np.array([0, 256])).dtype
    dtype('uint16')
    """
    greatest = int(numbers.max(initial=0))
    return numbers.astype(next(t for t in ("u1", "u2", "u4") if greatest <= np.iinfo(t).max))


def unsigned_column(arrays: Mapping[str, Array], name: str) -> Array:
    """A flat array of unsigned numbers by its name; ValueError for another type or shape."""
    column = arrays[name]
    if column.ndim != 1 or column.dtype.kind != "u":
        raise ValueError(f"{name} has shape {column.shape} and type {column.dtype}")
    return column
