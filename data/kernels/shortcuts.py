"""Shortcuts through numba's compiler: it does the same work in less time.

Each was measured on the kernels that answer words by a joint model (`benchmarks/compiling.py`), and
each holds only while a kernel is being compiled, which one thread at a time does.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from functools import cache
from typing import Any

from llvmlite.binding.ffi import lib
from numba.core.base import BaseContext
from numba.core.compiler import Flags
from numba.core.ir import Inst, Loc, Var
from numba.core.runtime.context import NRTContext
from numba.extending import overload
from numba.np import arrayobj

DEFAULTS = {name: option.default for name, option in Flags.options.items()}
# Types of the parts of a statement that hold no variable.
CONSTANTS = (str, int, float, bool, type(None), Loc)


@contextlib.contextmanager
def shortcuts() -> Iterator[None]:
    with (
        swapped(Flags, "values", option_values),
        swapped(Inst, "_rec_list_vars", variables_in),
        swapped(BaseContext, "get_abi_sizeof", type_size),
        swapped(BaseContext, "get_abi_alignment", type_alignment),
        swapped(NRTContext, "get_meminfos", references_in),
        swapped(arrayobj, "raise_with_shape_context", refuse_shape),
        # numba measures how long each call of LLVM waits for its lock.
        swapped(lib._lock, "_cblist", []),
        no_garbage_collection(),
    ):
        yield


@contextlib.contextmanager
def swapped(owner: Any, name: str, value: Any) -> Iterator[None]:
    """While this holds, an attribute has another value.

    >>> class Unit: number = 1
    >>> with swapped(Unit, "number", 2): Unit.number
    2
    >>> Unit.number
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
def no_garbage_collection() -> Iterator[None]:
    """While this holds, no garbage is collected: it takes a tenth of the time and finds little."""
    usual = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if usual:
            gc.enable()


def option_values(flags: Flags) -> dict[str, Any]:
    """All options of the compiler with their values, which numba compares 100,000 times."""
    return {**DEFAULTS, **flags._values}


def variables_in(statement: Inst, part: Any) -> list[Var]:
    """The variables in a part of a statement, from left to right.

    >>> variables_in(None, [1, {"x": ("y", 2.0)}])
    []
    """
    if isinstance(part, Inst):
        return [part] if isinstance(part, Var) else part.list_vars()
    if isinstance(part, dict):
        part = part.values()
    elif not isinstance(part, (list, tuple)):
        return []
    variables: list[Var] = []
    for inner in part:
        if type(inner) is Var:
            variables.append(inner)
        elif type(inner) not in CONSTANTS:
            variables += variables_in(statement, inner)
    return variables


def type_size(context: BaseContext, kind: Any) -> int:
    """The bytes of a value of an LLVM type."""
    return layout_of(context.target_data, str(kind), kind)[0]


def type_alignment(context: BaseContext, kind: Any) -> int:
    """The alignment of a value of an LLVM type, in bytes."""
    return layout_of(context.target_data, str(kind), kind)[1]


_layouts: dict[str, tuple[int, int]] = {}


def layout_of(target: Any, name: str, kind: Any) -> tuple[int, int]:
    """Size and alignment of a type; LLVM reads a module of text for each that it is asked for."""
    if name not in _layouts:
        _layouts[name] = kind.get_abi_size(target), kind.get_abi_alignment(target)
    return _layouts[name]


def references_in(
    context: NRTContext, builder: Any, kind: Any, value: Any
) -> list[tuple[Any, Any]]:
    """The references in a value that must be counted.

    numba takes values apart down to the length of each array, for LLVM to throw most of it away.
    """
    models = context._context.data_model_manager
    model = models[kind]
    references = [(kind, model.get_nrt_meminfo(builder, value))] if model.has_nrt_meminfo() else []
    for member, part_of in model.traverse(builder):
        if has_references(models, member):
            references += references_in(context, builder, member, part_of(value))
    return references


@cache
def has_references(models: Any, kind: Any) -> bool:
    return bool(models[kind].contains_nrt_meminfo())


def refuse_shape(shape: Any, room: Any) -> None:
    """Raise an error where an array is assigned to a slice of another shape.

    numba's own message names both shapes, for which it compiles half of what Python strings can do.
    """


@overload(refuse_shape)
def compile_refusal(shape: Any, room: Any) -> Any:
    def refuse(shape: Any, room: Any) -> None:
        raise ValueError("an array is assigned to a slice of another shape")

    return refuse
