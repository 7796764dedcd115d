"""Settings of all tests.

Hypothesis tries the same examples every time, 60 where a test names no number, and has no
deadlines, for machines differ. `pytest --hypothesis-profile search` tries 500 others.
"""

from __future__ import annotations

import gc
import os
import signal
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from glyphone.data.sources import cmudict
from tests.sources import need_source

# On a busy machine drawing examples takes as long as it takes.
PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("house", derandomize=True, max_examples=60, **PATIENT)
settings.register_profile("search", max_examples=500, **PATIENT)
settings.load_profile("house")

# Each process of pytest has a core: threads of BLAS would wait for each other. numpy reads this
# when it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Tests do not see the models of the user.
os.environ["GLYPHONE_DATA"] = str(Path(tempfile.gettempdir(), "no-models-for-tests"))

# Tests that run in the background are deaf to SIGINT, and so would be what they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@cache
def few_lines() -> list[str]:
    """The lines of the English dictionary whose words begin with j, q, v or y."""
    need_source("cmudict")
    return [line for line in cmudict.dictionary_lines() if line[0] in "jqvy"]


@pytest.fixture
def few_english_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """`cmudict` holds a twenty-fifth of its words: reading all of them takes a while."""
    found = few_lines()
    monkeypatch.setattr(cmudict, "dictionary_lines", lambda: iter(found))


def pytest_collection_finish() -> None:
    """Garbage is collected more rarely, and without the tests themselves, a million objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


def pytest_sessionfinish() -> None:
    """Nothing is left to collect at the end, when pytest collects garbage five times."""
    gc.freeze()
