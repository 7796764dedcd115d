"""Names of two scripts in lists: candidates by words in Latin letters, and partners."""

from __future__ import annotations

from copy import copy
from pathlib import Path

import pytest

from glyphone.learners.matching.matcher import NameMatcher
from glyphone.matching import file as matcher_file
from glyphone.matching.comparer import Comparer
from glyphone.matching.run import MatchRequest, match
from glyphone.matching.spellings import NameSpeller
from tests.glyphone.matching.names import small_matcher

LATIN, CYRILLIC = ["Ivan Petrov", "Olga Smirnova", "Boris Lvov"], ["Ольга Смирнова", "Иван Петров"]


@pytest.fixture
def matcher() -> NameMatcher:
    return copy(small_matcher())


def test_words_by_which_candidates_are_found(matcher: NameMatcher) -> None:
    alone = Comparer(matcher).words_of(CYRILLIC)
    assert alone("Иван Петров") == ["иван", "петров"]
    matcher.speller = NameSpeller({})
    words = Comparer(matcher).words_of([*LATIN, *CYRILLIC])
    assert words("Иван Петров") == ["иван", "ivan", "петров", "petrov"]
    assert words("Ivan Petrov") == ["ivan", "petrov"]


@pytest.mark.parametrize("few", [0, 50_000])
def test_partners_in_another_script(
    matcher: NameMatcher,
    few: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whether all pairs are compared, or those of an index."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("glyphone.matching.candidates.FEW", few)
    monkeypatch.setattr("glyphone.catalog.names.model_of", lambda name: None)
    matcher_file.save(matcher, "m.glyphone")
    Path("latin.txt").write_text("\n".join(LATIN), encoding="utf-8")
    Path("cyrillic.txt").write_text("\n".join(CYRILLIC), encoding="utf-8")
    request = MatchRequest(
        first="cyrillic.txt", second="latin.txt", model="m.glyphone", threshold=0.0
    )
    assert match(request, jobs=1) == 0
    rows = [line.split("\t")[:2] for line in capsys.readouterr().out.splitlines()]
    assert rows == [["Ольга Смирнова", "Olga Smirnova"], ["Иван Петров", "Ivan Petrov"]]
