"""Spoken English telephone numbers.

DIGITS reads the words from the first to the last word of a number and writes its digits: single
digits (oh, zero, nought), teens and tens ("twelve twelve"), round groups ("five thousand", "twelve
hundred", "one eight hundred"), double and triple. All readings are kept, with the probabilities of
the rules: "twenty five" is 25 and hardly ever 205. Any number is read as a telephone number: the
best reading of "three hundred fourteen ninety nine" is 3001499 (Jansche and Abney 2002). Five marks
are written with the digits:

    (   an area code follows         x   an extension follows
    +   a country code follows       !   the digits behind replace some digits before
    &   the area code is over

The digits that a correction replaces cannot be found with finite memory;
`glyphone.voicemail.proposals.repairs` decides on the digits. Hesitations, fragments of words and
names of separators are deleted between number words only. The grammar accepts numbers of any
length; probabilities of lengths are in phone_plans.tsv.

Written digits are symbols of their own ("5 5 5 twelve"), and a fragment of a word is ~~. Other
readings of the words (prices, times, dates) are in `grammars.eng.numbers.readings`.

>>> from glyphone.fst.rules.interpreter import run
>>> ways = run(DIGITS, tuple("area code nine oh eight five five five twelve twelve".split()))
>>> "".join(ways[0].output)
'(9085551212'
"""

from __future__ import annotations

from pathlib import Path

from glyphone.data.lexicons.tsv import read_table
from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import cascade
from glyphone.grammars.eng.numbers.words import (
    DEFINITIONS,
    DIGIT_OF,
    NUMBER_WORDS,
    TEENS,
    TENS,
    WRITTEN,
)
from glyphone.grammars.notation import string_set

WORDS = Writing(unit="token", case="lower")
PHRASES = read_table(Path(__file__).with_name("phone_words.tsv"), columns=2)


def phrases_of(kind: str) -> list[str]:
    return [phrase for found, phrase in PHRASES if found == kind]


# ---------------------------------------------------------------------------------------------
# Inventories.

# Words that recognisers write for digits; they count between number words only.
HEARD = {
    "0": "owe hero nero euro arrow",
    "1": "won run juan wonder son sun",
    "2": "to too tool threw",
    "3": "free tree through thee",
    "4": "for fore door floor fort",
    "5": "live hive dive life file fife",
    "6": "sick fix mix sex sixth stick",
    "7": "heaven kevin seventh several evan",
    "8": "ate hate late date eat gate",
    "9": "sign wine nice night ninth nigh",
}
HOMOPHONES = {word: digit for digit, words in HEARD.items() for word in words.split()}
ANY = "~"
MARKS = [*"(x+!&"]

LETTERS = tuple(
    dict.fromkeys(
        [
            *NUMBER_WORDS,
            *HOMOPHONES,
            ANY,
            *"area code is country plus + double triple with at my the number and".split(),
            *(word for _, phrase in PHRASES for word in phrase.split()),
        ]
    )
)

# ---------------------------------------------------------------------------------------------
# Digits.

ILLEGAL = "✗"


def first_digit_rules(words: dict[str, str], *, lone: str, rest: str, context: str) -> str:
    """A rule for each word: its first digit alone, or with a low probability the round number."""
    return "\n".join(
        f"    {word} -> {digit} <{lone}> | {digit} 0 <{rest}> / _ {context}"
        for word, digit in words.items()
    )


def repetition_rule(word: str, times: int) -> str:
    """The rule of a word that repeats the digit behind it."""
    found = string_set(f"{word} {digit}" for digit in DIGIT_OF)
    return f"{found} -> {string_set(' '.join(digit * times) for digit in DIGIT_OF.values())}"


def homophone_rules(share: str, rest: str) -> str:
    """A rule for each word that sounds like a digit."""
    return "\n".join(
        f"    {word} -> {digit} <{share}> | {ILLEGAL} <{rest}> / NUMBER _ NUMBER"
        for word, digit in HOMOPHONES.items()
    )


DIGITS = cascade(
    letters=LETTERS,
    phones=[*WRITTEN, *MARKS],
    marks=[ILLEGAL],
    source=WORDS,
    target=Writing(),
    ambiguous=True,
    partial=True,
    rules=rf"""
    {DEFINITIONS}
    HOMOPHONE = {string_set(HOMOPHONES)}
    FILLER = {string_set(phrases_of("filler"))}
    COUNTED = NUMBER | double | triple

    ; 1. What stands between number words only, and says nothing
    FILLER -> {ILLEGAL} / # _
    FILLER -> {ILLEGAL} / _ #
    FILLER -> ∅

    ; 2. What is said next takes back what was said
    {string_set(phrases_of("cue"))} -> !
    {string_set(phrases_of("tail"))} -> ∅ / ! _
    ! -> ∅ / ! _
    ! -> {ILLEGAL} / # _
    ! -> {ILLEGAL} / _ #

    ; 3. Area codes, country codes, extensions
    area code is? -> \( / _ COUNTED
    EXTENSION = {string_set(phrases_of("extension"))}
    {string_set(phrases_of("join"))} -> & / NUMBER _ COUNTED
    {{country code, plus}} -> \+ / # _ COUNTED
    ({{and, with, at}}? {{my, the}}? EXTENSION number? is?) -> x / NUMBER _ COUNTED
    EXTENSION -> x / # _ COUNTED

    ; 4. What recognisers write for digits, or between them
{homophone_rules("0.01", "0.99")}
    {ANY} -> ∅ <0.003> | {ILLEGAL} <0.997> / NUMBER _ NUMBER

    ; 5. Round groups: zeros are said, or the digits that follow stand in their place
    ROUND = UNIT | TEEN | TENS | WRITTEN
    thousand -> 0 0 0 <0.2> | ∅ <0.8> / ROUND _ UNIT hundred
    thousand -> 0 0 0 <0.9> | 0 0 <0.1> / ROUND _ UNIT
    thousand -> 0 0 0 <0.9> | 0 <0.1> / ROUND _ (TEEN | TENS)
    thousand -> 0 0 0 / ROUND _
    hundred -> 0 0 <0.95> | 0 <0.05> / ROUND _ UNIT
    hundred -> 0 0 <0.95> | ∅ <0.05> / ROUND _ (TEEN | TENS)
    hundred -> 0 0 / ROUND _

    ; 6. Two digits in one word, or in two
{first_digit_rules(TENS, lone="0.99", rest="0.01", context="UNIT")}
    {string_set(TENS)} -> {string_set(f"{digit} 0" for digit in TENS.values())}
    {string_set(TEENS)} -> {string_set(TEENS.values())}

    ; 7. Repeated digits, when no tens can take them for theirs
    {repetition_rule("double", 2)}
    {repetition_rule("triple", 3)}

    ; 8. Single digits
    {string_set(DIGIT_OF)} -> {string_set(DIGIT_OF.values())}
    """,
)
