"""Kernels compiled together with the kernels that they call, once.

numba makes machine code of each function that is called, then puts its intermediate code into each
caller and optimises it there once more; with kernels ten calls deep that was most of the time. Here
a kernel that another kernel calls is typed and lowered only. Its code waits until a kernel that
Python calls is compiled: that one takes in all the code that it needs, and LLVM optimises it as a
whole.

Parts of numba that are not public are replaced for this, so it is done for the versions that it is
known to fit. With another version numba compiles kernels in its own way, to the same results, which
takes three times as long (`benchmarks/compiling.py`).

This module imports numba, so it is imported when the first kernel is to be compiled.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numba
from numba.core import config, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher, cpu_target

from glyphone.data.kernels.cache import reachable_kernels
from glyphone.data.kernels.shortcuts import shortcuts, swapped

VERSIONS = ("0.68",)
# The beginning of the names of environments, in which constants of a function stand.
ENVIRONMENT = "_ZN08NumbaEnv"
# The level of LLVM's optimiser for kernels without sums that it may reorder: nothing above gains.
SEARCH_LEVEL = 1


def dispatcher_of(function: Any, options: dict[str, Any]) -> Any:
    """A function that numba compiles at its first call."""
    if fits(numba.__version__):
        return Entry(function, options)
    return numba.jit(**options)(function)


def fits(version: str) -> bool:
    """Whether a version of numba is known to have the parts that this module replaces.

    >>> fits("0.68.1"), fits("0.70.0")
    (True, False)
    """
    return ".".join(version.split(".")[:2]) in VERSIONS


class Entry(CPUDispatcher):
    """A kernel that Python calls; other kernels call its part."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options)
        self._compiler._customize_flags = without_address
        self.part = Part(function, options)

    def compile(self, signature: Any) -> Any:
        kernels = reachable_kernels(self)
        has_sums = any(kernel.targetoptions["fastmath"] for kernel in kernels)
        with global_compiler_lock, together(config.OPT if has_sums else SEARCH_LEVEL):
            return super().compile(signature)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return self.part.get_call_template(args, kws)

    def get_overload(self, signature: Any) -> Any:
        return self.part.get_overload(signature)


class Part(CPUDispatcher):
    """A kernel that kernels call, without the wrappers that let Python and C call it."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options)
        self._compiler._customize_flags = without_wrappers

    def get_call_template(self, args: Any, kws: Any) -> Any:
        named = {name: widened(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(map(widened, args)), named)


def without_address(flags: Any) -> Any:
    """Options of the compiler for a function that C does not call."""
    flags.no_cfunc_wrapper = True
    return flags


def without_wrappers(flags: Any) -> Any:
    """Options of the compiler for a function that neither C nor Python calls."""
    flags.no_cfunc_wrapper = flags.no_cpython_wrapper = True
    return flags


def widened(kind: Any) -> Any:
    """The type of an argument of a kernel: one type for all whole numbers up to 64 bits.

    >>> widened(types.int32), widened(types.float64), widened(types.literal(7))
    (int64, float64, int64)
    """
    kind = types.unliteral(kind)
    return types.intp if isinstance(kind, types.Integer) and kind.bitwidth < 64 else kind


class Library(JITCodeLibrary):
    """The code of one function, which becomes machine code when its address is asked for."""

    _waits = True

    @property
    def codegen(self) -> Any:
        return self if self._waits else self._codegen

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: an environment has no address before there is machine code."""

    def add_llvm_module(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        self._final_module.link_in(module)

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        if self._waits and name not in {f.name for f in self._final_module.functions}:
            return 0
        self._complete()
        return int(super().get_pointer_to_function(name))

    def _get_module_for_linking(self) -> Any:
        self._complete()
        return super()._get_module_for_linking()

    @cached_property
    def _own_code(self) -> Any:
        """The code of this function alone, of which many libraries may have a copy."""
        code = self._final_module.clone()
        for function in defined_functions(code):
            if function.linkage.name == "external":
                function.linkage = "linkonce_odr"
        return code

    def _needed(self) -> list[JITCodeLibrary]:
        """The libraries that this one needs, each behind all that need it.

        LLVM takes a function only into code that calls it already.
        """
        found: dict[JITCodeLibrary, None] = {}

        def visit(library: JITCodeLibrary) -> None:
            waiting = library._linking_libraries if isinstance(library, Library) else ()
            for needed in dict.fromkeys(waiting):
                if needed not in found:
                    visit(needed)
            found[library] = None

        visit(self)
        return list(found)[-2::-1]

    def _complete(self) -> None:
        """Make machine code of this library and all that it needs."""
        if not self._waits:
            return
        self._waits = False
        _ = self._own_code  # as it is now, for other libraries
        module = self._final_module
        own = {function.name for function in defined_functions(module)}
        for library in self._needed():
            self._reload_init.update(library._reload_init)
            module.link_in(code_of(library), preserve=True)
        # A function that only this library can call is put into its only caller, however long. By
        # its old name LLVM would look for it here when another library asks for its own copy.
        for function in defined_functions(module):
            if function.name not in own:
                function.name, function.linkage = f"{function.name}.inner", "internal"
        self._optimize_final_module()
        module.verify()
        names = [variable.name for variable in module.global_variables]
        self._finalize_final_module()
        for name in names:
            environment = name.startswith(ENVIRONMENT) and lookup_environment(name)
            if environment:
                self._codegen.set_env(name, environment)

    def serialize_using_object_code(self) -> tuple[str, str, object]:
        """The machine code, and the names of the functions and variables that it defines."""
        self._complete()
        parts = [*self._final_module.functions, *self._final_module.global_variables]
        defined = [part for part in parts if not part.is_declaration]
        names = [part.name for part in defined if part.linkage.name != "internal"]
        return self.name, "object", (self._get_compiled_object(), names)

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Library:
        name, _, (code, names) = state
        library: Library = codegen.create_library(name)
        library._waits = False
        library.enable_object_caching()
        library._set_compiled_object(code)
        library._finalize_final_module()
        codegen._engine._defined_symbols.update(names)
        return library


def defined_functions(module: Any) -> list[Any]:
    """The functions whose code is in a module."""
    return [function for function in module.functions if not function.is_declaration]


def code_of(library: JITCodeLibrary) -> Any:
    """The code that a library brings into another."""
    if isinstance(library, Library):
        return library._own_code
    return library._get_module_for_linking()


@contextlib.contextmanager
def together(level: Any) -> Iterator[None]:
    """While this holds, code that is compiled waits for the code that needs it.

    `level` is that of LLVM's optimiser.
    """
    codegen = cpu_target.target_context.codegen()
    with (
        swapped(codegen, "_library_class", Library),
        swapped(config, "OPT", level),
        shortcuts(),
    ):
        yield
