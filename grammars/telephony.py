"""Spoken telephone numbers in any language: the frame of rules that a language fills with words.

Digits are written, and with them four marks: ( an area code follows, x an extension, + a country
code, ! what follows takes back some of what was said. Hesitations and the names of separators are
nothing, between number words only; a word that was broken off is ~~, and written digits are symbols
of their own. See `grammars.eng.phone_numbers`, which has more of all this.

>>> from glyphone.fst.rules.interpreter import run
>>> grammar = spoken(Speech(digits={"ja": "1", "nei": "0"}, fillers=["eh"], repeats={"to": 2}))
>>> [ "".join(way.output) for way in run(grammar, tuple("ja eh to nei".split()))]
['100']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import Cascade, cascade
from glyphone.grammars.notation import string_set

WRITTEN = [*"0123456789"]
MARKS = [*"(x+!"]
ILLEGAL = "✗"
BROKEN = "~~"


@dataclass(frozen=True, kw_only=True)
class Speech:
    """The words of a language: those of one digit, and rules for `numbers`, those of several.

    The rest are phrases: what means nothing, what takes back and what may follow on it, what stands
    before an area code, a country code and an extension, and what says a digit several times.
    """

    digits: Mapping[str, str]
    numbers: Iterable[str] = ()
    rules: str = ""
    others: Iterable[str] = ()
    fillers: Iterable[str] = ()
    cues: Iterable[str] = ()
    tails: Iterable[str] = ()
    area: Iterable[str] = ()
    country: Iterable[str] = ()
    extension: Iterable[str] = ()
    repeats: Mapping[str, int] = field(default_factory=dict)


def spoken(speech: Speech) -> Cascade:
    """The grammar of telephone numbers with these words."""
    digits = {**speech.digits, **{digit: digit for digit in WRITTEN}}
    numbers = [*digits, *speech.numbers]
    fillers = [*speech.fillers, BROKEN]
    phrases = [*fillers, *speech.cues, *speech.tails, *speech.area, *speech.country]
    phrases += [*speech.extension, *speech.repeats, *speech.others]
    letters = [*numbers, *(word for phrase in phrases for word in phrase.split())]
    return cascade(
        letters=tuple(dict.fromkeys(letters)),
        phones=[*WRITTEN, *MARKS],
        marks=[ILLEGAL],
        source=Writing(unit="token", case="lower"),
        target=Writing(),
        ambiguous=True,
        partial=True,
        rules=f"""
    DIGIT = {string_set(digits)}
    NUMBER = {string_set(numbers)}
    COUNTED = {string_set([*numbers, *speech.repeats])}
    FILLER = {string_set(fillers)}

    ; 1. What stands between number words only, and says nothing
    FILLER -> {ILLEGAL} / # _
    FILLER -> {ILLEGAL} / _ #
    FILLER -> ∅

    ; 2. What is said next takes back what was said
{mark("!", speech.cues, "")}
{mark("∅", speech.tails, "/ ! _")}
{taking_back(speech)}

    ; 3. Area codes, country codes, extensions
{mark("(", speech.area, "/ _ COUNTED")}
{mark("+", speech.country, "/ # _ COUNTED")}
{mark("x", speech.extension, "/ _ COUNTED")}

    ; 4. Several digits in one word, or in some
{speech.rules}

    ; 5. Digits that are said once for several
{chr(10).join(repeated(word, times, digits) for word, times in speech.repeats.items())}

    ; 6. Single digits
    {string_set(digits)} -> {string_set(digits.values())}
    """,
    )


def mark(symbol: str, phrases: Iterable[str], context: str) -> str:
    """The rule that writes a mark for any of some phrases, if there are any."""
    found = sorted(phrases, key=len, reverse=True)
    written = rf"\{symbol}" if symbol in "(+" else symbol
    return f"    {string_set(found)} -> {written} {context}" if found else ""


def taking_back(speech: Speech) -> str:
    """A correction corrects something, by something."""
    if not speech.cues:
        return ""
    return f"    ! -> ∅ / ! _\n    ! -> {ILLEGAL} / # _\n    ! -> {ILLEGAL} / _ #"


def repeated(word: str, times: int, digits: Mapping[str, str]) -> str:
    found = string_set(f"{word} {digit}" for digit in digits)
    return f"    {found} -> {string_set(' '.join(digit * times) for digit in digits.values())}"
