"""Work in order, on threads that are never the main one."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from glyphone.data.parallel import map_in_order


@pytest.mark.parametrize("jobs", [None, 1, 2, 5])
def test_results_come_in_the_order_of_the_work(jobs: int | None) -> None:
    found = list(map_in_order(lambda number: number * 2, iter(range(50)), jobs=jobs))
    assert found == [(number, number * 2) for number in range(50)]


@pytest.mark.parametrize("jobs", [1, 3])
def test_kernels_never_run_on_the_main_thread(jobs: int) -> None:
    # Signals are raised there, and one that is raised while numba hands a result over ends in a
    # segmentation fault: 3 of 60 runs that were stopped, before one job had a thread of its own.
    threads = [
        t for _, t in map_in_order(lambda _: threading.current_thread(), iter(range(9)), jobs=jobs)
    ]
    assert threading.main_thread() not in threads


@pytest.mark.parametrize(("jobs", "ahead"), [(1, 1), (2, 4)])
def test_only_a_few_pieces_are_under_way(jobs: int, ahead: int) -> None:
    taken = 0

    def works() -> Iterator[int]:
        nonlocal taken
        for number in range(100):
            taken += 1
            yield number

    for number, _ in map_in_order(str, works(), jobs=jobs):
        assert taken <= number + ahead


@pytest.mark.parametrize("jobs", [1, 3])
def test_errors_come_in_their_turn_and_end_the_work(jobs: int) -> None:
    results = map_in_order(lambda n: 1 // n, iter([1, 1, 0, 1]), jobs=jobs)
    assert [next(results)[1], next(results)[1]] == [1, 1]
    with pytest.raises(ZeroDivisionError):
        next(results)
    assert list(results) == []
