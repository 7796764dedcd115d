"""Noise of a recogniser: substituted, deleted and inserted words.

Each word has an error with the probability b * m, at most 0.95, where m is 3 in the caller's name,
0.01 in telephone numbers and 1 elsewhere. The factor b makes the mean over the message the word
error rate. Of the errors 60 % are substitutions by words that sound alike (`confusions`), 25 %
deletions, 15 % insertions behind the word. All words are in small letters.

Marks keep their remaining words, and are dropped without any; the digits of a number stay as the
caller said them.

>>> base_rate([1.0] * 8 + [3.0] * 2, 0.28)
0.2
>>> round(base_rate([1.0] * 8 + [3.0] * 2, 0.51), 9)
0.4
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from glyphone.data.errors import GlyphoneError
from glyphone.data.treebanks.chunks import Phrase
from glyphone.voicemail.generator.confusions import ConfusionKind, Confusions
from glyphone.voicemail.generator.draws import Draws
from glyphone.voicemail.records.messages import Message, Span

SUBSTITUTED, DELETED = 0.60, 0.25
CAP = 0.95


@dataclass(frozen=True, kw_only=True)
class Noise:
    """The word error rate, and the factors of errors in names and in numbers.

    Substitutions are `by` sounds, which needs the default English model, or by letters.
    """

    rate: float = 0.23
    in_name: float = 3.0
    in_numbers: float = 0.01
    by: ConfusionKind = "sounds"

    def __post_init__(self) -> None:
        if not 0 <= self.rate <= CAP or min(self.in_name, self.in_numbers) < 0:
            remedy = f"give a rate from 0 to {CAP}, and factors of 0 or more"
            raise GlyphoneError(f"impossible noise: {asdict(self)}", remedy=remedy)

    def factors(self, message: Message) -> list[float]:
        factors = [1.0] * len(message.words)
        for number in message.numbers:
            factors[number.begin : number.end] = [self.in_numbers] * (number.end - number.begin)
        if message.caller_name:
            begin, end = message.caller_name
            factors[begin:end] = [self.in_name] * (end - begin)
        return factors


def add_noise(message: Message, noise: Noise, confusions: Confusions, draws: Draws) -> Message:
    """A message with errors of a recogniser."""
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
    """The heard word in place of a word, none if deleted, and a word inserted behind it, if any."""
    point = draws.stream.random()
    if point < SUBSTITUTED:
        return [confusions.draw(draws.stream, word)], []
    if point < SUBSTITUTED + DELETED:
        return [], []
    return [word], [confusions.any.draw(draws.stream)]


def base_rate(factors: Sequence[float], rate: float) -> float:
    """The b, at most 0.95, at which the mean of min(0.95, b * factor) is the rate."""
    levels = sorted(factors, reverse=True)
    total = rate * len(levels)
    for capped, factor in enumerate(levels):
        base = (total - CAP * capped) / sum(levels[capped:])
        if base * factor <= CAP:
            return float(min(base, CAP))
    return CAP


def carry_span(span: Span | None, kept: Sequence[Span]) -> Span | None:
    """The span of the remaining words of a span, None without any; `kept` are spans of words."""
    if span is None:
        return None
    places = [place for place in kept[slice(*span)] if place[0] < place[1]]
    return (places[0][0], places[-1][1]) if places else None
