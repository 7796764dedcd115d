"""A voicemail model learnt from few messages, in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.grammar_tools import archives


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
