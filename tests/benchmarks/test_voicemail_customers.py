"""The page of customers who called, on few messages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.benchmarks.conftest import Main
from tests.benchmarks.test_pages import Small, each

PAGE = Small(
    "--names own --customers 20 --messages 30",
    "right listed wrong nobody strangers",
    (
        "clean: N of 30 messages",
        "10% wrong, by sounds: N of 30 messages",
        "23% wrong, by letters: N of 30 messages",
        *each("RapidFuzz * >= N P P P P P", "WRatio", "token_sort_ratio", "ratio"),
        *each("likeliest name, * >= 0.1 P P P P P P P N messages/CPU s", "letters", "sounds"),
        "names, sounds >= 0.5 P P P P P P P N messages/CPU s",
    ),
)


@pytest.mark.filterwarnings("ignore")
def test_the_page(
    small_world: Path, main_of: Callable[[str], Main], capfd: pytest.CaptureFixture[str]
) -> None:
    main_of("voicemail_customers.py")(PAGE.arguments.split())
    PAGE.check(capfd.readouterr().out)
