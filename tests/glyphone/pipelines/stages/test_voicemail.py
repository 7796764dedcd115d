"""Pipelines of callers and numbers: the sample, and one that is saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.glyphone.support import glyphone as command
from tests.glyphone.voicemail.conftest import small  # noqa: F401  (a fixture)
from tests.glyphone.voicemail.test_voicemail import PAT, SAMPLES, rows


@pytest.mark.parametrize("decision", ["glyphone.decode-f.v1", "glyphone.keep.v1"])
def test_the_sample_pipeline(
    small: Path,  # noqa: F811
    tmp_path: Path,
    decision: str,
) -> None:
    text = (SAMPLES.parent / "voicemail.toml").read_text(encoding="utf-8")
    text = text.replace('"eng.voicemail"', f'"{small}"')
    # What its comments tell to change.
    alpha = '"glyphone.decode-f.v1"\nalpha = 0.5'
    assert alpha in text
    if decision == "glyphone.keep.v1":
        text = text.replace(alpha, '"glyphone.keep.v1"\nleast = 0.5')
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    ran = command("run", tmp_path / "mine.toml", "--format", "jsonl", stdin=PAT.encode())
    assert ran.code == 0
    [row] = rows(ran)
    values = [one["value"] for one in row["candidates"] if one.get("kept", True)]
    assert values == ["9085551212", "", "Pat Caller"]


def test_stages(small: Path, tmp_path: Path) -> None:  # noqa: F811
    from glyphone.pipelines import pipeline

    toml = tmp_path / "voicemail.toml"
    toml.write_text(
        f"""
        [[stages]]
        use = "glyphone.voicemail-numbers.v1"
        model = "{small}"
        [[stages]]
        use = "glyphone.decode-f.v1"
        [[stages]]
        use = "glyphone.voicemail-callers.v1"
        model = "{small}"
        """,
        encoding="utf-8",
    )
    loaded = pipeline.load(toml)
    found = loaded(PAT).candidates
    assert [one.value for one in found] == ["9085551212", "", "Pat Caller"]
    assert all(PAT[slice(*one.span)] == one.text for one in found)
    loaded.save(tmp_path / "saved.glyphone")
    assert pipeline.load(tmp_path / "saved.glyphone")(PAT).candidates == found
