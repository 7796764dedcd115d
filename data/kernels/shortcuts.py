"""Shortcuts through numba's compiler: it does the same with less work.

Each was measured on the kernels that answer words by a joint model (`benchmarks/compiling.py`), and
each holds only while a kernel is being compiled, which one thread at a time does.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from functools import cache
from typing import Any

from numba.core.base import BaseContext
from numba.core.compiler import Flags
from numba.core.runtime.context import NRTContext
from numba.extending import overload
from numba.np import arrayobj

DEFAULTS = {name: option.default for name, option in Flags.options.items()}


@contextlib.contextmanager
def shortcuts() -> Iterator[None]:
    with (
        swapped(Flags, "values", values),
        swapped(NRTContext, "get_meminfos", references),
        swapped(BaseContext, "get_abi_sizeof", size),
        swapped(BaseContext, "get_abi_alignment", alignment),
        swapped(arrayobj, "raise_with_shape_context", refuse),
        uncollected(),
    ):
        yield


@contextlib.contextmanager
def swapped(owner: Any, name: str, value: Any) -> Iterator[None]:
    """While this holds, an attribute has another value.

    >>> class One: number = 1
    >>> with swapped(One, "number", 2): One.number
    2
    >>> One.number
    1
    """
    inherited, usual = name not in vars(owner), getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        if inherited:
            delattr(owner, name)
        else:
            setattr(owner, name, usual)


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """No looks for garbage, which take a tenth of a compiler's time and find little."""
    usual = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if usual:
            gc.enable()


def values(flags: Flags) -> dict[str, Any]:
    """All options with their values, which numba compares a hundred thousand times."""
    return {**DEFAULTS, **flags._values}


def references(self: NRTContext, builder: Any, kind: Any, value: Any) -> list[tuple[Any, Any]]:
    """The references in a value that must be counted.

    numba takes values apart down to the length of each array, for LLVM to throw most of it away.
    """
    models = self._context.data_model_manager
    model = models[kind]
    found = [(kind, model.get_nrt_meminfo(builder, value))] if model.has_nrt_meminfo() else []
    for member, part_of in model.traverse(builder):
        if has_references(models, member):
            found += references(self, builder, member, part_of(value))
    return found


@cache
def has_references(models: Any, kind: Any) -> bool:
    return bool(models[kind].contains_nrt_meminfo())


def size(self: BaseContext, kind: Any) -> int:
    """The bytes that values of a type take; numba would write and read a module for each answer."""
    return size_of(self.target_data, str(kind), kind)[0]


def alignment(self: BaseContext, kind: Any) -> int:
    """The alignment of values of a type, in bytes."""
    return size_of(self.target_data, str(kind), kind)[1]


SIZES = {}
def size_of(target_data: Any, name: str, kind: Any) -> tuple[int, int]:
    if name not in SIZES:
        SIZES[name] = kind.get_abi_size(target_data), kind.get_abi_alignment(target_data)
    return SIZES[name]


def refuse(shape: Any, room: Any) -> None:
    """Raises where an array is assigned to a slice of another shape.

    numba's own message tells both, for which it compiles half of what Python strings can do.
    """


@overload(refuse)
def refused(shape: Any, room: Any) -> Any:
    def raise_(shape: Any, room: Any) -> None:
        raise ValueError("an array is assigned to a slice of another shape")

    return raise_
