"""Candidates for telephone numbers: their words, their digits and other readings."""

from __future__ import annotations

import random
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

from glyphone.data.lexicons.tsv import read_table
from glyphone.fst.rules.interpreter import run
from glyphone.grammars.eng.numbers.words import DIGIT_OF, NUMBER_WORDS
from glyphone.grammars.eng.phone_numbers import DIGITS
from glyphone.voicemail.proposals import vocabulary
from glyphone.voicemail.proposals.finder import MOST_DIGITS, Finder, ProposalOptions, load_grammar
from glyphone.voicemail.records.candidates import Alternative, NumberCandidate

DEVELOPMENT = Path(__file__).with_name("development.tsv")


@cache
def finder(fewest: int = 4) -> Finder:
    return Finder(load_grammar(), options=ProposalOptions(fewest=fewest))


def found(text: str) -> list[NumberCandidate]:
    return finder()(text.split())


def maximal(text: str) -> list[tuple[str, str, str]]:
    """Words, digits and extension of the candidates that are part of no other."""
    words = text.split()
    return [
        (" ".join(words[one.begin : one.end]), one.digits, one.extension)
        for one in found(text)
        if one.maximal
    ]


def test_numbers_marked_by_hand_are_proposed() -> None:
    """At least .985 of the numbers, with their digits, and at most 3.2 candidates for each."""
    n_numbers = n_found = n_candidates = 0
    for text, wanted in read_table(DEVELOPMENT, columns=2):
        parts = re.split(r"\[(.*?)\]", text)
        words, spans = [], []
        for place, part in enumerate(parts):
            begin = len(words)
            words += part.split()
            if place % 2:
                spans.append((begin, len(words)))
        candidates = finder()(words)
        digits = {one.span: f"{one.digits}x{one.extension}".rstrip("x") for one in candidates}
        n_numbers += len(spans)
        n_found += sum(
            digits.get(span) == number for span, number in zip(spans, wanted.split(), strict=True)
        )
        n_candidates += len(candidates)
    assert n_numbers >= 50
    assert n_found >= 0.985 * n_numbers
    assert n_candidates <= 3.2 * n_numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", []),
        ("hello", []),
        ("five", []),
        ("extension", []),
        ("sorry no wait", []),
        ("call extension please", []),
        ("five five five one two one two", [("five five five one two one two", "5551212", "")]),
        ("area code nine oh eight", []),
        (
            "it's five five five oh one four three bye",
            [("five five five oh one four three", "5550143", "")],
        ),
        ("call 555-1234.", [("555-1234.", "5551234", "")]),
        ("call (212) 555-0143 x22, thanks", [("(212) 555-0143 x22,", "2125550143", "22")]),
        ("Call 555 Twelve 12", [("555 Twelve 12", "5551212", "")]),
        ("dial 1-800-555-0119 now", [("1-800-555-0119", "18005550119", "")]),
        ("dial +1.212.555.0143 now", [("+1.212.555.0143", "+12125550143", "")]),
        ("fifty-five fifty-five", [("fifty-five fifty-five", "5555", "")]),
        ("at extension four three two one", [("extension four three two one", "4321", "")]),
        ("🎉 call five thousand 🎉", [("five thousand", "5000", "")]),
    ],
)
def test_maximal_candidates(text: str, numbers: list[tuple[str, str, str]]) -> None:
    assert maximal(text) == numbers


def test_two_numbers_in_a_row_are_both_proposed() -> None:
    words = "five five five one two one two five five five one two one three".split()
    spans = {one.span: one.digits for one in finder()(words)}
    assert spans[0, 7] == "5551212"
    assert spans[7, 14] == "5551213"


def test_words_in_plain_use_give_single_digits_only() -> None:
    proposals = finder(fewest=1)("this one is for the two of us".split())
    assert {one.digits for one in proposals} == {"1", "2"}


def test_other_readings_of_the_words_are_reported() -> None:
    [one] = [one for one in found("meet me at ten thirty tonight") if one.maximal]
    assert one.digits == "1030"
    assert {reading.label for reading in one.readings} == {"time"}
    assert one.posterior < 0.1 < one.readings[0].posterior


def test_alternatives_have_shares() -> None:
    [one] = [one for one in found("call two one two five five five twenty five") if one.maximal]
    assert [way.digits for way in one.alternatives] == ["21255525", "212555205"]
    assert sum(way.posterior for way in one.alternatives) == pytest.approx(1)


def test_single_digits_are_read_as_the_grammar_reads_them() -> None:
    """Which needs no decoder for them."""
    draws = random.Random(2)
    singles = [*DIGIT_OF]
    for _ in range(40):
        words = [draws.choice(singles) for _ in range(draws.randint(4, 12))]
        for one in finder(1)(words):
            ways = run(DIGITS, tuple(words[one.begin : one.end]))
            assert ["".join(way.output) for way in ways] == [one.digits]
            assert one.alternatives == (Alternative(one.digits, "", 1.0),)


def test_no_words_have_more_digits_than_they_are_taken_to_have_at_most() -> None:
    draws = random.Random(3)
    words = [*NUMBER_WORDS, "double", "triple", "extension", "area", "code", "to", "for", "uh"]
    n_read = 0
    for _ in range(300):
        said = [draws.choice(words) for _ in range(draws.randint(1, 5))]
        ways = run(DIGITS, tuple(said))
        n_read += bool(ways)
        most = sum(MOST_DIGITS.get(word, 0) for word in said)
        assert all(sum(map(str.isdigit, way.output)) <= most for way in ways)
    assert n_read > 50


def test_readings_are_of_the_message_itself() -> None:
    """Readings at the end of the message before are not taken for its own."""
    before = "one more thing about nineteen eighty four it was one of them".split()
    words = "five five five one two".split()
    together = finder(1).propose([before, words])
    assert together.candidates[1] == finder(1)(words)
    for number, message in enumerate([before, words]):
        assert together.readings_of(number) == finder(1).propose([message]).readings_of(0)


def test_a_number_said_twice_supports_itself() -> None:
    text = "five five five one two one two again that's five five five twelve twelve"
    assert [one.support for one in found(text) if one.maximal] == [1, 1]


def test_messages_do_not_touch_each_other() -> None:
    texts = ["call five five five", "one two one two", "", "it's five five five one two one two"]
    together = finder().find([text.split() for text in texts])
    assert together == [finder()(text.split()) for text in texts]


def test_threads_may_share_a_finder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "MOST_WORDS", 20)
    texts = [f"word{k} call five five five one two one {k % 10} other{k}" for k in range(120)]
    given = [text.split() for text in texts]
    alone = [finder()(words) for words in given]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(finder(), given)) == alone


def test_the_unknown_and_the_odd_are_words() -> None:
    words = [
        "\ud83d",
        "",
        "٣٤٥",
        "Ⅷ",
        "５５５",
        "²",
        "-",
        "--",
        "5" * 40,
        "1/2",
        "$",
        "%",
        "4:30pm",
    ]
    assert all(one.end <= len(words) for one in finder(1)(words))
