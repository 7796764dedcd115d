"""The benchmark of the tests, on a few of them."""

from __future__ import annotations

import pytest

from benchmarks import time_of_tests


def test_both_runs_pass(capsys: pytest.CaptureFixture[str]) -> None:
    time_of_tests.main(["--jobs", "0", "tests/data/test_writing.py"])
    _, *rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows] == ["cold", "warm"]
    assert all(float(row.split()[1]) > 0 and " passed in " in row for row in rows)
