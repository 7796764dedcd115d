"""Customers who called: the names of callers are looked for in a list.

Several spans of a message may be the name of the caller, and each hypothesis of a recogniser has
its own; the probabilities of a customer add up.

>>> from glyphone.learners.matching.matcher import NameMatcher
>>> from glyphone.matching.comparer import Comparer
>>> from glyphone.voicemail.callers.model import Caller
>>> one, two = [("Ana Paz", "Paz, Ana"), ("Bo Li", "Bo Li")], [("Ana Paz", "Bo Li")]
>>> comparer = Comparer(NameMatcher(strength=99.0).fit(one + two, [1, 1, 0]))
>>> finder = PartnerFinder(comparer, NameList(["Ana Paz", "Li, Bo"], [(1,), (2,)], []))
>>> caller = Caller((0, 3), (1, 3), 0.99, 0.9, 0.8)
>>> findings = Findings(Transcript.of("it's li bo"), caller, names=(("li bo", 0.8), ("li", 0.1)))
>>> (found,) = with_customers([findings], finder)
>>> [(one.name, round(one.probability, 2)) for one in found.customers]
[('Li, Bo', 0.85)]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from glyphone.catalog import names as catalog_names
from glyphone.catalog.defaults import ENGLISH, MATCHER, training_command
from glyphone.io.messages import print_message
from glyphone.matching import file as matcher_file
from glyphone.matching.name_lists import NameList, read_list
from glyphone.matching.partners import LEAST, MOST, PartnerFinder
from glyphone.matching.phones import Phones
from glyphone.matching.tables import Column
from glyphone.voicemail.findings import Findings
from glyphone.voicemail.model import VoicemailModel
from glyphone.voicemail.records.transcripts import Transcript

COLUMN = "--customers-column"
# Spans of a message that may be the name: family names that the model does not know are easily
# left out of the likeliest.
NAMES: Final = 5
# Less probable names are not worth the comparisons.
IMPROBABLE: Final = 0.02


@dataclass(frozen=True, kw_only=True)
class CustomerList:
    """A file of customers, and which of them are listed: at most `most` of a probability of
    `least`, by a matcher."""

    path: str
    column: Column | None = None
    matcher: str = MATCHER
    least: float = LEAST
    most: int = MOST


@dataclass(frozen=True, eq=False)
class CustomerFinder:
    """A voicemail model that tells which customers may have called; `settings` are those that its
    answers depend on, beside those of the model."""

    model: VoicemailModel
    partners: PartnerFinder
    settings: Mapping[str, Any]

    @classmethod
    def of(cls, model: VoicemailModel, customers: CustomerList) -> CustomerFinder:
        listed = read_list(customers.path, customers.column, COLUMN)
        report_failures(customers.path, listed)
        comparer = matcher_file.make_comparer(matcher_file.load_named(customers.matcher))
        settings = {
            "--customers": listed.crc,
            "--matcher": matcher_file.fingerprint_of(comparer),
            "--threshold": customers.least,
            "--top": customers.most,
        }
        phones = None
        if catalog_names.model_of(ENGLISH) is None:
            print_message(f"names are compared by letters alone ({training_command(ENGLISH)})")
        else:
            english = catalog_names.load(ENGLISH)
            phones, settings["sounds"] = Phones(english), english.fingerprint()
        finder = PartnerFinder(
            comparer, listed, phones=phones, least=customers.least, most=customers.most
        )
        return cls(model, finder, settings)

    def find(self, messages: Sequence[Transcript]) -> list[Findings]:
        return with_customers(self.model.find(messages, names=NAMES), self.partners)


def with_customers(findings: Sequence[Findings], finder: PartnerFinder) -> list[Findings]:
    """Findings with the customers that their callers may be."""
    heard = [[name for name in one.names if name[1] >= IMPROBABLE] for one in findings]
    found = finder.find(heard)
    return [replace(one, customers=tuple(row)) for one, row in zip(findings, found, strict=True)]


def report_failures(path: str, listed: NameList) -> None:
    if listed.failures:
        line, _, error = listed.failures[0]
        count = len(listed.failures)
        lines = "a line is no customer" if count == 1 else f"{count} lines are no customers"
        print_message(f"{path}: {lines}: line {line}: {error.message}")
