"""The stages that cut text, in a pipeline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glyphone.cli import main
from glyphone.data.fields import WrongSetting
from glyphone.pipelines.pipeline import Pipeline
from glyphone.pipelines.stages.texts import Sentences, Tokens


def test_a_pipeline_of_sentences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cut.toml").write_text(
        '[[stages]]\nuse = "glyphone.sentences.v1"\nlanguage = "spa"\nabbreviations = ["Ingra."]\n',
        encoding="utf-8",
    )
    Path("in.txt").write_text("La Ingra. Paz (EE.UU.) viene. ¿Bien?\n\n", encoding="utf-8")
    assert main(["run", "cut.toml", "in.txt", "--format", "jsonl", "--jobs", "1"]) == 0
    first, empty = map(json.loads, capsys.readouterr().out.splitlines())
    assert [one["value"] for one in first["candidates"]] == [
        "La Ingra. Paz ( EE.UU. ) viene .", "¿ Bien ?",
    ]  # fmt: skip
    assert [one["span"] for one in first["candidates"]] == [[0, 29], [30, 36]]
    assert empty["candidates"] == []


def test_tokens_have_spans_and_kinds(tmp_path: Path) -> None:
    pipeline = Pipeline((Tokens(language="eng"),))
    found = pipeline("I can't.").candidates
    assert [(one.span, one.text, one.value) for one in found] == [
        ((0, 1), "I", "word"), ((2, 4), "ca", "word"), ((4, 7), "n't", "word"),
        ((7, 8), ".", "mark"),
    ]  # fmt: skip
    pipeline.save(tmp_path / "x.glyphone")
    assert pipeline.names == ["glyphone.tokens.v1"]


@pytest.mark.parametrize("stage", [Tokens, Sentences])
def test_a_language_is_a_code(stage: type) -> None:
    with pytest.raises(WrongSetting, match="language is 'en'"):
        stage(language="en")
