"""Machine code is found again exactly as long as nothing that is compiled into it has changed."""

from __future__ import annotations

import ast
import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

from glyphone.data.kernels import cache, cache_folder, jit

ROOT = Path(__file__).resolve().parents[3]
DECORATORS = {"kernel", "leaf", "fused", "summing", "inlined"}
ROOMS = ("data", "fst", "learners", "glyphone")


def is_kernel(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(x, ast.Name) and x.id in DECORATORS for x in node.decorator_list
    )


def kernel_modules() -> Iterator[tuple[str, ast.Module]]:
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            tree = ast.parse(text if any(f"\n@{name}" in text for name in DECORATORS) else "")
            if any(map(is_kernel, tree.body)):
                parts = path.relative_to(ROOT).with_suffix("").parts
                yield ".".join(parts if room == "glyphone" else ("glyphone", *parts)), tree


MODULES = dict(kernel_modules())


def bound(tree: ast.Module) -> set[str]:
    """The names that a module has from others of ours: imported ones, siblings, parts of these."""
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("glyphone."):
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            within = {x.id for x in ast.walk(node.value) if isinstance(x, ast.Name)}
            if within & {*found, "sibling"}:
                targets = [x for target in node.targets for x in ast.walk(target)]
                found |= {x.id for x in targets if isinstance(x, ast.Name)}
    return found


def names_within(kernel: ast.FunctionDef, known: set[str]) -> Iterator[str]:
    """The names of others in a kernel: `name`, and `name.part`; annotations are not compiled."""
    notes = {id(x.annotation) for x in ast.walk(kernel) if isinstance(x, ast.AnnAssign)}
    for node in (node for statement in kernel.body for node in ast.walk(statement)):
        if isinstance(node, ast.Name) and node.id in known and id(node) not in notes:
            yield node.id
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield from [f"{node.value.id}.{node.attr}"] * (node.value.id in known)


@pytest.mark.parametrize("name", MODULES)
def test_everything_that_a_kernel_names_is_in_its_fingerprint(name: str) -> None:
    module = jit.compiled(importlib.import_module(name))
    known = bound(MODULES[name])
    for node in filter(is_kernel, MODULES[name].body):
        assert isinstance(node, ast.FunctionDef)
        kernel = getattr(module, node.name)
        used = cache.values_named_in(kernel.py_func)
        for path in names_within(node, known):
            part = used[path.partition(".")[0]]
            if isinstance(part, ModuleType) or "." not in path:
                assert path in used
                assert not cache.is_kernel(used[path]) or used[path] in cache.reachable_kernels(
                    kernel
                )
        assert len(cache.fingerprint(kernel)) == 64


def test_a_chain_of_kernels_is_in_reach_of_its_end() -> None:
    """Where a regular expression had looked, `write_exp` of the learner was out of reach."""
    chain = importlib.import_module("glyphone.models.crf.chain_kernels")
    exponentials = importlib.import_module("glyphone.data.kernels.exponentials")
    reached = cache.reachable_kernels(jit.compiled(chain).sum_paths)
    assert jit.compiled(exponentials).write_exp in reached


NUMBERS = "MORE = {more}\n"
INNER = """
from numbers_of_house import MORE
from glyphone.data.kernels.jit import kernel, leaf, sibling

@{kind}
def inner(x):
    {docstring}
    return x + {number} + MORE
"""
OUTER = """
from glyphone.data.kernels.jit import kernel, sibling
module = sibling(__name__, "inner_of_house")

@kernel
def outer(x):
    return module.inner(x)
"""
PROGRAM = """
import outer_of_house
from glyphone.data.kernels import jit
from glyphone.data.kernels import cache
outer = jit.compiled(outer_of_house).outer
print(outer(1), sum(outer.stats.cache_misses.values()))
"""


def answer(folder: Path, kept: Path, **values: object) -> tuple[int, int]:
    """Of a program with kernels: its answer, and how often it compiled."""
    folder.mkdir(exist_ok=True)
    told = {"kind": "kernel", "docstring": "pass", "number": 0, "more": 0, **values}
    sources = {"numbers": NUMBERS, "inner": INNER, "outer": OUTER}
    for name, source in sources.items():
        text = source.format(**told) if name != "outer" else source
        (folder / f"{name}_of_house.py").write_text(text)
    environment = {**os.environ, "PYTHONPATH": str(folder), "GLYPHONE_CACHE": str(kept)}
    environment.pop("NUMBA_CACHE_DIR", None)
    ran = subprocess.run(
        [sys.executable, "-B", "-c", PROGRAM],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found, compiled = ran.stdout.split()
    return int(found), int(compiled)


@pytest.mark.parametrize("kind", ["kernel", "leaf"])
def test_machine_code_is_made_anew_when_what_it_calls_has_changed(
    tmp_path: Path, kind: str
) -> None:
    house, kept = tmp_path / "house", tmp_path / "kept"
    assert answer(house, kept, kind=kind) == (1, 1)
    assert answer(house, kept, kind=kind) == (1, 0)
    assert answer(house, kept, kind=kind, number=2) == (3, 1)
    assert answer(house, kept, kind=kind, number=2, more=3) == (6, 1)
    assert answer(house, kept, kind=kind, number=2) == (3, 0)


def test_words_and_cache_folder_change_nothing(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    assert answer(tmp_path / "one", kept, docstring='"""Few words."""') == (1, 1)
    assert answer(tmp_path / "other", kept, docstring='"""More\n\n    of them."""') == (1, 0)


def test_two_processes_at_once_compile_once(tmp_path: Path) -> None:
    house, kept = tmp_path / "house", tmp_path / "kept"
    answer(house, kept, number=1)
    (house / "inner_of_house.py").write_text(
        INNER.format(kind="kernel", docstring="pass", number=7)
    )
    environment = {**os.environ, "PYTHONPATH": str(house), "GLYPHONE_CACHE": str(kept)}
    environment.pop("NUMBA_CACHE_DIR", None)
    running = [
        subprocess.Popen(
            [sys.executable, "-B", "-c", PROGRAM], env=environment,
            stdout=subprocess.PIPE, text=True,
        )
        for _ in range(3)
    ]  # fmt: skip
    found = [process.communicate()[0].split() for process in running]
    assert [row[0] for row in found] == ["8"] * 3
    assert sum(int(row[1]) for row in found) == 1


class Few(NamedTuple):
    one: np.ndarray[Any, Any]
    other: np.ndarray[Any, Any]


class Turned(NamedTuple):
    other: np.ndarray[Any, Any]
    one: np.ndarray[Any, Any]


def test_named_tuples_are_known_by_their_fields() -> None:
    from numba import typeof

    arrays = np.zeros(1), np.zeros(1)
    Turned.__qualname__, Turned.__name__ = Few.__qualname__, Few.__name__
    few, turned = typeof(Few(*arrays)), typeof(Turned(*arrays))
    assert cache.describe_type((few,)) != cache.describe_type((turned,))
    assert cache.describe_type((few,)) == cache.describe_type((typeof(Few(*arrays)),))


def test_entries_that_nobody_uses_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_folder, "kernel_folder", lambda: tmp_path)
    old, new = tmp_path / f"old{cache_folder.SUFFIX}", tmp_path / f"new{cache_folder.SUFFIX}"
    old.touch()
    new.touch()
    now = new.stat().st_mtime
    os.utime(old, (now, now - (cache.KEPT_DAYS + 1) * cache.DAY))
    assert cache.remove_unused(now=now) == 1
    assert cache_folder.cache_entries() == [new]


def test_without_a_place_to_write_kernels_are_compiled_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert answer(tmp_path / "house", tmp_path / "file") == (1, 1)
    assert answer(tmp_path / "house", tmp_path / "file") == (1, 1)
