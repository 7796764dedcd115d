"""Lexicons by name: parts that do not overlap, files that come first, names that are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.data.errors import UnknownName
from glyphone.data.lexicons.named import PARTS, named_lines
from glyphone.data.lexicons.tsv import read_lexicon


@pytest.mark.usefixtures("few_english_words")
def test_parts_hold_every_word_once() -> None:
    parts = [{pair.source for pair in read_lexicon(f"cmudict:{part}")} for part in PARTS]
    whole = {pair.source for pair in read_lexicon("cmudict")}
    assert set.union(*parts) == whole
    assert sum(map(len, parts)) == len(whole)
    sizes = [len(part) / len(whole) for part in parts]
    assert sizes == pytest.approx(list(PARTS.values()), abs=0.01)


@pytest.mark.usefixtures("few_english_words")
@pytest.mark.parametrize("part", PARTS)
def test_parts_with_stress_hold_the_same_words(part: str) -> None:
    plain, stressed = (
        list(read_lexicon(f"{name}:{part}")) for name in ("cmudict", "cmudict-stress")
    )
    assert {pair.source for pair in stressed} == {pair.source for pair in plain}
    bare = [(pair.source, tuple(x.rstrip("012") for x in pair.target)) for pair in stressed]
    assert dict.fromkeys(bare) == dict.fromkeys((pair.source, pair.target) for pair in plain)
    ends = {symbol[-1] for pair in stressed for symbol in pair.target if symbol[-1].isdigit()}
    assert ends == set("012")


def test_a_file_comes_before_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cmudict").write_text("a\tx\n", encoding="utf-8")
    assert named_lines("cmudict") is None
    assert [pair.target for pair in read_lexicon("cmudict")] == [("x",)]


def test_a_part_that_is_none() -> None:
    for name in ("cmudict", "cmudict-stress"):
        with pytest.raises(UnknownName, match=rf"part of {name} .*tset.*test"):
            named_lines(f"{name}:tset")
