"""Generated voicemail messages, with callers, numbers and other parts marked.

No corpus of voicemail is available. The generated corpus has the totals and entropies that Jansche
and Abney (EMNLP 2002) report of theirs. It tests programs; it is no evidence about real messages.
Templates and names of the parts `train` and `test` share only closed classes ("this is"). The part
`paper` has the fewer templates of the specification's reference figures; `varied` is for training
beside `train`, with other structures and its own totals.

A message depends only on the seed, the part and its own number, so that a longer corpus begins with
a shorter one, and a noisy corpus has the messages of a clean one.

>>> messages = list(generate(5, seed=1))
>>> messages == list(generate(9, seed=1))[:5], messages == list(generate(5, seed=2))
(True, False)
>>> caller = next(filter(None, (message.text_of(message.caller_name) for message in messages)))
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
from glyphone.voicemail.generator.people import CorpusPart, NameLists
from glyphone.voicemail.generator.templates import MessageTemplates
from glyphone.voicemail.generator.varied import draw_varied
from glyphone.voicemail.records.messages import Message

# Seconds, as people speak in messages: about 160 words a minute.
PER_LETTER, BETWEEN = 0.055, 0.12


def generate(
    n: int,
    *,
    seed: int,
    noise: Noise | float | None = None,
    part: CorpusPart = "train",
    names: NameLists = "own",
    times: bool = False,
) -> Iterator[Message]:
    """n messages; `noise` is the word error rate of a recogniser, or all options of noise."""
    if n < 0:
        raise GlyphoneError(f"{n} messages cannot be made", remedy="ask for 0 or more")
    templates = MessageTemplates(part, names)
    if isinstance(noise, float):
        noise = Noise(rate=noise)
    confusions = None if noise is None else confusions_of(part, names, noise.by)
    draw = draw_varied if part == "varied" else draw_message

    def make_message(number: int) -> Message:
        name = f"{part}-{seed}-{number:06}"
        whole, phrase, caller = draw(Draws(name), templates)
        message = Message(
            id=name,
            words=whole.words,
            caller_phrase=phrase,
            caller_name=caller,
            numbers=whole.numbers,
            marks=whole.marks,
            origin={"part": part, "seed": seed, "names": names},
        )
        if noise is not None and confusions is not None:
            message = add_noise(message, noise, confusions, Draws(f"{name} heard"))
        return replace(message, times=word_times(message.words)) if times else message

    return map(make_message, range(n))


def word_times(words: Sequence[str]) -> tuple[tuple[float, float], ...]:
    """The begin and end of each word in seconds, in proportion to its letters.

    >>> word_times(["hi", "it's", "me"])
    ((0.0, 0.11), (0.23, 0.45), (0.57, 0.68))
    """
    ends = list(accumulate(PER_LETTER * len(word) + BETWEEN for word in words))
    begins = [0.0, *ends[:-1]]
    return tuple(
        (round(begin, 3), round(end - BETWEEN, 3)) for begin, end in zip(begins, ends, strict=False)
    )
