"""Transcripts in the forms of recognisers, and lines that are refused."""

from __future__ import annotations

import json

import pytest

from glyphone.data.errors import ItemError
from glyphone.voicemail.records.transcripts import Transcript, parse_transcript


def of(**row: object) -> Transcript:
    return parse_transcript(json.dumps(row))


def test_words_say_more_than_text() -> None:
    assert of(text="x", words=["a", "b"]).words == ("a", "b")
    assert of(text=" a  b\n").words == ("a", "b") and of(text="").words == ()
    assert of(text="a b", id=3).id == "3" and of(text="a", more=1).fields["more"] == 1


def test_times() -> None:
    assert of(text="a b", times=[[0, 1], [1, 2.5]]).times == ((0, 1), (1, 2.5))
    assert of(words=[{"word": "a", "start": 1, "end": 2}]).times == ((1, 2),)
    assert of(words=[{"word": "a", "confidence": 0.3}]).times == ()


def test_n_best_lists_are_sorted() -> None:
    found = of(nbest=[{"text": "a", "score": -2}, {"words": ["b", "c"], "score": -1}])
    assert (found.words, found.score, found.others) == (("b", "c"), -1, ((("a",), -2),))


def test_confusion_networks() -> None:
    found = of(slots=[[["a", 0.4], ["b", 0.6]], [["", 0.9], ["c", 0.1]], [["d", 1]]])
    assert found.words == ("b", "d") and found.slots[1] == (("", 0.9), ("c", 0.1))


def test_times_are_of_the_best_hypothesis() -> None:
    said = [{"word": "b", "start": 1, "end": 2}]
    found = of(nbest=[{"text": "a", "score": -2}, {"words": said, "score": -1}])
    assert (found.words, found.times) == (("b",), ((1, 2),))
    found = of(nbest=[{"text": "a", "score": -1}, {"words": said, "score": -2}])
    assert (found.words, found.times) == (("a",), ())
    found = of(nbest=[{"text": "a", "score": 0}], times=[[3, 4]])
    assert found.times == ((3, 4),)


def test_times_of_slots_or_of_their_words() -> None:
    slots = [[["a", 0.4], ["b", 0.6]], [["", 0.9], ["c", 0.1]], [["d", 1]]]
    of_slots, of_words = [[0, 1], [1, 2], [2, 3]], [[0, 1], [2, 3]]
    assert of(slots=slots, times=of_slots).times == ((0, 1), (2, 3))
    assert of(slots=slots, times=of_words).times == ((0, 1), (2, 3))
    with pytest.raises(ItemError):
        of(slots=slots, times=[[0, 1]])


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        "{",
        "7",
        "{}",
        '{"transcript": "a"}',
        '{"text": 7}',
        '{"text": null}',
        '{"words": "a b"}',
        '{"words": ["a b"]}',
        '{"words": [""]}',
        '{"words": [1]}',
        '{"words": [{"text": "a"}]}',
        '{"words": [{"word": "a", "start": 1}]}',
        '{"text": "a b", "times": [[0, 1]]}',
        '{"text": "a", "times": [[2, 1]]}',
        '{"text": "a", "times": [[0, "x"]]}',
        '{"text": "a", "times": 7}',
        '{"nbest": []}',
        '{"nbest": [{"text": "a"}]}',
        '{"nbest": [{"text": "a", "score": NaN}]}',
        '{"nbest": ["a"]}',
        '{"slots": [[]]}',
        '{"slots": [[["a"]]]}',
        '{"slots": [[["a", -1]]]}',
        '{"slots": [[["a b", 1]]]}',
        '{"text": "\\ud800"}',
        "[" * 100_000,
    ],
)
def test_lines_without_a_transcript_are_refused(line: str) -> None:
    with pytest.raises(ItemError):
        parse_transcript(line)
