"""Repairs: digits that a speaker takes back and replaces.

"five no nine" takes back one digit, "three two seven ten sorry three two eight ten" four. Of the
digits `said` before a cue the last m are withdrawn, and the digits `instead` follow:

    same(m) = the share of places at which the last m of `said` agree with the first m of `instead`
    legal(m) = the number has 4, 7, 10 or 11 digits then

    whole(m) = the number is as long then as `said`, if that was legal

The m with the greatest (same >= 1/2 and legal, same >= 1/2, legal, whole, m) is taken: speakers
repeat most of the digits that they correct, and do not stop before the number is whole.

>>> correct_digits("323457", "4473371"), correct_digits("6466356", "6856")
('3234473371', '6466856')
>>> resolve_repairs("(908555!5551212x4321")
ResolvedDigits(digits='9085551212', extension='4321', area=True, corrected=True)
"""

from __future__ import annotations

from typing import NamedTuple

from glyphone.voicemail.proposals.plans import AREA, EXTENSION, JOIN, REPAIR

LEGAL = frozenset({4, 7, 10, 11})


class ResolvedDigits(NamedTuple):
    """The digits that remain after all repairs; a country code keeps its + in front."""

    digits: str
    extension: str
    area: bool
    corrected: bool

    @property
    def plain(self) -> str:
        """The digits with the mark of an extension, without repairs."""
        return self.digits + (f"{EXTENSION}{self.extension}" if self.extension else "")


def resolve_repairs(text: str) -> ResolvedDigits:
    """The digits that remain of an output of the grammar, digits and marks."""
    if text.isdecimal():
        return ResolvedDigits(text, "", False, False)
    number, extension = "", None
    for turn, piece in enumerate(text.replace(JOIN, "").split(REPAIR)):
        main, mark, behind = piece.partition(EXTENSION)
        if extension is not None and not main.startswith((AREA, "+")) and not mark:
            extension = correct_digits(extension, main)
            continue
        if turn and main:
            # A new area code restarts the number.
            number = main if main.startswith((AREA, "+")) else correct_digits(number, main)
        else:
            number += main
        extension = behind if mark else extension
    local, mark, area = number.partition(AREA)
    if mark and local not in ("", "1") and not local.startswith("+"):
        local, area = area, local  # the area code was said last
    digits = local + area
    if not digits and extension:
        digits, extension = extension, ""  # a number of a house
    return ResolvedDigits(digits, extension or "", bool(mark), REPAIR in text)


def correct_digits(said: str, instead: str) -> str:
    """The digits with the last of `said` replaced by `instead`; marks in front do not count."""
    bare = len(said.lstrip(f"{AREA}+"))
    if not bare:
        return said + instead
    best = max(range(1, bare + 1), key=lambda m: repair_fitness(said[-bare:], instead, m))
    return said[: len(said) - best] + instead


def repair_fitness(said: str, instead: str, m: int) -> tuple[bool, bool, bool, bool, int]:
    """The rank of the guess that the last m digits were taken back; the largest wins."""
    same = sum(map(str.__eq__, said[-m:], instead)) >= m / 2
    length = len(said) - m + len(instead)
    legal = length in LEGAL
    return same and legal, same, legal, legal and length == len(said), m
