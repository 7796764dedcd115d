"""Word lists: order, frequencies, languages that have none, made up and real."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from glyphone.data.errors import UnknownName
from glyphone.data.scripts.scripts import script_of
from glyphone.data.sources.wordfreq import read_words


class NoTag(ValueError):
    pass


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = {"hi": [[], [], ["का", "के"], [], ["news", "घर"]]}

    def standardize_tag(tag: str, *, macro: bool) -> str:
        assert macro
        if not tag.isalpha():
            raise NoTag(tag)
        return {"hin": "hi"}.get(tag, tag)

    wordfreq = SimpleNamespace(
        available_languages=lambda: {"hi": "large_hi"},
        read_cBpack=lambda path: lists[path.removeprefix("large_")],
    )
    codes = SimpleNamespace(standardize_tag=standardize_tag, LanguageTagError=NoTag)
    monkeypatch.setitem(sys.modules, "wordfreq", wordfreq)
    monkeypatch.setitem(sys.modules, "langcodes", codes)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("language", ["hi", "hin"])
def test_words_and_frequencies(language: str) -> None:
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


def test_the_lists_themselves() -> None:
    pytest.importorskip("wordfreq", reason="the word lists are a package of their own")
    words = list(read_words("ben", script="Beng"))
    # 216,138 in version 3.1.1, of 238,743
    assert len(words) > 200_000
    assert {script_of(word) for word, _ in words[:1000]} == {"Beng"}
    frequencies = [frequency for _, frequency in words]
    assert frequencies == sorted(frequencies, reverse=True)
    assert 0 < sum(frequencies) <= 1.2
    with pytest.raises(UnknownName, match="no word list of language named 'mar'"):
        read_words("mar")
