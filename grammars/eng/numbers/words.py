"""English words for numbers, as inventories and as definitions in the notation of rules.

Written digits are symbols of their own. A value is the digits that a word stands for.

>>> DIGIT_OF["oh"], UNITS[:2], TENS["ninety"], TEENS["twelve"]
('0', ['one', 'two'], '9', '1 2')
"""

from __future__ import annotations

from glyphone.grammars.notation import string_set

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


# Names for rules and patterns; a definition may use those above it.
DEFINITIONS = f"""
    DIGIT = {string_set(DIGIT_OF)}
    UNIT = {string_set(UNITS)}
    TEEN = {string_set(TEENS)}
    TENS = {string_set(TENS)}
    WRITTEN = {string_set(WRITTEN)}
    NUMBER = {string_set(NUMBER_WORDS)}
"""
