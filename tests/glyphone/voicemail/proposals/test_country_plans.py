"""Plans of countries beside what `phonenumbers` itself says of numbers."""

from __future__ import annotations

import math

import pytest

from glyphone.data.errors import UnknownName
from glyphone.voicemail.proposals.country_plans import HOME, OTHER, plan_of
from glyphone.voicemail.proposals.plans import NumberPlan

phonenumbers = pytest.importorskip("phonenumbers")

COUNTRIES = ["DE", "ES", "FR", "GB", "MX"]


@pytest.mark.parametrize("country", COUNTRIES)
def test_example_numbers_are_likely_at_home_and_abroad(country: str) -> None:
    plan = plan_of(country)
    for sort in ("FIXED_LINE", "MOBILE", "TOLL_FREE"):
        number = phonenumbers.example_number_for_type(
            country, getattr(phonenumbers.PhoneNumberType, sort)
        )
        if number is None:
            continue
        digits = phonenumbers.national_significant_number(number)
        trunk = phonenumbers.PhoneMetadata.metadata_for_region(country).national_prefix or ""
        assert plan.cost(trunk + digits) <= -math.log(HOME)
        abroad = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
        assert plan.cost(abroad) < -math.log(OTHER)


def test_what_is_no_number_is_unlikely_and_not_refused() -> None:
    plan = plan_of("ES")
    assert plan.cost("915550101") < plan.cost("115550101") == pytest.approx(-math.log(OTHER))
    assert plan.cost("1" * 20) == math.inf


def test_an_extension_may_follow() -> None:
    plan = plan_of("DE")
    assert plan.cost("030123456x42") < plan.cost("030123456") + 3


def test_north_america_has_a_file_of_its_own() -> None:
    assert plan_of("US") == NumberPlan.read()


def test_a_country_that_is_none() -> None:
    with pytest.raises(UnknownName, match="no country named 'XX'"):
        plan_of("XX")
