"""Spoken telephone numbers in any language: rules that a language completes with its words.

The output is digits with four marks: ( before an area code, x before an extension, + before a
country code, ! before digits that replace digits before it. Hesitations and names of separators are
deleted between number words only; a fragment of a word is ~~, and written digits are symbols of
their own. `grammars.eng.phone_numbers` explains more.

>>> from glyphone.fst.rules.interpreter import run
>>> speech = Speech(digits={"ja": "1", "nei": "0"}, fillers=["eh"], repeats={"to": 2})
>>> ["".join(way.output) for way in run(number_grammar(speech), tuple("ja eh to nei".split()))]
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
    """The number words of a language: words of one digit, and `rules` for the other `numbers`.

    The other fields are phrases: `fillers` without a meaning, `cues` of a correction and `tails`
    behind these, phrases before an `area` code, a `country` code and an `extension`, and words that
    repeat a digit. `others` are words of the rules that are in no other field.
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


def number_grammar(speech: Speech) -> Cascade:
    """The grammar of telephone numbers in the words of a language."""
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
{mark_rule("!", speech.cues, "")}
{mark_rule("∅", speech.tails, "/ ! _")}
{correction_rules(speech)}

    ; 3. Area codes, country codes, extensions
{mark_rule("(", speech.area, "/ _ COUNTED")}
{mark_rule("+", speech.country, "/ # _ COUNTED")}
{mark_rule("x", speech.extension, "/ _ COUNTED")}

    ; 4. Several digits in one word, or in some
{speech.rules}

    ; 5. Digits that are said once for several
{chr(10).join(repetition_rule(word, times, digits) for word, times in speech.repeats.items())}

    ; 6. Single digits
    {string_set(digits)} -> {string_set(digits.values())}
    """,
    )


def mark_rule(symbol: str, phrases: Iterable[str], context: str) -> str:
    """The rule that writes a mark for any of the phrases; no rule without phrases."""
    longest_first = sorted(phrases, key=len, reverse=True)
    escaped = rf"\{symbol}" if symbol in "(+" else symbol
    return f"    {string_set(longest_first)} -> {escaped} {context}" if longest_first else ""


def correction_rules(speech: Speech) -> str:
    """Rules by which digits stand on both sides of a correction."""
    if not speech.cues:
        return ""
    return f"    ! -> ∅ / ! _\n    ! -> {ILLEGAL} / # _\n    ! -> {ILLEGAL} / _ #"


def repetition_rule(word: str, times: int, digits: Mapping[str, str]) -> str:
    """The rule of a word that stands for `times` times the digit behind it."""
    inputs = string_set(f"{word} {digit}" for digit in digits)
    return f"    {inputs} -> {string_set(' '.join(digit * times) for digit in digits.values())}"
