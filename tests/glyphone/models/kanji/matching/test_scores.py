"""Scores of matches are the sums that they are said to be, over every path of both names."""

from __future__ import annotations

import math
from functools import cache
from itertools import product

import numpy as np
import pytest

from glyphone.data.kernels import jit
from glyphone.fst.lattices import string_kernels
from glyphone.fst.lattices.arrays import Lattice, Machine
from glyphone.models.kanji.matching import kernels as matching_kernels
from glyphone.models.kanji.matching import names as matching_names
from glyphone.models.kanji.matching.matcher import Matcher
from glyphone.models.kanji.matching.names import Reader
from glyphone.models.kanji.model import KanjiModel
from tests.glyphone.models.kanji.matching.twins import mass, readings, small_model

KANJI = ["大谷", "小山", "大山", "大野", "小野", "山田大", "谷田太郎", "大 修", "佐々木"]


@cache
def model() -> KanjiModel:
    return small_model()


def match(one: str, other: str, *, n: int = 5) -> tuple[float, list[tuple[str, float]]]:
    found = Matcher(model(), n=n)(one, other)
    return found.score, list(found.readings)


@pytest.mark.parametrize(("one", "other"), list(product(KANJI[:6], KANJI[1:6])))
def test_two_undivided_names_in_kanji(one: str, other: str) -> None:
    first, second = readings(model(), one), readings(model(), other)
    shared = sum(first[reading] * second[reading] for reading in first)
    assert match(one, other)[0] == pytest.approx(1.0 if one == other else shared)


@pytest.mark.parametrize("one", KANJI)
def test_every_reading_in_kana(one: str) -> None:
    for reading, share in readings(model(), one).most_common(20):
        assert match(one.replace(" ", ""), reading)[0] == pytest.approx(
            readings(model(), one.replace(" ", ""))[reading]
        )
        assert share > 0


@pytest.mark.parametrize("one", [name for name in KANJI if " " not in name])
def test_romaji_is_all_readings_of_its_key(one: str) -> None:
    found = readings(model(), one)
    keys = {reading: model().keys(reading).output for reading in found}
    if "大" in one:
        assert len(set(keys.values())) < len(keys), "keys are of several readings"
    for key in sorted(set(keys.values()))[:20]:
        shared = sum(share for reading, share in found.items() if keys[reading] == key)
        assert match(one, key)[0] == pytest.approx(shared)


def test_a_divided_name_is_read_as_one_word_where_it_stands() -> None:
    whole = "大谷 大"
    family, given = readings(model(), whole, end=2), readings(model(), whole, begin=3)
    score, told = match(whole, "Ōya Masaru")
    first = sum(p for reading, p in family.items() if model().keys(reading).output == "oya")
    assert score == pytest.approx(first * given["まさる"])
    assert given["まさる"] > readings(model(), "大")["まさる"], "a given name behind a surname"
    assert told[0] == ("おおや まさる", pytest.approx(family["おおや"] * given["まさる"]))


def test_two_divided_names_in_kanji() -> None:
    pairs = (((0, 2), (0, 2)), ((3, 9), (3, 9)))
    expected = 1.0
    for (a, b), (c, d) in pairs:
        first = readings(model(), "大野 高次", begin=a, end=b)
        second = readings(model(), "小野 太郎", begin=c, end=d)
        expected *= sum(first[reading] * second[reading] for reading in first)
    assert match("大野 高次", "小野 太郎")[0] == pytest.approx(expected)


def test_readings_are_the_greatest_terms_of_the_sum() -> None:
    first, second = readings(model(), "小野"), readings(model(), "大野")
    terms = sorted(((first[r] * second[r], r) for r in first if first[r] * second[r]), reverse=True)
    _, told = match("小野", "大野", n=50)
    by_reading: dict[str, float] = {}
    for reading, share in told:  # which tell where words meet, too
        by_reading[reading.replace(" ", "")] = by_reading.get(reading.replace(" ", ""), 0) + share
    best = terms[0]
    assert max(by_reading, key=lambda one: by_reading[one]) == best[1]
    assert by_reading[best[1]] == pytest.approx(best[0], rel=1e-2)


def test_log_odds_are_told_against_the_models_own_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching_names, "WIDTH", np.inf)
    matcher = Matcher(model())
    found = matcher("斎藤", "斉藤")
    expected = sum(share / mass(model(), reading) for reading, share in found.readings)
    assert found.log_odds == pytest.approx(math.log(expected))
    found = matcher("大谷", "Ōtani")
    assert found.log_odds == pytest.approx(math.log(found.score / mass(model(), "Otani")))
    found = matcher("やまだ たろう", "やまだ たろう")
    assert found.log_odds == pytest.approx(-math.log(mass(model(), "やまだ たろう")))
    assert matcher("やまだ", "たやま").log_odds == -math.inf


def test_the_beam_of_chance_loses_little() -> None:
    narrow = Reader(model()).costs("kana", ["さいとう", "やまだ たろう", "んん"])
    assert narrow[2] == math.inf
    for typed, cost in zip(["さいとう", "やまだ たろう"], narrow, strict=False):
        assert -math.log(mass(model(), typed)) == pytest.approx(cost, abs=0.3)


@pytest.mark.parametrize("one", KANJI)
@pytest.mark.parametrize("other", ["Otani", "Dai Otani", "おおたに", "小谷", "大谷 太郎"])
def test_it_makes_no_difference_which_name_is_first(one: str, other: str) -> None:
    matcher = Matcher(model())
    forward, backward = matcher(one, other), matcher(other, one)
    assert backward.flipped() == forward
    assert 0 <= forward.score <= 1


def test_a_key_is_read_in_all_its_kana_and_no_other() -> None:
    reader = Reader(model())
    (name,) = reader.names(["Ōno"])
    assert not isinstance(name, Exception)
    reads = 0
    for size in range(1, 6):
        for letters in product("おうのん", repeat=size):
            kana = "".join(letters)
            score, _ = reader.typed_sounds("kana", kana).agreed(name.whole, 1)
            answers = model().keys.answer([kana])
            same = not answers.failures and answers.outputs[0] == "ono"
            assert score == (1.0 if same else 0.0), kana
            reads += same
    assert reads > 5


def test_kernels_are_the_same_in_both_tiers() -> None:
    compiled = jit.compiled(matching_kernels)
    reader = Reader(model())
    lattice = reader.lattice(["大谷", "大"])
    key = np.array([ord(letter) for letter in "otani"], np.int32)
    outcomes = []
    for kernels in (matching_kernels, compiled):
        part = Lattice(*kernels.part_lattice(lattice, 0, 2, ord(" "), False))
        machine = Machine(*kernels.machine_of_key(reader.keys, key))
        other = Machine(*kernels.lattice_acceptor(Lattice(*string_kernels.string_lattice(key))))
        mass_of_all, best = kernels.compare_lattices(part, machine, 3, 1000)
        outcomes.append(
            (
                mass_of_all,
                best.labels.tolist(),
                best.costs.tolist(),
                kernels.compare_lattices(part, other, 3, 1000)[0],
                kernels.total_cost(part),
                kernels.best_reported(part, 4, 1000).costs.tolist(),
            )
        )
    for plain, fast in zip(*outcomes, strict=True):
        assert fast == pytest.approx(plain)
    joint = reader.exact.from_romaji.joint
    labels = np.array(reader.exact.from_romaji.source.encode("otani").labels, np.int32)
    arguments = (joint, labels, np.array([0, 5]), math.inf)
    assert compiled.total_costs(*arguments) == pytest.approx(
        matching_kernels.total_costs(*arguments)
    )
