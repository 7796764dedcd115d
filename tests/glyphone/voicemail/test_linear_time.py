"""Long messages take as much more work as they have more words, counted in lines that run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import glyphone
from glyphone.data.kernels import jit
from glyphone.voicemail.callers.options import CallerOptions
from glyphone.voicemail.callers.pair import CallerPair
from glyphone.voicemail.callers.training import train_pair
from glyphone.voicemail.generator.generate import generate
from glyphone.voicemail.model import VoicemailModel
from glyphone.voicemail.numbers.model import NumberModel

ROOT = str(Path(glyphone.__path__[0]).parent)
# Behind the longest span that the grammar reads.
SIZE = 56


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels run as they are written, where lines can be counted."""
    monkeypatch.setattr(jit, "tier", lambda module, work: module)


def work(job: Callable[[], Any]) -> int:
    """The count of lines of glyphone that run."""
    lines = 0

    def count(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines
        if not frame.f_code.co_filename.startswith(ROOT):
            return None
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        job()
    finally:
        sys.settrace(before)
    return lines


@cache
def callers() -> CallerPair:
    # Callers are looked for in the first words only, here in fewer than all messages have.
    options = CallerOptions(places=8, most=24, max_iter=3, min_count=2)
    return train_pair(list(generate(40, seed=1)), options=options)


def steps(job: Callable[[int], Any]) -> tuple[int, int]:
    """The work that the second and the third of three equal shares add."""
    first, second, third = (work(lambda n=n: job(n * SIZE)) for n in (1, 2, 3))
    return second - first, third - second


@pytest.mark.parametrize("said", ["five", "the", "😀", "wait no five nine", "this is Pat at ten"])
def test_every_word_more_is_as_much_work(said: str, plain: None) -> None:
    model = VoicemailModel(callers(), NumberModel({"is=maximal": 2.0}, 0.5))
    words = said.split() * 3 * SIZE
    model(words[: 3 * SIZE])  # what is done once
    second, third = steps(lambda n: model(words[:n]))
    assert second > SIZE
    assert third <= 1.2 * second


def test_work_that_is_quadratic_is_seen() -> None:
    def pairs(n: int) -> int:
        found = 0
        for one in range(n):
            for other in range(n):
                found += one < other
        return found

    second, third = steps(pairs)
    assert third > 1.5 * second
