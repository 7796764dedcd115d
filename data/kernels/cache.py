"""Machine code of kernels, kept in one folder of the user and named after its content.

The name of an entry is a digest of everything that is compiled into it: the bytecode of the kernel,
of every kernel that it calls, the numbers and types that they name, and the options of the
compiler. A second checkout, an upgrade that changes no kernel and an edit of a comment find the
entry; an edit of anything that is compiled into it does not. Entries unused for thirty days are
removed.

This module imports numba, so it is imported when the first kernel is to be compiled.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import __version__ as NUMBA_VERSION
from numba.core import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.compiler_lock import global_compiler_lock

from glyphone.data import progress
from glyphone.data.kernels import cache_folder

# The format of an entry: 3 is the machine code of a kernel together with all kernels it calls.
FORMAT = 3
DAY = 86_400.0
KEPT_DAYS = 30
OURS = __name__.partition(".")[0]


def use_cache(dispatcher: Any) -> None:
    """Make a compiled function load its machine code from the cache, and save it there."""
    if cache_folder.kernel_folder() is None:
        return
    dispatcher._cache = KernelCache(dispatcher)
    compile_alone = dispatcher.compile

    def compile_once(signature: Any) -> Any:
        # In this order: a thread that waits for another process must not be waited for by one that
        # holds the compiler.
        with (
            progress.step(f"compiling {dispatcher.py_func.__name__}"),
            global_compiler_lock,
            sole_compiler(fingerprint(dispatcher)),
        ):
            return compile_alone(signature)

    dispatcher.compile = compile_once


def remove_unused(days: float = KEPT_DAYS, *, now: float | None = None) -> int:
    """Remove the entries unused for some days, and return their number."""
    oldest = (time.time() if now is None else now) - days * DAY
    n_removed = 0
    for path in cache_folder.cache_entries():
        with contextlib.suppress(OSError):  # another process may be faster
            if path.stat().st_mtime < oldest:
                path.unlink()
                n_removed += 1
    return n_removed


class KernelCache(FunctionCache):
    """The overloads of one kernel in the cache: a file for each of its signatures."""

    def __init__(self, dispatcher: Any) -> None:
        self._name, self._py_func = repr(dispatcher.py_func), dispatcher.py_func
        self._impl = CompileResults(dispatcher.py_func)
        self._cache_path = str(cache_folder.kernel_folder())
        self._dispatcher = dispatcher
        self.enable()

    @property
    def _cache_file(self) -> CacheFiles:
        # Not before the first call: only then are all globals of the kernel's module defined.
        function = self._py_func
        name = f"{function.__module__.removeprefix(f'{OURS}.')}.{function.__qualname__}"
        plain = "".join(c for c in name if c.isalnum() or c in "._")
        return CacheFiles(self._cache_path, f"{plain}-{fingerprint(self._dispatcher)[:32]}", None)

    def _save_overload(self, signature: Any, data: Any) -> None:
        super()._save_overload(signature, data)
        remove_unused_daily()


class CompileResults(CompileResultCacheImpl):
    """The conversion of compiled functions to bytes, which KernelCache keeps."""

    def __init__(self, function: FunctionType) -> None:
        self._lineno, self._locator = function.__code__.co_firstlineno, CacheFolder(function)


class CacheFolder:
    """The folder of the cache, as numba asks for it."""

    def __init__(self, function: FunctionType) -> None:
        self._py_file = function.__code__.co_filename

    def ensure_cache_path(self) -> None:
        os.makedirs(str(cache_folder.kernel_folder()), exist_ok=True)


class CacheFiles(IndexDataCacheFile):
    """Files named after their keys.

    numba's own index numbers its files, so two processes that save at once can give one number to
    two signatures.
    """

    def save(self, key: Any, data: Any) -> None:
        self._save_data(self.name_of(key), data)

    def load(self, key: Any) -> Any:
        name = self.name_of(key)
        try:
            found = self._load_data(name)
        except FileNotFoundError:
            return None
        path = self._data_path(name)
        with contextlib.suppress(OSError):
            if os.path.getmtime(path) < time.time() - DAY:
                os.utime(path)
        return found

    def name_of(self, key: Any) -> str:
        signature, target, _ = key
        described = repr((FORMAT, describe_type(signature), target, NUMBA_VERSION))
        base = self._index_name.removesuffix(".nbi")
        return f"{base}-{hashlib.sha256(described.encode()).hexdigest()[:16]}{cache_folder.SUFFIX}"


def describe_type(kind: Any) -> object:
    """A type or signature with the fields of its named tuples, which repr leaves out."""
    if not isinstance(kind, (tuple, types.BaseTuple)):
        return repr(kind)
    content: Any = kind
    parts = [describe_type(part) for part in content]
    named = getattr(kind, "instance_class", tuple)
    return [named.__module__, named.__qualname__, getattr(named, "_fields", ()), parts]


@cache
def fingerprint(dispatcher: Any) -> str:
    """A digest of everything that is compiled into a kernel, but for the types of its arguments."""
    lines = sorted(repr(kernel_text(kernel)) for kernel in reachable_kernels(dispatcher))
    return hashlib.sha256("\n".join([name_of(dispatcher), *lines]).encode()).hexdigest()


def reachable_kernels(dispatcher: Any) -> list[Any]:
    """A kernel, the kernels that it calls, those that they call, and so on."""
    found = [dispatcher]
    for kernel in found:  # the list grows
        called = filter(is_kernel, values_named_in(kernel.py_func).values())
        found += [value for value in dict.fromkeys(called) if value not in found]
    return found


def values_named_in(function: FunctionType) -> dict[str, Any]:
    """The values of the names in the code of a function, by those names.

    >>> sorted(values_named_in(is_ours))
    ['OURS']
    """
    names = list(names_in(function.__code__))
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    found = {name: function.__globals__[name] for name in names if name in function.__globals__}
    found |= {name: cell.cell_contents for name, cell in cells}
    for module in [name for name, value in found.items() if isinstance(value, ModuleType)]:
        parts = vars(found[module])
        found |= {f"{module}.{part}": parts[part] for part in names if part in parts}
    return found


def names_in(code: CodeType) -> Iterator[str]:
    """All names of globals and attributes in some code and in the code within it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


@cache
def kernel_text(dispatcher: Any) -> list[object]:
    """A kernel as text: its own code, its options, and the values that it names."""
    function = dispatcher.py_func
    options = sorted(dispatcher.targetoptions.items(), key=lambda item: item[0])
    flags = [[name, sorted(x) if isinstance(x, set) else x] for name, x in options]
    values = [
        [name, value_text(value, name)] for name, value in sorted(values_named_in(function).items())
    ]
    return [name_of(dispatcher), code_text(function.__code__), function.__defaults__, flags, values]


def code_text(code: CodeType) -> list[object]:
    """Bytecode with its names and constants, but without docstring, file and lines."""
    constants = [code_text(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    if code.co_consts and isinstance(code.co_consts[0], str):
        constants[0] = ""
    names = [code.co_names, code.co_varnames, code.co_freevars]
    return [code.co_code.hex(), *names, constants]


def value_text(value: Any, name: str) -> object:
    """A value that is compiled into a kernel, as text; TypeError where its text would not do."""
    if is_kernel(value):
        return name_of(value)
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, type):
        fields = getattr(value, "_fields", ())
        return [value.__module__, value.__qualname__, *fields]
    if isinstance(value, np.ndarray):
        return [str(value.dtype), value.shape, hashlib.sha256(value.tobytes()).hexdigest()]
    if isinstance(value, tuple):
        return [value_text(part, name) for part in value]
    if value is None or isinstance(value, (bool, int, float, complex, str, np.generic)):
        return [type(value).__name__, repr(value)]
    # A function that is no kernel cannot be compiled in; an attribute only has its name.
    if isinstance(value, FunctionType) or not is_ours(value):
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__name__', value)}"
    raise TypeError(f"{name} is {value!r}, whose content has no text")


def is_kernel(value: Any) -> bool:
    return hasattr(value, "py_func") and hasattr(value, "targetoptions")


def is_ours(value: Any) -> bool:
    home = getattr(value, "__module__", None)
    return home is None or home.partition(".")[0] == OURS


def name_of(dispatcher: Any) -> str:
    return f"{dispatcher.py_func.__module__}.{dispatcher.py_func.__qualname__}"


_locked: set[int] = set()


@contextlib.contextmanager
def sole_compiler(digest: str) -> Iterator[None]:
    """A lock under which one process compiles a kernel; the others find it in the cache.

    The locks are ranges of one file, so that they end with the process that holds them.
    """
    offset = int(digest[:12], 16)
    file = lock_file()
    if file is None or offset in _locked:
        yield
        return
    import fcntl

    with contextlib.suppress(OSError):  # a file system without locks: compiled twice, then
        fcntl.lockf(file, fcntl.LOCK_EX, 1, offset)
    _locked.add(offset)
    try:
        yield
    finally:
        _locked.discard(offset)
        with contextlib.suppress(OSError):
            fcntl.lockf(file, fcntl.LOCK_UN, 1, offset)


@cache
def lock_file() -> int | None:
    """The file whose ranges are locks, open for as long as the process lives."""
    found = cache_folder.kernel_folder()
    if found is None or os.name != "posix":
        return None
    return os.open(found / "locks", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def remove_unused_daily() -> None:
    """Remove unused entries, once a day."""
    stamp = Path(str(cache_folder.kernel_folder())) / "tidied"
    with contextlib.suppress(OSError):
        if not stamp.exists() or stamp.stat().st_mtime < time.time() - DAY:
            stamp.touch()
            remove_unused()
