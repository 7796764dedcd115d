"""Noise of a recogniser in messages."""

from __future__ import annotations

from itertools import product

import pytest

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.evaluation.measures import edit_distance as distance
from glyphone.voicemail.generator.confusions import Confusions, confusions_of
from glyphone.voicemail.generator.generate import generate
from glyphone.voicemail.generator.noise import CAP, Noise, base_rate, carry_span
from glyphone.voicemail.generator.statistics import corpus_statistics

LETTERS = Noise(by="letters")


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.23, 0.4])
def test_the_word_error_rate_is_as_asked(rate: float) -> None:
    messages = list(generate(600, seed=2, noise=Noise(rate=rate, by="letters")))
    found = corpus_statistics(messages).get("word error rate", 0.0)
    assert found == pytest.approx(rate, abs=0.01)


def test_noise_changes_only_words_with_errors() -> None:
    clean = list(generate(100, seed=4))
    quiet = list(generate(100, seed=4, noise=Noise(rate=0.0, by="letters")))
    for one, other in zip(clean, quiet, strict=True):
        assert tuple(word.lower() for word in one.words) == other.words
        assert (one.caller_phrase, one.caller_name) == (other.caller_phrase, other.caller_name)
        assert (one.numbers, one.marks) == (other.numbers, other.marks)


def test_names_are_hit_and_numbers_are_not() -> None:
    clean, noisy = (list(generate(600, seed=7, noise=noise)) for noise in (None, LETTERS))
    names = [
        one.text_of(one.caller_name).lower() == other.text_of(other.caller_name)
        for one, other in zip(clean, noisy, strict=True)
        if one.caller_name
    ]
    numbers = [
        (one.words[a.begin : a.end], other.words[b.begin : b.end])
        for one, other in zip(clean, noisy, strict=True)
        for a, b in zip(one.numbers, other.numbers, strict=True)
    ]
    assert sum(names) / len(names) < 0.4
    assert sum(a == b for a, b in numbers) / len(numbers) > 0.95
    digits = [[n.digits for n in m.numbers] for m in clean]
    assert digits == [[n.digits for n in m.numbers] for m in noisy]


@pytest.mark.parametrize("factors", [[1.0], [1.0, 3.0], [0.01] * 9 + [3.0], [1.0] * 20 + [3.0] * 3])
@pytest.mark.parametrize("rate", [0.05, 0.23, 0.6, 0.95])
def test_base_makes_the_mean_the_rate(factors: list[float], rate: float) -> None:
    b = base_rate(factors, rate)
    mean = sum(min(CAP, b * factor) for factor in factors) / len(factors)
    # Where even the most cannot make it, no word is hit more often than CAP.
    assert mean == pytest.approx(rate) or b == CAP


def test_spans_are_carried_over() -> None:
    kept = [
        (0, 1),
        (1, 1),
        (1, 2),
        (3, 4),
    ]  # the second word was lost, one came in behind the third
    assert carry_span((0, 2), kept) == (0, 1)
    assert carry_span((2, 4), kept) == (1, 4)
    assert carry_span((1, 2), kept) is None and carry_span(None, kept) is None


def test_near_words_are_all_that_are_near() -> None:
    """Against a comparison with every word."""
    words = ["".join(letters) for n in (1, 2, 3, 5) for letters in product("ab", repeat=n)]
    table = Confusions(dict.fromkeys(words, 1))
    for word in ("a", "ab", "aba", "babab", "aaaaa", "abc"):
        most = 2 if len(word) >= 5 else 1
        expected = {
            other: distance(word, other)
            for other in words
            if other != word
            and distance(word, other) <= most
            and distance(word, other) < max(len(word), len(other))
        }
        assert table.similar_words(word) == expected


def test_no_number_words_and_no_names_of_the_other_part_are_heard() -> None:
    known = confusions_of("train", by="letters").weights
    assert "seven" not in known and "reach" in known
    assert not known.keys() & {name.lower() for name in names_of_test()}


def names_of_test() -> set[str]:
    from glyphone.voicemail.generator.people import people_of

    return {*people_of("test").first.values}


def test_wrong_noise_is_refused() -> None:
    with pytest.raises(GlyphoneError, match="impossible noise"):
        Noise(rate=1.5)
    with pytest.raises(UnknownName, match="confusions"):
        confusions_of("train", by="looks")  # type: ignore[arg-type]
