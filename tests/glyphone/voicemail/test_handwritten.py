"""The hand-written messages are gold, and unlike the templates."""

from __future__ import annotations

from pathlib import Path

from glyphone.voicemail.generator.templates import template_rows, template_variants
from glyphone.voicemail.records.messages import Message, read_messages

PATH = Path(__file__).with_name("handwritten.jsonl")
CALLERS = 45


def messages() -> list[Message]:
    return list(read_messages(PATH))


def test_there_are_enough() -> None:
    found = messages()
    assert len(found) >= 60 and len({message.id for message in found}) == len(found)
    assert sum(message.caller_name is not None for message in found) >= CALLERS
    assert sum(len(message.numbers) for message in found) >= CALLERS


def test_they_are_unlike_the_templates() -> None:
    """No five words of a sentence of the generator stand in them."""

    def grams(words: list[str]) -> set[tuple[str, ...]]:
        return {tuple(words[k : k + 5]) for k in range(len(words) - 4)}

    texts = (one for _, _, text in template_rows() for one in template_variants(text.lower()))
    templates = {gram for text in texts for gram in grams(text.split())}
    for message in messages():
        assert not templates & grams([word.lower() for word in message.words]), message.id


def test_no_parts_overlap() -> None:
    for message in messages():
        spans = sorted((number.begin, number.end) for number in message.numbers)
        ends = [end for _, end in spans]
        assert all(begin >= end for (begin, _), end in zip(spans[1:], ends, strict=False))
        assert (message.caller_name is None) or message.caller_phrase is not None
