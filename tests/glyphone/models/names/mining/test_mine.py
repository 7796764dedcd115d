"""The miner on names made up for the test: what it keeps, drops, and never learns from itself."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from glyphone.cli import Parser
from glyphone.cli import mine as verb
from glyphone.data.errors import GlyphoneError
from glyphone.data.records import NamePair
from glyphone.models.names.languages import Language, Sources, find_language
from glyphone.models.names.mining import filter as mining_filter
from glyphone.models.names.mining import mine as mining_mine
from glyphone.models.names.mining.candidates import Candidate, candidates_of
from glyphone.models.names.mining.filter import (
    FAR,
    NOT_FOUND,
    RIVAL,
    FilterOptions,
    Verdict,
    judge_candidates,
)
from glyphone.models.names.script import Script, script_of

PAIRS = dict(zip("abdgiklmnoprstuz", "абдгиклмнопрстуз", strict=True))
LANGUAGE = Language(
    code="inv", name="Invented", script="Cyrl", letters=" ".join(PAIRS.values()), cased=False
)
SYLLABLES = ["ba", "do", "gi", "ka", "lu", "mi", "no", "pa", "ri", "su", "ta", "zo"]


def spelt(word: str) -> str:
    return "".join(PAIRS[letter] for letter in word)


def name(latin: str, native: str, key: str = "", source: str = "test") -> NamePair:
    return NamePair(latin, native, source, key or latin, "name")


TRUE = ["".join(parts) for parts in itertools.product(SYLLABLES, repeat=2)]
NAMES = [name(word, spelt(word)) for word in TRUE]
# "Long" is translated, by many places; three names are of other places.
TRANSLATED = [name(f"Lon {word}", f"дигу {spelt(word)}") for word in TRUE[:40]]
WRONG = [name("zozimo", "баканали"), name("talupa", "ризоно"), name("misusi", "бабадо")]


def kept(names: list[NamePair], **options: float) -> dict[tuple[str, str], Verdict]:
    script = Script(LANGUAGE)
    pool = candidates_of(names, script)
    verdicts = judge_candidates(pool.candidates, script, FilterOptions(**options)).verdicts  # type: ignore[arg-type]
    return {(v.candidate.latin, v.candidate.native): v for v in verdicts}


def test_transcriptions_are_kept_and_other_names_dropped() -> None:
    verdicts = kept([*NAMES, *WRONG])
    assert all(not verdicts[word, spelt(word)].reason for word in TRUE)
    assert [verdicts[one.latin, one.native].reason for one in WRONG] == [NOT_FOUND] * 3


def test_a_translation_does_not_vouch_for_itself_however_many_places_have_it() -> None:
    verdicts = kept([*NAMES, *TRANSLATED])
    translation = verdicts["lon", "дигу"]
    assert len(translation.candidate.keys) == 40
    assert translation.reason == NOT_FOUND


def test_no_model_sees_the_words_it_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[set[str], set[str]]] = []
    build, decide = mining_filter.model_of, mining_filter.verdicts_on

    def model_of(pairs, script, *, jobs):  # type: ignore[no-untyped-def]
        seen.append(({"".join(p.source) for p in pairs}, {"".join(p.target) for p in pairs}))
        return build(pairs, script, jobs=jobs)

    def verdicts_on(candidates, texts, model, *, n):  # type: ignore[no-untyped-def]
        latin, native = seen[-1]
        assert latin.isdisjoint(one.latin for one in candidates)
        assert native.isdisjoint(texts)
        return decide(candidates, texts, model, n=n)

    monkeypatch.setattr(mining_filter, "model_of", model_of)
    monkeypatch.setattr(mining_filter, "verdicts_on", verdicts_on)
    kept([*NAMES, *TRANSLATED])
    assert seen


def test_candidates_that_cannot_be_are_dropped_with_the_reason() -> None:
    language = find_language("rus")
    names = [
        name("Kyiv", "Київ", source="geonames"),
        name("New York City", "Нью Йорк"),
        name("St. John", "Сент Джон"),
        name("Ormylia", "Ьрмилия"),
        name("Lugansk", "Луганськ"),
        name("A", "А"),
        name("Omsk", "Омск"),
    ]
    pool = candidates_of(names, script_of(language))
    assert [(one.latin, one.native) for one in pool.candidates] == [("omsk", "Омск")]
    assert pool.dropped == {
        "letters of another language": ["Kyiv Київ"],
        "not as many words": ["New York City Нью Йорк"],
        "is abbreviated": ["St. John Сент Джон"],
        "spelt as in another language": ["lugansk Луганськ"],
        "one letter": ["a А"],
        "ill-formed": ["ormylia Ьрмилия"],
    }


def test_far_and_rival_words_are_told_apart_by_posteriors() -> None:
    def verdict(native: str, posterior: float, best: float) -> Verdict:
        return Verdict(
            Candidate("goa", native, (native,), (("test", "1"),)), "", 1, posterior, best
        )

    assert mining_filter.drop_far(verdict("a", 0.1, 0.5), 0.3, 0.0).reason == FAR
    assert mining_filter.drop_far(verdict("a", 0.2, 0.5), 0.3, 0.25).reason == FAR
    assert mining_filter.drop_far(verdict("a", 0.2, 0.5), 0.3, 0.0).reason == ""
    rivals = [verdict("a", 0.5, 0.6), verdict("b", 0.3, 0.6), verdict("c", 0.04, 0.6)]
    found = mining_filter.without_rivals(rivals, 0.1)
    assert [one.reason for one in found] == ["", "", RIVAL]


def test_options_out_of_range_are_refused() -> None:
    for options in ({"nbest": 0}, {"rounds": 0}, {"seed_share": 0.0}, {"rival": 1.5}):
        with pytest.raises(GlyphoneError, match=next(iter(options))):
            FilterOptions(**options)  # type: ignore[arg-type]


@pytest.fixture
def invented(monkeypatch: pytest.MonkeyPatch) -> Language:
    monkeypatch.setattr(
        mining_mine, "names_of", lambda language, population: iter([*NAMES, *WRONG])
    )
    monkeypatch.setattr(mining_mine.languages, "find_language", lambda code: LANGUAGE)
    return LANGUAGE


def run(tmp_path: Path, *more: str) -> tuple[list[str], list[str], str]:
    parser = Parser()
    verb.add_arguments(parser)
    paths = [str(tmp_path / name) for name in ("pairs.tsv", "dev.tsv", "report.json")]
    words = ["inv", "-o", paths[0], "--dev", paths[1], "--report", paths[2], *more]
    assert verb.run(parser.parse_args(words)) == 0
    pairs, dev, report = (Path(path).read_text(encoding="utf-8") for path in paths)
    return pairs.splitlines(), dev.splitlines(), report


@pytest.mark.usefixtures("invented")
def test_files_are_sorted_split_by_word_and_the_same_for_any_number_of_jobs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs, dev, report = run(tmp_path, "--jobs", "1")
    assert run(tmp_path, "--jobs", "3") == (pairs, dev, report)
    assert pairs == sorted(pairs) and dev == sorted(dev) and dev
    words = [{line.split("\t")[0] for line in part} for part in (pairs, dev)]
    assert words[0].isdisjoint(words[1])
    assert words[0] | words[1] == set(TRUE)
    assert all(
        line.split("\t")[1:] == [spelt(w), "1.0", "test", w]
        for line in dev
        for w in [line.split("\t")[0]]
    )
    told = json.loads(report)
    assert (told["candidates"], told["kept"], told["names"]) == (147, 144, {"test": 147})
    assert told["dropped"] == {NOT_FOUND: 3}
    assert told["examples"][NOT_FOUND] == sorted(f"{one.latin} {one.native}" for one in WRONG)
    assert "144 of 147 pairs of words kept" in capsys.readouterr().err


def test_nothing_kept_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(mining_mine, "names_of", lambda language, population: iter([]))
    job = mining_mine.MineJob(language="hin", output=str(tmp_path / "none.tsv"))
    with pytest.raises(GlyphoneError, match="no pair was kept"):
        mining_mine.mine_file(job)


def test_countries_and_cities_are_as_the_language_says(monkeypatch: pytest.MonkeyPatch) -> None:
    from glyphone.models.names.mining import candidates as mining_candidates

    cities = [
        NamePair("Omsk", "Омск", "geonames", "1", "name", country) for country in ("RU", "KZ")
    ]
    monkeypatch.setattr(mining_candidates, "read_geonames", lambda *a, **k: iter(cities))
    for sources, expected in (
        (Sources(), ["RU", "KZ"]),
        (Sources(countries=("KZ",)), ["KZ"]),
        (Sources(cities=False), []),
    ):
        language = Language(code="x", name="X", script="Cyrl", letters="о м", sources=sources)
        found = mining_candidates.names_of(language)
        assert [one.country for one in found] == expected
