"""What a recogniser makes of a message: words that sound alike, missing words, words too many.

Every word is hit with the probability b * m, at most 0.95, where m is 3 in the caller's name, 0.01
in telephone numbers and 1 elsewhere, and b is such that the mean over the message is the word error
rate. Of the hits 60 % are substitutions by words that sound alike (`generator_confusions`), 25 %
deletions, 15 % insertions behind the word. All is in small letters then.

What is marked keeps what is left of its words, and is dropped with the last of them; the digits of
a number stay those that the caller said.

>>> base_rate([1.0] * 8 + [3.0] * 2, 0.28)
0.2
>>> round(base_rate([1.0] * 8 + [3.0] * 2, 0.51), 9)
0.4
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from glyphone.data.errors import GlyphoneError
from glyphone.data.treebanks.chunks import Phrase
from glyphone.voicemail.generator.confusions import By, Confusions
from glyphone.voicemail.generator.draws import Draws
from glyphone.voicemail.records.messages import Message, Span

SUBSTITUTED, DELETED = 0.60, 0.25
CAP = 0.95


@dataclass(frozen=True, kw_only=True)
class Noise:
    """The word error rate, and how many times likelier an error is in names and in numbers.

    Words are taken for others `by` their sounds, which needs the model of `make`, or their letters.
    """

    rate: float = 0.23
    in_name: float = 3.0
    in_numbers: float = 0.01
    by: By = "sounds"

    def __post_init__(self) -> None:
        if not 0 <= self.rate <= CAP or min(self.in_name, self.in_numbers) < 0:
            remedy = f"a rate is from 0 to {CAP}, and no factor below 0"
            raise GlyphoneError(f"{asdict(self)} is no noise", remedy=remedy)

    def factors(self, message: Message) -> list[float]:
        factors = [1.0] * len(message.words)
        for number in message.numbers:
            factors[number.begin : number.end] = [self.in_numbers] * (number.end - number.begin)
        if message.caller_name:
            begin, end = message.caller_name
            factors[begin:end] = [self.in_name] * (end - begin)
        return factors


def add_noise(message: Message, noise: Noise, confusions: Confusions, draws: Draws) -> Message:
    """The message as a recogniser might hear it."""
    factors = noise.factors(message)
    likely = base_rate(factors, noise.rate)
    words: list[str] = []
    kept: list[Span] = []
    errors = 0
    for word, factor in zip(message.words, factors, strict=True):
        hit = draws.stream.random() < min(CAP, likely * factor)
        heard, extra = mishear(word.lower(), confusions, draws) if hit else ([word.lower()], [])
        kept.append((len(words), len(words) + len(heard)))
        words += [*heard, *extra]
        errors += hit
    phrase = carry_span(message.caller_phrase, kept)
    return replace(
        message,
        words=tuple(words),
        caller_phrase=phrase,
        caller_name=carry_span(message.caller_name, kept),
        numbers=tuple(
            replace(number, begin=span[0], end=span[1])
            for number in message.numbers
            if (span := carry_span((number.begin, number.end), kept))
        ),
        marks=tuple(
            Phrase(*span, mark.kind)
            for mark in message.marks
            if (span := carry_span((mark.begin, mark.end), kept))
        ),
        origin={
            **message.origin,
            "noise": asdict(noise),
            "said": len(message.words),
            "errors": errors,
        },
    )


def mishear(word: str, confusions: Confusions, draws: Draws) -> tuple[list[str], list[str]]:
    """What is heard for a word, and what more is heard behind it."""
    fate = draws.stream.random()
    if fate < SUBSTITUTED:
        return [confusions.drawn(draws.stream, word)], []
    if fate < SUBSTITUTED + DELETED:
        return [], []
    return [word], [confusions.any.draw(draws.stream)]


def base_rate(factors: Sequence[float], rate: float) -> float:
    """The b at which the mean of min(0.95, b * factor) is the rate, but at most 0.95 itself."""
    levels = sorted(factors, reverse=True)
    total = rate * len(levels)
    for capped, factor in enumerate(levels):
        found = (total - CAP * capped) / sum(levels[capped:])
        if found * factor <= CAP:
            return float(min(found, CAP))
    return CAP


def carry_span(span: Span | None, kept: Sequence[Span]) -> Span | None:
    """Where the words of a part are now, if any are left."""
    if span is None:
        return None
    left: Iterator[Span] = (place for place in kept[slice(*span)] if place[0] < place[1])
    places = list(left)
    return (places[0][0], places[-1][1]) if places else None
