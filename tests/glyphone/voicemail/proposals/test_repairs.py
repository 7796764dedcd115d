"""Repairs of digits, and relations between mentions of a number."""

from __future__ import annotations

import pytest

from glyphone.catalog import names as catalog_names
from glyphone.voicemail.proposals.plans import NumberPlan
from glyphone.voicemail.proposals.relations import relate_candidates
from glyphone.voicemail.proposals.repairs import correct_digits, repair_fitness, resolve_repairs
from glyphone.voicemail.records.candidates import Alternative, NumberCandidate

# Words, digits, extension.
SAID = """
three two seven ten sorry three two eight ten twenty five|3281025|
three two three four five seven excuse me four four seven three three seven one|3234473371|
six four six six three five six i mean six eight five six|6466856|
nine seven three five five five one two one no two one two one three|9735521213|
five five five one two one three no two|5551212|
five five five one two one three sorry one two one two|5551212|
five five five one two one three sorry five five five one two one two|5551212|
five five six no five five five one two one two|5551212|
two one three no two one two five five five oh one four three|2125550143|
two one two five five six no five five five oh one four three|2125550143|
two one two five five five oh one four four wait four three|2125550143|
two one two five five five oh one four four wait oh one four three|2125550143|
two one two five five five oh one four four correction five five five oh one four three|2125550143|
area code nine one eight no nine oh eight five five five twelve twelve|9085551212|
area code nine one eight sorry area code nine oh eight five five five twelve twelve|9085551212|
one eight hundred no one eight eight eight five five five oh one two three|18885550123|
five five five twelve twelve extension forty three no forty four|5551212|44
five five five twelve twelve extension four three two no four three one|5551212|431
five five five twelve thirteen no twelve extension four|5551212|4
four four no four five|45|
four three two one no two two|4322|
four three two one scratch that four three two two|4322|
five five five twelve twelve area code two one two|2125551212|
area code two one two and the number is five five five oh one four three|2125550143|
extension four three two one|4321|
""".strip().split("\n")


@pytest.mark.parametrize("case", SAID)
def test_repairs_resolve_to(case: str) -> None:
    words, digits, extension = case.split("|")
    found = resolve_repairs(catalog_names.load("eng.phone_numbers:DIGITS")(words).output)
    assert (found.digits, found.extension) == (digits, extension)


@pytest.mark.parametrize(
    ("said", "instead"), [("5551213", "2"), ("323457", "4473371"), ("12", "345"), ("5", "55555")]
)
def test_no_other_place_fits_better(said: str, instead: str) -> None:
    found = correct_digits(said, instead)
    assert found.endswith(instead)
    chosen = len(said) + len(instead) - len(found)
    values = {m: repair_fitness(said, instead, m) for m in range(1, len(said) + 1)}
    assert values[chosen] == max(values.values())


def test_nothing_said_is_nothing_taken_back() -> None:
    assert correct_digits("", "555") == "555"
    assert correct_digits("+", "44") == "+44"
    assert resolve_repairs("5!x7").extension == "7"


def test_support_changes_which_reading_is_best() -> None:
    ways = (Alternative("5552025", "", 0.7), Alternative("55520205", "", 0.3))
    first = NumberCandidate(0, 5, "5552025", alternatives=ways)
    other = NumberCandidate(8, 16, "55520205", alternatives=(Alternative("55520205", "", 1.0),))
    found = relate_candidates([first, other], ["a"] * 16)
    assert [one.digits for one in found] == ["55520205", "55520205"]
    assert [one.support for one in found] == [1, 1]
    assert sum(way.posterior for way in found[0].alternatives) == pytest.approx(1)


@pytest.mark.parametrize(
    ("between", "replaced"),
    [
        ("no wait it's", 1),
        ("sorry i meant to say", 1),
        ("or at home", None),
        ("and then there is the one that i use at work on most days sorry about that but", None),
    ],
)
def test_a_correction_replaces(between: str, replaced: int | None) -> None:
    gap = between.split()
    first = NumberCandidate(0, 7, "5551213")
    other = NumberCandidate(7 + len(gap), 14 + len(gap), "5551212")
    found = relate_candidates([first, other], [*"5551213", *gap, *"5551212"])
    assert [one.replaced_by for one in found] == [replaced, None]


@pytest.mark.parametrize(
    ("one", "other"), [("5551212", "5551212"), ("5551212", "9084473"), ("555", "5551212")]
)
def test_equal_and_unlike_numbers_replace_nothing(one: str, other: str) -> None:
    first, second = NumberCandidate(0, 3, one), NumberCandidate(4, 7, other)
    assert relate_candidates([first, second], "a b c sorry d e f".split())[0].replaced_by is None


def test_plans_weigh_lengths_and_refuse_none_that_is_listed() -> None:
    plan = NumberPlan.read()
    costs = {text: plan.cost(text) for text in ("5551212", "0551212", "55512", "2125550143", "x22")}
    assert costs["5551212"] < costs["0551212"] < costs["55512"] + 5
    assert costs["2125550143"] < plan.cost("0125550143")
    assert plan.cost("5551212x44") == pytest.approx(costs["5551212"] + plan.cost("x44"))
    assert plan.cost("1" * 30) == float("inf")
