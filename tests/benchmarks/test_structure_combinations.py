"""The benchmark of combination features, on little data, and without any."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.benchmarks.conftest import Main
from tests.benchmarks.test_pages import Small, each

SCRIPT = "structure_combinations.py"
PAGE = Small(
    "--rows 200 --words 20 --pairs 1 --folds 2",
    "rho1 objective all made weights of all rounds kept % right % alone % CPU s all s",
    (
        *each("* 5 N N N N N P P P N N", "XOR", "Zipf"),
        "NETtalk, 20 words to learn from, 60 to test",
        *each("* N P N N N", "plain L1", "products of 2", "products of 3", "SVC, poly 2"),
        "one tree N P N N N",
        *each("* N N N N", "grafted", "all made"),
        *each("* P P N N", "plain L1", "of 2, scaled", "of 2, 0 and 1", "linear SVM"),
    ),
)


@pytest.mark.filterwarnings("ignore")
def test_its_page(
    shared: Path, main_of: Callable[[str], Main], capsys: pytest.CaptureFixture[str]
) -> None:
    main_of(SCRIPT)(["--shared", str(shared), *PAGE.arguments.split()])
    found = capsys.readouterr().out
    PAGE.check(found)
    rows = [line.split() for line in found.splitlines() if line.startswith(("XOR", "Zipf"))]
    assert len(rows) == 4
    assert [row[2] for row in rows] == [row[3] for row in rows]


def test_data_that_are_absent_are_told(
    tmp_path: Path, main_of: Callable[[str], Main], capsys: pytest.CaptureFixture[str]
) -> None:
    main_of(SCRIPT)(["--shared", str(tmp_path), "--rows", "100"])
    assert capsys.readouterr().out.count("is absent") == 2
