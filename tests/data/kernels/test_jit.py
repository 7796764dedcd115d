"""Two tiers of kernels: the same numbers, bit for bit, and no stale machine code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.kernels import arrays as data_arrays
from glyphone.data.kernels import jit
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.lattices import sum_kernels as lattice_sum_kernels
from glyphone.fst.lattices.block_kernels import OK, TRUNCATED
from glyphone.fst.transducers import decoding_kernels as transducer_decoding_kernels
from tests.fst.support import Labels, decode, lattice_of, machine, machines

blocks = st.lists(st.lists(st.integers(1, 2), max_size=8).map(tuple), max_size=4)


@settings(deadline=None, max_examples=150)
@given(
    st.lists(machines, min_size=1, max_size=3),
    blocks,
    st.integers(1, 5),
    st.sampled_from([0, 20, 10**6]),
    st.booleans(),
)
def test_both_tiers_agree(
    stages: list[Transducer], strings: list[Labels], n: int, budget: int, spans: bool
) -> None:
    fast = jit.compiled(transducer_decoding_kernels)
    plain_block = decode(
        transducer_decoding_kernels, stages, strings, n=n, budget=budget, spans=spans
    )
    fast_block = decode(fast, stages, strings, n=n, budget=budget, spans=spans)
    for plain_row, fast_row in zip(plain_block, fast_block, strict=True):
        assert plain_row.dtype == fast_row.dtype
        assert np.array_equal(plain_row, fast_row)


@settings(deadline=None, max_examples=30)
@given(machines, st.lists(st.integers(1, 2), max_size=4).map(tuple))
def test_both_tiers_sum_alike(stage: Transducer, string: Labels) -> None:
    lattice = lattice_of([stage], string)
    if lattice.n_states > 0:
        for mine, fast in zip(
            lattice_sum_kernels.backward_sums(lattice),
            jit.compiled(lattice_sum_kernels).backward_sums(lattice),
            strict=True,
        ):
            assert np.array_equal(mine, fast)


@pytest.mark.parametrize("shape", [(3,), (3, 5), (1, 1)])
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float64])
def test_arrays_of_any_shape_grow_in_both_tiers(shape: tuple[int, ...], dtype: type) -> None:
    rows = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    for kernels in (data_arrays, jit.compiled(data_arrays)):
        larger = kernels.doubled_rows(rows)
        assert (larger.shape, larger.dtype) == ((2 * shape[0], *shape[1:]), rows.dtype)
        assert np.array_equal(larger[: len(rows)], rows)


def test_a_long_string_in_both_tiers() -> None:
    # An optional change at every place, a deletion, and an insertion that reads nothing.
    stage = Transducer.from_arcs(
        0, [0.0, 0.0], [0, 0, 0, 0, 1], [1, 1, 2, 0, 2], [1, 2, 0, 2, 1],
        [0.5, 0.5, 0.25, 1.0, 0.0], [0, 0, 0, 1, 0],
    )  # fmt: skip
    for length, kernels in (
        (10_000, transducer_decoding_kernels),
        (100_000, jit.compiled(transducer_decoding_kernels)),
    ):
        string = tuple(1 + (place * place // 7) % 2 for place in range(length))
        found = decode(kernels, [stage], [string])
        assert found.statuses[0] in (OK, TRUNCATED)
        assert found.begins[0] == 0
        assert found.ends[-1] == length


def test_many_threads_get_one_copy() -> None:
    with ThreadPoolExecutor(8) as pool:
        copies = set(pool.map(lambda _: id(jit.compiled(transducer_decoding_kernels)), range(64)))
    assert len(copies) == 1


def test_the_tier_changes_with_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "_worked", 0)
    assert jit.tier(transducer_decoding_kernels, jit.PLAIN_BUDGET) is transducer_decoding_kernels
    assert jit.tier(transducer_decoding_kernels, 1) is jit.compiled(transducer_decoding_kernels)


def test_a_module_that_cannot_be_compiled_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken.py").write_text("if __name__ != 'broken':\n    raise OSError\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import broken  # type: ignore[import-not-found]

    with pytest.raises(OSError):  # noqa: PT011
        jit.compiled(broken)
    assert "broken" + jit.COMPILED not in sys.modules


@pytest.mark.parametrize("function", [lambda row: np.zeros(len(row)), lambda row: row[1:]])
def test_a_leaf_neither_makes_an_array_nor_gives_a_part_of_one(
    function: Callable[[Any], Any],
) -> None:
    """Its references would be counted too rarely, and the array be freed while it is in use."""
    from numba import TypingError

    function.__module__ += jit.COMPILED
    with pytest.raises(TypingError, match="Only accept returning of array passed"):
        jit.leaf(function)(np.ones(3))


def test_a_machine_of_the_tests_is_the_same_every_time() -> None:
    assert machine(7).equals(machine(7))
