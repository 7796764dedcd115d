"""Kernels that call kernels: one piece of machine code, the same results and errors as numba's."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numba.core import event

from glyphone.data.kernels import bundles, cache_folder, jit

SOURCE = """
import numpy as np
from glyphone.data.kernels.jit import kernel, leaf

TABLE = np.array([3, 1, 2])

@leaf
def entry_of(k):
    return TABLE[k % 3]

@kernel
def entries(n, flag=None):
    found = np.empty(n, np.int64)
    for k in range(n):
        found[k] = entry_of(k)
    if flag is not None:
        found[0] = np.no_such_function(n)
    return found

@kernel
def mean_entry(n):
    return entries(n).sum() // n
"""


@pytest.fixture(params=["together", "by numba alone"])
def kernels(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module of kernels, compiled, with a cache of its own."""
    monkeypatch.setattr(cache_folder, "kernel_folder", lambda: tmp_path)
    if request.param != "together":
        monkeypatch.setattr(bundles, "VERSIONS", ())
    (tmp_path / "kernels_of_test.py").write_text(SOURCE)
    return load_kernels(tmp_path)


def test_kernels_call_kernels(kernels: ModuleType) -> None:
    assert kernels.mean_entry(3) == 2
    assert kernels.entries(4).tolist() == [3, 1, 2, 3]
    assert kernels.mean_entry(np.int32(3)) == 2


def test_errors_of_inner_kernels_arrive(kernels: ModuleType) -> None:
    with pytest.raises(ZeroDivisionError):
        kernels.mean_entry(0)
    with pytest.raises(ValueError, match="negative"):
        kernels.mean_entry(-1)


def test_code_behind_a_flag_is_compiled_only_where_it_is_raised(kernels: ModuleType) -> None:
    assert kernels.entries(1).tolist() == [3]
    with pytest.raises(Exception, match="no_such_function"):
        kernels.entries(1, True)


def test_machine_code_is_found_again(kernels: ModuleType, tmp_path: Path) -> None:
    kernels.mean_entry(3)
    entries = cache_folder.cache_entries()
    assert entries
    with event.install_recorder("numba:compile") as record:
        assert load_kernels(tmp_path).mean_entry(3) == 2
    assert not record.buffer
    assert cache_folder.cache_entries() == entries


def load_kernels(folder: Path) -> Any:
    """The module of kernels, compiled, as a new process has it."""
    path = folder / "kernels_of_test.py"
    spec = importlib.util.spec_from_file_location(f"kernels_of_test{jit.COMPILED}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
