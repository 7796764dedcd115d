"""English words of digits and other numbers, in the styles of speakers.

>>> " ".join(digit_words("402")), " ".join(digit_words("402", zero="oh"))
('four zero two', 'four oh two')
>>> for digits in "1025 pairs", "1200 hundred", "5000 hundred", "4554 double":
...     print(" ".join(group_words(*digits.split())))
ten twenty five
twelve hundred
five thousand
four double five four
>>> " ".join(cardinal_words(42)), ordinal_words(21), ordinal_words(12)
('forty two', ('twenty', 'first'), ('twelfth',))
"""

from __future__ import annotations

import re

from glyphone.grammars.eng.numbers.words import TEENS as TEEN_DIGITS
from glyphone.grammars.eng.numbers.words import TENS as TEN_DIGITS
from glyphone.grammars.eng.numbers.words import UNITS

DIGITS = ("zero", *UNITS[:9])
TEENS, TENS = tuple(TEEN_DIGITS), tuple(TEN_DIGITS)
WORDS = frozenset((*DIGITS, *TEENS, *TENS, "oh", "hundred", "thousand", "double", "triple"))
ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
    "twenty": "twentieth",
    "thirty": "thirtieth",
}
TIMES = {2: "double", 3: "triple"}
_SAME = re.compile(r"(\d)\1{1,2}")


def cardinal_words(number: int) -> tuple[str, ...]:
    """The words of a number below a hundred."""
    if number < 10:
        return (DIGITS[number],)
    if number < 20:
        return (TEENS[number - 10],)
    tens, unit = divmod(number, 10)
    return (TENS[tens - 2], *((DIGITS[unit],) if unit else ()))


def ordinal_words(number: int) -> tuple[str, ...]:
    *tens, last = cardinal_words(number)
    return (*tens, ORDINALS.get(last, f"{last}th"))


def digit_words(digits: str, *, zero: str = "zero") -> tuple[str, ...]:
    return tuple(DIGITS[int(digit)] if digit != "0" else zero for digit in digits)


def group_words(digits: str, style: str, *, zero: str = "zero") -> tuple[str, ...]:
    """The words of a group of digits in a style, digit by digit if it does not fit the style."""
    if style == "pairs" and len(digits) in (2, 4) and "0" not in digits[::2]:
        pairs = (digits[k : k + 2] for k in range(0, len(digits), 2))
        return tuple(word for pair in pairs for word in cardinal_words(int(pair)))
    if style == "hundred" and digits[-3:] == "000" and len(digits) == 4:
        return (*cardinal_words(int(digits[0])), "thousand")
    if style == "hundred" and digits[-2:] == "00" and len(digits) in (3, 4) and digits[0] != "0":
        return (*cardinal_words(int(digits[:-2])), "hundred")
    same = _SAME.search(digits) if style == "double" else None
    if same:
        return (
            *digit_words(digits[: same.start()], zero=zero),
            TIMES[len(same[0])],
            *digit_words(same[1], zero=zero),
            *digit_words(digits[same.end() :], zero=zero),
        )
    return digit_words(digits, zero=zero)
