"""Voicemail messages by the thousand, with all that is in them marked.

No corpus of voicemail can be had. This one has the totals and entropies that Jansche and Abney
(EMNLP 2002) tell of theirs, and tests programs; it says nothing about real messages. Templates and
names of the training and the test part have nothing in common but closed classes ("this is"). The
part `paper` has fewer templates, those of the specification's reference figures; `varied` is to
learn from beside `train`, and has other structures and no totals of anybody's.

A message depends on the seed, the part and its own number only, so that a longer corpus begins with
a shorter one, and a noisy corpus has the messages of a clean one.

>>> messages = list(generate(5, seed=1))
>>> messages == list(generate(9, seed=1))[:5], messages == list(generate(5, seed=2))
(True, False)
>>> caller = next(filter(None, (message.of(message.caller_name) for message in messages)))
>>> caller.istitle()
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from glyphone.data.errors import GlyphoneError
from glyphone.voicemail.generator.confusions import confusions_of
from glyphone.voicemail.generator.draws import Draws
from glyphone.voicemail.generator.messages import draw_message
from glyphone.voicemail.generator.noise import Noise, add_noise
from glyphone.voicemail.generator.people import NameLists, Part
from glyphone.voicemail.generator.templates import Templates
from glyphone.voicemail.generator.varied import draw_varied
from glyphone.voicemail.records.messages import Message

# Seconds, about those of people who leave messages: 160 words a minute.
PER_LETTER, BETWEEN = 0.055, 0.12


def generate(
    n: int,
    *,
    seed: int,
    noise: Noise | float | None = None,
    part: Part = "train",
    names: NameLists = "own",
    times: bool = False,
) -> Iterator[Message]:
    """So many messages; `noise` is a recogniser's word error rate, or says more about it."""
    if n < 0:
        raise GlyphoneError(f"{n} messages cannot be made", remedy="ask for 0 or more")
    templates = Templates(part, names)
    if isinstance(noise, float):
        noise = Noise(rate=noise)
    heard_as = None if noise is None else confusions_of(part, names, noise.by)
    make = draw_varied if part == "varied" else draw_message

    def made(number: int) -> Message:
        name = f"{part}-{seed}-{number:06}"
        whole, phrase, caller = make(Draws(name), templates)
        found = Message(
            id=name,
            words=whole.words,
            caller_phrase=phrase,
            caller_name=caller,
            numbers=whole.numbers,
            marks=whole.marks,
            origin={"part": part, "seed": seed, "names": names},
        )
        if noise is not None and heard_as is not None:
            found = add_noise(found, noise, heard_as, Draws(f"{name} heard"))
        return replace(found, times=word_times(found.words)) if times else found

    return map(made, range(n))


def word_times(words: Sequence[str]) -> tuple[tuple[float, float], ...]:
    """When each word is said, if every letter takes its time.

    >>> word_times(["hi", "it's", "me"])
    ((0.0, 0.11), (0.23, 0.45), (0.57, 0.68))
    """
    ends = list(accumulate(PER_LETTER * len(word) + BETWEEN for word in words))
    begins = [0.0, *ends[:-1]]
    return tuple(
        (round(begin, 3), round(end - BETWEEN, 3)) for begin, end in zip(begins, ends, strict=False)
    )
