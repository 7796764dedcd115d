"""Types of the values of options: numbers in ranges, refused with a message for people.

>>> positive("8"), natural("0"), share("1"), part("0.5"), not_negative("2.5"), nats("inf")
(8, 0, 1.0, 0.5, 2.5, inf)
"""

from __future__ import annotations

import argparse
import math

MOST = 100_000


def positive(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if not 1 <= number <= MOST:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number from 1 to {MOST}")
    return number


def natural(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is not a whole number from 0 on")
    return int(text)


def column(text: str) -> int | str:
    """A number from 1, or the name of a column.

    >>> column("2"), column("full name")
    (2, 'full name')
    """
    return positive(text) if text.isdecimal() else text


def share(text: str) -> float:
    number = real(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 to 1")
    return number


def part(text: str) -> float:
    """A share that is neither nothing nor the whole."""
    number = real(text)
    if not 0 < number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number above 0 and below 1")
    return number


def not_negative(text: str) -> float:
    number = real(text)
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 on")
    return number


def nats(text: str) -> float:
    """A width of a beam, which may be infinite."""
    number = real(text)
    if not number >= 0:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 on")
    return number


def real(text: str) -> float:
    """A number; NaN, which is in no range, if the text is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan
