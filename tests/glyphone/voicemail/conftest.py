"""A voicemail model learnt from few messages, in a file; all models share what reads numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from glyphone.fst.transducers.model import TransducerModel
from glyphone.grammar_tools import archives
from glyphone.voicemail.proposals import finder
from glyphone.voicemail.proposals.chart import ChartReader
from glyphone.voicemail.proposals.plans import NumberPlan

LOAD_GRAMMAR = cache(finder.load_grammar)
READERS: list[tuple[TransducerModel, NumberPlan, ChartReader]] = []


def shared_reader(model: TransducerModel, plan: NumberPlan) -> ChartReader:
    """The reader of a grammar and a plan, made once: it takes half a second."""
    for own_model, own_plan, reader in READERS:
        if own_model is model and own_plan == plan:
            return reader
    READERS.append((model, plan, ChartReader(model, plan)))
    return READERS[-1][2]


@pytest.fixture(scope="module", autouse=True)
def _readers_are_shared() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finder, "load_grammar", LOAD_GRAMMAR)
        patch.setattr(finder, "ChartReader", shared_reader)
        yield


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if archives.archive_of("eng.phone_numbers") is None:
        pytest.skip("eng.phone_numbers is not compiled: make grammars")
    from glyphone.voicemail import model
    from glyphone.voicemail.callers.options import CallerOptions
    from glyphone.voicemail.generator.generate import generate
    from glyphone.voicemail.training import train_model

    path = tmp_path_factory.mktemp("voicemail") / "small.glyphone"
    options = CallerOptions(places=16, max_iter=25, min_count=2)
    model.save(train_model(list(generate(150, seed=1)), callers=options), path)
    return path
