"""A small world for commands: a folder, a core, and small models, dictionaries and lists."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from glyphone.voicemail.generator import generate as generator
from tests.conftest import few_lines
from tests.docs import stand_ins
from tests.docs.pages import ROOT


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for default models, each trained on a few entries when it is asked for."""
    return tmp_path_factory.mktemp("models")


@pytest.fixture
def small_world(monkeypatch: pytest.MonkeyPatch, models: Path, tmp_path: Path) -> Path:
    """Default models, the English dictionary and lists of places, all small, and one core."""

    def model_of(name: str) -> Path | None:
        path = models / f"{name}.glyphone"
        if name in stand_ins.MODELS and not path.exists():
            stand_ins.MODELS[name](path)
        return path if path.exists() else None

    def names_of(language: Any, population: int) -> Any:
        return stand_ins.PLACES[language.code]()

    def generate(n: int, **options: Any) -> Any:
        return generator.generate(min(n, 100), **options)

    lines = few_lines()[::12]
    monkeypatch.setattr("glyphone.data.sources.cmudict.dictionary_lines", lambda: iter(lines))
    monkeypatch.setenv("GLYPHONE_DATA", str(tmp_path / "data-of-the-user"))
    monkeypatch.setattr("glyphone.catalog.names.model_of", model_of)
    monkeypatch.setattr("glyphone.models.names.mining.mine.names_of", names_of)
    monkeypatch.setattr("glyphone.voicemail.generator.files.generate", generate)
    monkeypatch.setattr("glyphone.voicemail.training.CallerOptions", stand_ins.CALLERS)
    monkeypatch.setattr("glyphone.recipes.matcher.read_name_groups", stand_ins.groups_of_names)
    monkeypatch.setattr("glyphone.recipes.matcher.read_territories", lambda: iter(["Yunnan"]))
    for size in ("PEOPLE", "COMPANIES", "OTHERS"):
        monkeypatch.setattr(f"glyphone.recipes.matcher.{size}", 100)
    monkeypatch.setattr("glyphone.distillation.files.SECONDS", 0.001)
    monkeypatch.setattr("glyphone.installation.warming.EXAMPLES", {})
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0})
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    monkeypatch.chdir(tmp_path)
    Path("data").symlink_to(ROOT / "data")
    Path("docs").mkdir()
    return tmp_path
