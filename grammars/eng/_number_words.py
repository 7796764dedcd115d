"""English words for numbers, as inventories and as expressions in the notation of rules.

`CARDINAL` is what counts and prices are said with, up to 999,999 ("three hundred and fourteen");
it does not accept numbers said digit by digit. Written digits are symbols of their own.

>>> DIGIT_OF["oh"], UNITS[:2], TENS["ninety"], TEENS["twelve"]
('0', ['one', 'two'], '9', '1 2')
"""

from __future__ import annotations

from collections.abc import Iterable

WRITTEN = [*"0123456789"]
UNITS = "one two three four five six seven eight nine niner".split()
ZEROS = "zero oh o nought naught".split()
DIGIT_OF = {
    **dict.fromkeys(ZEROS, "0"),
    **dict(zip(UNITS, "1234567899", strict=True)),
    **{digit: digit for digit in WRITTEN},
}
TEENS = dict(
    zip(
        "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(),
        [f"1 {digit}" for digit in WRITTEN],
        strict=True,
    )
)
TENS = dict(
    zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), "23456789", strict=True)
)
NUMBER_WORDS = [*DIGIT_OF, *TEENS, *TENS, "hundred", "thousand"]


def braces(members: Iterable[str]) -> str:
    """A set of strings in the notation of rules."""
    return "{" + ", ".join(members) + "}"


# Names for rules and patterns; a definition may use those above it.
DEFINITIONS = f"""
    DIGIT = {braces(DIGIT_OF)}
    UNIT = {braces(UNITS)}
    TEEN = {braces(TEENS)}
    TENS = {braces(TENS)}
    WRITTEN = {braces(WRITTEN)}
    NUMBER = {braces(NUMBER_WORDS)}
"""
