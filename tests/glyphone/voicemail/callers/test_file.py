"""Files of models of callers."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from glyphone.data.errors import FormatError
from glyphone.fst.storage import container as storage_container
from glyphone.fst.storage.container import Contents
from glyphone.voicemail.callers import file as caller_file
from glyphone.voicemail.callers.model import CallerModel
from glyphone.voicemail.callers.options import CallerOptions
from glyphone.voicemail.callers.training import train
from glyphone.voicemail.generator.generate import generate


@cache
def model() -> CallerModel:
    options = CallerOptions(most=30, places=16, max_iter=10, min_count=2)
    return train([*generate(80, seed=1)], options=options)


def test_a_file_gives_the_same_model_back(tmp_path: Path) -> None:
    path = tmp_path / "callers.glyphone"
    caller_file.save(model(), path)
    words = [message.words for message in generate(40, seed=5)]
    assert caller_file.load(path).find(words) == model().find(words)
    again = tmp_path / "again.glyphone"
    caller_file.save(caller_file.load(path), again)
    assert again.read_bytes() == path.read_bytes()


def test_forged_files_are_refused(tmp_path: Path) -> None:
    good = caller_file.pack_model(model(), "")
    changes = {
        "keys": good.arrays["keys"][:-1],
        "weights": good.arrays["weights"] * np.nan,
        "steps": good.arrays["steps"][:2],
    }
    for name, array in changes.items():
        path = tmp_path / f"{name}.glyphone"
        storage_container.write(
            path, Contents(good.kind, good.manifest, {**good.arrays, name: array})
        )
        with pytest.raises(FormatError, match="is no model of callers"):
            caller_file.load(path)
    for key, value in (("options", {"most": -1}), ("format", 99), ("templates", [])):
        path = tmp_path / f"{key}.glyphone"
        storage_container.write(
            path, Contents(good.kind, {**good.manifest, key: value}, good.arrays)
        )
        with pytest.raises(FormatError):
            caller_file.load(path)
