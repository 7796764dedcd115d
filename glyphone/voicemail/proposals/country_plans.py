"""Number plans of other countries, from the metadata of the `phonenumbers` package.

A number may be said as dialled at home, with the trunk prefix (0 in Germany), or with the country
code behind a plus or the prefix of calls abroad. First two digits and lengths come from the
patterns of sorts of numbers (fixed, mobile, free of charge); a number that fits none of them has a
hundredth of the weight.

>>> plan = plan_of("ES")                                                       # doctest: +SKIP
>>> plan.cost("915550101") < plan.cost("115550101") < 10                       # doctest: +SKIP
True
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any

import regex

from glyphone.data.errors import UnknownName
from glyphone.data.sources.packages import need_package
from glyphone.voicemail.proposals.plans import DIGITS, NumberPlan

# Probabilities of forms: as at home, with the code of the country, any other.
HOME, ABROAD, OTHER = 0.4, 0.05, 0.004
SORTS = (
    "fixed_line mobile toll_free premium_rate shared_cost personal_number voip pager uan".split()
)
LENGTHS = range(4, 16)
# How many first digits patterns spell out, and the shortest number that has a pattern.
KNOWN, LEAST = 2, 4
EXTENSIONS = {1: 0.02, 2: 0.15, 3: 0.3, 4: 0.4, 5: 0.06}


def plan_of(country: str) -> NumberPlan:
    """The plan of a country by its ISO 3166 code; US is the plan of North America, from a file."""
    if country == "US":
        return NumberPlan.read()
    found = country_metadata(country)
    code, trunk = str(found.country_code), found.national_prefix or ""
    shares: dict[str, float] = defaultdict(float)
    for pattern in national_patterns(found):
        shares[trunk + pattern] = max(shares[trunk + pattern], HOME)
        for prefix in ("+", found.international_prefix or ""):
            if prefix == "+" or prefix.isdecimal():
                shares[prefix + code + pattern] = max(shares[prefix + code + pattern], ABROAD)
    for length in LENGTHS:
        shares["X" * length] = OTHER
        shares["+" + "X" * length] = OTHER
    extensions = [("x" + "X" * length, share) for length, share in EXTENSIONS.items()]
    return NumberPlan.of([*sorted(shares.items()), *extensions])


def national_patterns(found: Any) -> Iterator[str]:
    """Patterns of numbers without prefixes, with their first two digits spelt out."""
    for sort in SORTS:
        numbers = getattr(found, sort)
        if numbers is None or not numbers.national_number_pattern:
            continue
        form = regex.compile(numbers.national_number_pattern)
        lengths = [n for n in numbers.possible_length if n >= LEAST]
        for first in map("".join, product(DIGITS, repeat=KNOWN)):
            if form.fullmatch(first, partial=True):
                yield from (first + "X" * (length - KNOWN) for length in lengths)


def country_metadata(country: str) -> Any:
    phonenumbers = need_package(
        "phonenumbers", to="know the telephone numbers of a country", extra="voicemail"
    )
    if country not in phonenumbers.SUPPORTED_REGIONS:
        raise UnknownName("country", country, phonenumbers.SUPPORTED_REGIONS)
    return phonenumbers.PhoneMetadata.metadata_for_region(country)
