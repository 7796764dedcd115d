"""Kernels compiled together with all that they call, once.

numba makes machine code of each function that is called, then puts its intermediate code into each
caller and optimises it there once more; with kernels ten calls deep that was most of the time. Here
a kernel that another one calls is typed and lowered only. Its code waits until a kernel is compiled
that Python calls, which takes in all that it needs and is optimised as a whole.

This module imports numba, so it is imported when the first kernel is to be compiled.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher, cpu_target

from glyphone.data.kernels.shortcuts import shortcuts, swapped

# How names of the environments begin that constants of a function live in.
ENVIRONMENT = "_ZN08NumbaEnv"


class Entry(CPUDispatcher):
    """A kernel as Python calls it."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options)
        self._compiler._customize_flags = without_address
        self.part = Part(function, options)

    def compile(self, signature: Any) -> Any:
        with global_compiler_lock, together():
            return super().compile(signature)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return self.part.get_call_template(args, kws)

    def get_overload(self, signature: Any) -> Any:
        return self.part.get_overload(signature)


class Part(CPUDispatcher):
    """A kernel as other kernels call it, with nothing that Python could call."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options)
        self._compiler._customize_flags = without_wrappers

    def get_call_template(self, args: Any, kws: Any) -> Any:
        named = {name: widened(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(map(widened, args)), named)


def without_address(flags: Any) -> Any:
    """No function that C could call."""
    flags.no_cfunc_wrapper = True
    return flags


def without_wrappers(flags: Any) -> Any:
    """No function that C or Python could call."""
    flags.no_cfunc_wrapper = flags.no_cpython_wrapper = True
    return flags


def widened(kind: Any) -> Any:
    """The type of an argument of a kernel: one of all that a whole number can have.

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
        """Nothing, for the environment has no address yet."""

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
        """The code of this function alone, as many libraries may have a copy of it."""
        code = self._final_module.clone()
        for function in code.functions:
            if not function.is_declaration and function.linkage.name == "external":
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
        """Makes machine code of this library and all that it needs."""
        if not self._waits:
            return
        self._waits = False
        _ = self._own_code  # which others may need as it is
        own = {function.name for function in self._final_module.functions if not function.is_declaration}
        for library in self._needed():
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(code_of(library), preserve=True)
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in own:
                function.linkage = "internal"
        self._optimize_final_module()
        self._final_module.verify()
        names = [variable.name for variable in self._final_module.global_variables]
        self._finalize_final_module()
        for name in names:
            environment = name.startswith(ENVIRONMENT) and lookup_environment(name)
            if environment:
                self._codegen.set_env(name, environment)

    def serialize_using_object_code(self) -> tuple[str, str, object]:
        """The machine code, and the names of what is defined in it."""
        self._complete()
        code = self._final_module
        parts = [*code.functions, *code.global_variables]
        names = [part.name for part in parts if not part.is_declaration]
        return self.name, "object", (self._get_compiled_object(), names)

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Library:
        name, _, (code, names) = state
        found: Library = codegen.create_library(name)
        found._waits = False
        found.enable_object_caching()
        found._set_compiled_object(code)
        found._finalize_final_module()
        codegen._engine._defined_symbols.update(names)
        return found


def code_of(library: JITCodeLibrary) -> Any:
    """The code that a library brings into another."""
    if isinstance(library, Library):
        return library._own_code
    return library._get_module_for_linking()


@contextlib.contextmanager
def together() -> Iterator[None]:
    """While this holds, code that is compiled waits for the code that needs it."""
    codegen = cpu_target.target_context.codegen()
    with swapped(codegen, "_library_class", Library), shortcuts():
        yield
