"""Kernels in two tiers: plain Python for the first words, machine code for the rest.

Compiling the kernels takes seconds on a new machine, so a single word should never wait for it.
Every kernel module is plain Python that runs as it stands; `compiled` imports a second copy of it
in which the decorator is numba's. Both copies compute the same numbers, and a test says so.

>>> @kernel
... def double(x): return 2 * x
>>> double(3)
6
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import threading
from collections.abc import Callable, Set
from types import ModuleType
from typing import Any, Literal, TypeVar, cast

# Symbols that plain Python works through, in all, before compiling is worth its wait.
PLAIN_BUDGET = 20_000

Function = TypeVar("Function", bound=Callable[..., Any])

# A flag that kernels ask by `is not None`: where it is None, code behind it is not even compiled.
Flag = Literal[True] | None

COMPILED = "_compiled"
_lock = threading.RLock()
_worked = 0


def kernel(function: Function) -> Function:
    """A function over arrays only, which numba compiles in the compiled copy of its module."""
    return prepare(function, inline="never")


def leaf(function: Function) -> Function:
    """A kernel that makes no arrays and gives none back.

    References to arrays that it is given need no counting: counted in a small function, on entry
    and on return, they take longer than its work, for both wait until all other cores know of it.
    """
    return prepare(function, inline="never", counting=False)


def fused(function: Function) -> Function:
    """A leaf in which a product that is added to something is not rounded before."""
    return prepare(function, inline="never", counting=False, loose={"contract"})


def summing(function: Function) -> Function:
    """A leaf that may also add up the terms of a sum in any order, and so many at a time."""
    loose = {"contract", "reassoc", "nsz"}
    return prepare(function, inline="never", counting=False, loose=loose)


def inlined(function: Function) -> Function:
    """A kernel that is put into those that call it.

    Handing a model of two dozen arrays to a function takes longer than a small function does.
    """
    return prepare(function, inline="always")


def prepare(
    function: Function,
    *,
    inline: Literal["never", "always"],
    counting: bool = True,
    loose: Set[str] = frozenset(),
) -> Function:
    if not function.__module__.endswith(COMPILED):
        return function
    from glyphone.data.kernels import bundles, cache

    options: Any = {
        "nopython": True,
        "boundscheck": None,
        "nogil": True,
        "inline": inline,
        "_nrt": counting,
        "fastmath": {*loose} or False,
    }
    dispatcher = bundles.dispatcher_of(function, options)
    cache.use_cache(dispatcher)
    return cast(Function, dispatcher)


def compiled(module: ModuleType) -> ModuleType:
    """The copy of a kernel module in which every kernel is compiled at its first call."""
    name = module.__name__ + COMPILED
    with _lock:
        if name not in sys.modules:
            assert module.__file__ is not None
            spec = importlib.util.spec_from_file_location(name, module.__file__)
            assert spec is not None and spec.loader is not None
            copy = importlib.util.module_from_spec(spec)
            sys.modules[name] = copy
            try:
                spec.loader.exec_module(copy)
            except BaseException:
                del sys.modules[name]
                raise
        return sys.modules[name]


def sibling(importer: str, name: str) -> ModuleType:
    """A kernel module for use in another: the compiled copy where the importer is one."""
    module = importlib.import_module(name)
    return compiled(module) if importer.endswith(COMPILED) else module


def end_plain_tier() -> None:
    """Leave plain Python: from here on compiled kernels do all work."""
    global _worked
    _worked = PLAIN_BUDGET + 1


def tier(module: ModuleType, work: int) -> ModuleType:
    """The copy of a kernel module for some more work, counted in symbols."""
    global _worked
    _worked += work
    return compiled(module) if _worked > PLAIN_BUDGET else module
