"""Two models of callers, sorted by capital letters."""

from __future__ import annotations

from glyphone.voicemail.callers.file import pack_pair, unpack_pair
from glyphone.voicemail.callers.options import CallerOptions
from glyphone.voicemail.callers.training import train_pair
from glyphone.voicemail.generator.generate import generate
from glyphone.voicemail.generator.noise import Noise

OPTIONS = CallerOptions(places=12, max_iter=8, min_count=3)


def test_each_sort_has_a_model_of_its_own() -> None:
    clean = list(generate(80, seed=1))
    heard = list(generate(80, seed=2, noise=Noise(by="letters")))
    pair = train_pair([*clean, *heard], options=OPTIONS)
    assert pair.written is not pair.heard
    messages = [one.words for one in (*clean[:9], *heard[:9])]
    found = pair.find(messages)
    for words, one in zip(messages, found, strict=True):
        assert [one] == pair.model_of(words).find([words])
    again = unpack_pair(pack_pair(pair, "x/"), "x/", None)
    assert again.find(messages) == found


def test_where_there_is_one_sort_there_is_one_model() -> None:
    pair = train_pair(list(generate(60, seed=1)), options=OPTIONS)
    assert pair.written is pair.heard
