"""The page of figures, which `make bench` writes, and what README's table quotes from it."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from benchmarks import run
from tests.docs import pages
from tests.docs.pages import ROOT

FIGURES = run.Page.read(pages.read(ROOT / "docs" / "figures.md"))
NUMBER = re.compile(r"(?<![\w.,])[-+]?\d[\d,]*(?:\.\d+)?")
MOST = 12


def numbers(text: str) -> list[str]:
    """
    >>> numbers("64.3, 51.5 %; 6,700 messages/s, 12.5-13.1, F1")
    ['64.3', '51.5', '6,700', '12.5', '-13.1']
    """
    return [number.rstrip(",") for number in NUMBER.findall(text)]


def is_told(number: str, output: str) -> bool:
    """Whether an output has a number that is this one when it is rounded, or a share in percent.

    Zeros at the end of a number of thousands may be a rounded figure's.

    >>> is_told("398,000", "words/s 398,312"), is_told("97.9", "F .9 0.979"), is_told("9.4", "9.5")
    (True, True, False)
    """
    wanted = Decimal(number.replace(",", ""))
    place = wanted.normalize() if "," in number else wanted
    tolerance = Decimal((0, (5,), int(place.as_tuple().exponent) - 1))
    values = [abs(Decimal(one.replace(",", ""))) for one in numbers(output)]
    return any(abs(value * scale - wanted) <= tolerance for value in values for scale in (1, 100))


def quoted() -> list[list[str]]:
    """The rows of README's table: what, figure, script."""
    _, table = pages.read(ROOT / "README.md").split("| what | figure | script |\n|---|---|---|\n")
    lines = table.partition("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def outputs_of(script: str) -> str:
    return "".join(one.text for one in FIGURES.sections if one.script == script.strip("`"))


def test_rows_of_the_readme_name_scripts_of_the_page() -> None:
    assert 0 < len(quoted()) <= MOST
    assert {row[2].strip("`") for row in quoted()} <= {script for script, *_ in run.pages("")}


@pytest.mark.parametrize("row", quoted(), ids=lambda row: row[0])
def test_figures_of_the_readme_are_on_the_page_of_figures(row: list[str]) -> None:
    output = outputs_of(row[2])
    assert [one for one in numbers(row[1]) if not is_told(one, output)] == []


def test_the_page_of_figures_has_all_benchmarks() -> None:
    told = [section.script for section in FIGURES.sections]
    assert told == [script for script, *_ in run.pages("")]


def test_the_page_of_figures_is_as_it_is_written() -> None:
    assert str(FIGURES).rstrip() + "\n" == pages.read(ROOT / "docs" / "figures.md")
    assert not re.search(r"(?<![\w.])/(?:home|root|tmp|work)/", str(FIGURES))
