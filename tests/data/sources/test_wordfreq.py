"""Word lists: order, frequencies, languages that have none, made up and real."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from glyphone.data.errors import FormatError, UnknownName
from glyphone.data.scripts.scripts import script_of
from glyphone.data.sources.pinned import sources_used
from glyphone.data.sources.wordfreq import HEADER, LISTS, read_words, word_lists
from tests.data.sources.test_msgpack import packed
from tests.sources import need_source, put_source

HINDI = [HEADER, [], [], ["का", "के"], [], ["news", "घर"]]


def put_lists(monkeypatch: pytest.MonkeyPatch, folder: Path, **lists: Any) -> None:
    """A wheel with some lists."""
    members = {
        f"wordfreq/data/{name}.msgpack.gz": gzip.compress(packed(content))
        for name, content in lists.items()
    }
    put_source(monkeypatch, folder, "wordfreq", {**members, "wordfreq/__init__.py": "1 / 0"})


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    short = [HEADER, ["short"]]
    put_lists(monkeypatch, tmp_path, small_hi=short, large_hi=HINDI, small_en=short)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("language", ["hi", "hin"])
def test_words_and_frequencies_of_the_longer_list(language: str) -> None:
    words, frequencies = zip(*read_words(language), strict=True)
    assert words == ("का", "के", "news", "घर")
    assert frequencies == pytest.approx([10**-0.02, 10**-0.02, 10**-0.04, 10**-0.04])


@pytest.mark.usefixtures("few")
def test_words_of_one_script() -> None:
    assert [word for word, _ in read_words("hi", script="Deva")] == ["का", "के", "घर"]
    with pytest.raises(UnknownName, match=r"no script named 'Dewa' \(did you mean Deva"):
        read_words("hi", script="Dewa")


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("language", ["mar", "no language"])
def test_no_other_language_stands_in(language: str) -> None:
    with pytest.raises(UnknownName, match=f"no word list of language named '{language}'.*hi"):
        read_words(language)


@pytest.mark.usefixtures("few")
def test_a_model_can_say_where_its_words_are_from() -> None:
    with sources_used() as sources:
        assert [*read_words("eng")] == [("short", 1.0)]
    assert sources["wordfreq"].licence == "CC-BY-SA-4.0"


@pytest.mark.parametrize("content", [[{"format": "cB", "version": 2}], [7, ["word"]], "word"])
def test_lists_of_another_format(
    content: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    put_lists(monkeypatch, tmp_path, large_hi=content)
    with pytest.raises(FormatError, match=r"large_hi.msgpack.gz: the header is"):
        [*read_words("hin")]


def test_the_lists_themselves() -> None:
    need_source("wordfreq")
    words = list(read_words("ben", script="Beng"))
    # Of 238,743.
    assert len(words) == 216_138
    assert {script_of(word) for word, _ in words[:1000]} == {"Beng"}
    frequencies = [frequency for _, frequency in words]
    assert frequencies == sorted(frequencies, reverse=True)
    assert 0 < sum(frequencies) <= 1.2
    with pytest.raises(UnknownName, match="no word list of language named 'mar'"):
        read_words("mar")
    assert {*LISTS.values()} == {*word_lists()}
