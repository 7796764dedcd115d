"""Generated messages: their parts with frequencies, and disjoint training and test parts."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.data.sources.census import read_census
from glyphone.voicemail.generator.draws import Draws, read_setting, value_probabilities
from glyphone.voicemail.generator.generate import generate
from glyphone.voicemail.generator.people import people_of
from glyphone.voicemail.generator.statistics import (
    EXPECTED,
    corpus_statistics,
    entropy,
    statistics_page,
)
from glyphone.voicemail.generator.templates import (
    LINES,
    NAME,
    MessageTemplates,
    template_rows,
    template_variants,
)
from glyphone.voicemail.records.messages import Message, format_message, parse_message, tag_text
from tests.sources import need_source, put_source


@cache
def corpus() -> tuple[Message, ...]:
    return tuple(generate(8120, seed=1, part="paper"))


def test_statistics_agree_with_the_paper() -> None:
    found = corpus_statistics(corpus())
    outside = {
        name: found[name]
        for name, (least, most) in EXPECTED.items()
        if not least <= found[name] <= most
    }
    assert outside == {}
    assert found["messages"] == 8120


def test_distributions_have_the_entropies_of_the_paper() -> None:
    """Name starts and phrase lengths are sums of draws; their distributions are computed here."""
    start, prefix = value_probabilities("start"), value_probabilities("phrase.prefix")
    name, suffix = value_probabilities("phrase.name"), value_probabilities("phrase.suffix")
    assert bits(start) == pytest.approx(1.48, abs=0.02)
    assert bits(name) == pytest.approx(1.17, abs=0.02)
    assert bits(added(start, prefix)) == pytest.approx(2.20, abs=0.03)
    named, rest = read_setting("phrase.named"), value_probabilities("phrase.nameless")
    lengths = added(added(prefix, name), suffix)
    mixed = {n: named * lengths.get(n, 0) + (1 - named) * rest.get(n, 0) for n in lengths}
    assert bits(mixed) == pytest.approx(3.11, abs=0.03)
    assert max(lengths) == 4 + 8 + 35 and max(start) == 135


def added(one: dict, other: dict) -> dict:
    """The distribution of a sum."""
    found: dict = {}
    for a, p in one.items():
        for b, q in other.items():
            found[a + b] = found.get(a + b, 0) + p * q
    return found


def bits(shares: dict) -> float:
    return -sum(p * math.log2(p) for p in shares.values() if p)


def test_entropy() -> None:
    assert entropy([]) == 0 and entropy("aaaa") == 0 and entropy("abcd") == 2


def test_a_message_depends_on_its_seed_and_number_alone() -> None:
    short, long = list(generate(20, seed=5)), list(generate(40, seed=5))
    assert long[:20] == short
    assert list(generate(20, seed=6)) != short
    noisy = list(generate(20, seed=5, noise=None, times=True))
    assert [message.words for message in noisy] == [message.words for message in short]


def test_marked_words_are_in_the_message() -> None:
    months = {"January", "February", "March", "April", "May", "June", "July"}
    months |= {"August", "September", "October", "November", "December"}
    for message in corpus()[:1000]:
        name = message.words[slice(*(message.caller_name or (0, 0)))]
        assert all(word[0].isupper() for word in name)
        for number in message.numbers:
            words = message.words[number.begin : number.end]
            assert not any(word[0].isupper() for word in words)
            assert (number.digits is None) == (number.manner == "abandoned")
            assert (number.digits or "0").isdecimal()
            assert (number.kind == "worded") <= bool({"area", "extension"} & set(words))
        spans = sorted((number.begin, number.end) for number in message.numbers)
        assert all(a[1] <= b[0] for a, b in pairwise(spans))
        assert all(word == word.lower() or word[0].isupper() for word in message.words)


def test_numbers_of_seven_digits_may_have_any_fourth() -> None:
    fourth = {n.digits[3] for m in corpus() for n in m.numbers if n.digits and len(n.digits) == 7}
    first = {n.digits[0] for m in corpus() for n in m.numbers if n.digits and len(n.digits) == 7}
    assert fourth == set("0123456789") and first == set("23456789")


def test_parts_share_no_names() -> None:
    train, test = people_of("train"), people_of("test")
    names = [{*part.first.values, *part.last.values} for part in (train, test)]
    assert not names[0] & names[1] and min(map(len, names)) > 200


def grams(parts: set[str], kinds: set[str], n: int) -> set[tuple[str, ...]]:
    return {
        words[k : k + n]
        for part, kind, text in template_rows()
        if part in parts and kind in kinds
        for words in map(tuple, map(str.split, template_variants(text)))
        for k in range(len(words) - n + 1)
    }


def test_parts_share_no_templates() -> None:
    train, test = set(LINES["varied"]) - {"both"}, {"test"}
    texts = [
        {
            (kind, one)
            for part, kind, text in template_rows()
            if part in some
            for one in template_variants(text)
        }
        for some in (train, test)
    ]
    assert not texts[0] & texts[1]
    assert not grams(train, {"suffix"}, 3) & grams(test, {"suffix"}, 3)
    assert not grams(train, {"body"}, 5) & grams(test, {"body"}, 5)


@pytest.mark.parametrize("part", LINES)
def test_every_template_can_be_filled(part: str) -> None:
    templates = MessageTemplates(part)  # type: ignore[arg-type]
    for kind, some in templates.kinds.items():
        for template in some:
            piece = templates.fill(Draws(f"{kind} {part}"), template)
            assert not any(set("{}[]()<>|") & set(word) for word in piece.words)
            marks = [mark for mark in piece.marks if mark.kind != NAME]
            assert bool(marks) == kind.startswith("distractor")


def test_varied_messages_have_callers_everywhere_and_figures() -> None:
    found = list(generate(400, seed=9, part="varied"))
    full = [message for message in found if message.words]
    phrases = [(one, one.caller_phrase) for one in full if one.caller_phrase]
    assert 0.8 * len(full) < len(phrases) < 0.97 * len(full)
    assert any(end == len(one.words) for one, (_, end) in phrases)
    assert any(begin > 20 and end < len(one.words) for one, (begin, end) in phrases)
    assert any(one.caller_name is None for one, _ in phrases)
    kinds = {number.kind for one in full for number in one.numbers}
    assert kinds == {"spoken", "worded", "messy", "written"}
    for one in full:
        assert not any(mark.kind == NAME for mark in one.marks)
        assert all(word[0].isupper() for word in one.text_of(one.caller_name).split())
        for number in one.numbers:
            if number.kind == "written" and number.digits:
                said = "".join(one.words[number.begin : number.end])
                assert any(sign.isdecimal() for sign in said)


def test_a_message_survives_json() -> None:
    for message in generate(50, seed=3, times=True):
        assert parse_message(format_message(message)) == message


def test_marked_up() -> None:
    for message in corpus()[:200]:
        words = tag_text(message).split()
        assert tuple(word for word in words if not word.startswith("<")) == message.words
        assert words.count("<telno>") == words.count("</telno>") == len(message.numbers)
        assert words.count("<caller>") == (message.caller_phrase is not None)


def test_wrong_requests_are_refused() -> None:
    with pytest.raises(GlyphoneError, match="-1 messages"):
        generate(-1, seed=0)
    with pytest.raises(UnknownName, match="part"):
        people_of("dev")  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="lists"):
        people_of("train", "german")  # type: ignore[arg-type]


def test_names_of_the_census(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lists = {
        "male.first": "KIM 0.100 0.1 1\nJOHN 3.2 3.3 2\n",
        "female.first": "KIM 0.200 0.2 1\nZOLA 0.000 0.2 2\n",
        "all.last": "SMITH 1.006 1.006 1\n",
    }
    members = {f"names-0.3.0/names/dist.{name}": text for name, text in lists.items()}
    put_source(monkeypatch, tmp_path, "names", members)
    assert read_census("first") == {"Kim": pytest.approx(0.3), "John": 3.2, "Zola": 0.0005}
    people_of.cache_clear()
    people = people_of("paper", "census")
    people_of.cache_clear()
    assert {*people.first.values} == {"Kim", "John", "Zola"}
    assert [*people.last.values] == ["Smith"]


def test_the_lists_of_the_census_themselves() -> None:
    need_source("names")
    first, last = read_census("first"), read_census("last")
    assert (len(last), last["Smith"], last["Aalderink"]) == (88_799, 1.006, 0.0005)
    assert first["Leslie"] == pytest.approx(0.081 + 0.154)


def test_page() -> None:
    page = statistics_page({"messages": 3.0, "spoken": 0.5})
    assert "0.825 to 0.855" in page and page.splitlines()[1].split() == ["messages", "3"]
