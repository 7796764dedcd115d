"""The answers to whole names, beside all combinations of the answers to their parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import NoOutput
from glyphone.models.names.assembly import least_sums
from tests.glyphone.models.names.support import VELM, telling

costs = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=4).map(sorted)


@given(st.lists(costs, min_size=1, max_size=4), st.integers(1, 9))
def test_ways_beside_all_sums(rows: list[list[float]], n: int) -> None:
    everything = [
        (sum(row[k] for row, k in zip(rows, chosen, strict=True)), chosen)
        for chosen in product(*(range(len(row)) for row in rows))
    ]
    assert least_sums(rows, n) == sorted(everything)[:n]


def test_ways_through_thousands_of_parts() -> None:
    """More room or time than linear would make a hang of this."""
    found = least_sums([[0.0, 1.0, 2.0]] * 5000, 3)
    assert [way.cost for way in found] == [0.0, 1.0, 1.0]
    assert [sum(way.chosen) for way in found] == [0, 1, 1]


def shares(outputs: Sequence[str]) -> st.SearchStrategy[list[tuple[str, float]]]:
    """Answers to a part: distinct outputs with falling posteriors."""
    weights = st.lists(st.integers(1, 9), min_size=len(outputs), max_size=len(outputs))
    return weights.map(
        lambda row: [
            (output, weight / (sum(row) + 1))
            for output, weight in zip(outputs, sorted(row, reverse=True), strict=True)
        ]
    )


OUTPUTS = st.lists(st.sampled_from(["ա", "ն", "ան", "աա", "նա"]), min_size=1, unique=True)
parts = st.lists(OUTPUTS.flatmap(shares), min_size=1, max_size=3)
WORDS = ["mira", "tarek", "nolla"]


@pytest.mark.parametrize("space", [" ", ""])
@given(table=parts, n=st.integers(1, 6))
def test_the_n_best_beside_all_combinations(
    space: str, table: list[list[tuple[str, float]]], n: int
) -> None:
    language = replace(VELM, space=space)
    model = telling(language, dict(zip(WORDS, table, strict=False)))
    best: dict[str, float] = {}
    for chosen in product(*table):
        output = space.join(text for text, _ in chosen)
        best[output] = max(best.get(output, 0.0), math.prod(share for _, share in chosen))
    found = model.nbest(" ".join(WORDS[: len(table)]), n)
    assert len({answer.output for answer in found}) == len(found) == min(n, len(best))
    falling = sorted(best.values(), reverse=True)[:n]
    assert [answer.cost for answer in found] == pytest.approx([-math.log(p) for p in falling])
    for answer in found:
        assert answer.cost == pytest.approx(-math.log(best[answer.output]))
        if space:  # or several ways read alike, and count together
            assert answer.posterior == pytest.approx(best[answer.output])
        else:
            assert answer.posterior >= best[answer.output] * (1 - 1e-9)
        assert "".join(answer.symbols) == answer.output
        assert len(answer.symbols) == len(answer.spans)


def test_ways_that_read_alike_are_one_answer() -> None:
    table = {"mira": [("ա", 0.5), ("ան", 0.5)], "tarek": [("նա", 0.6), ("ա", 0.4)]}
    found = telling(replace(VELM, space=""), table).nbest("mira tarek", 9)
    told = [(answer.output, round(answer.posterior, 6)) for answer in found]
    assert told == [("անա", 0.5), ("աննա", 0.3), ("աա", 0.2)]


def test_too_many_that_read_alike_are_cut_short() -> None:
    table = {"mira": [("ա" * k, 0.1 + k / 1000) for k in range(9, 0, -1)]}
    model = telling(replace(VELM, space=""), table)
    found = model.nbest(" ".join(["mira"] * 40), 60)
    assert len(found) < 60 and all(answer.truncated for answer in found)
    assert not model.nbest("mira", 9)[0].truncated


def test_what_is_cut_short_in_a_part_is_so_in_the_name() -> None:
    model = telling(VELM, {"mira": [("ա", 1.0)], "tarek": [("ն", 1.0)]})
    model.words.truncated.add("tarek")  # type: ignore[attr-defined]
    answers = model.answer(["mira", "mira tarek", "tarek"])
    assert answers.truncated == {1, 2}


def test_nothing_is_never_the_answer() -> None:
    mira = [("", 0.6), ("ա", 0.3), ("ն", 0.1)]
    silent = {"mira": mira, "nora": [("", 1.0)], "elin": [("կ", 1.0)]}
    model = telling(VELM, silent)
    assert [answer.output for answer in model.nbest("mira elin", 2)] == ["ա կ", "ն կ"]
    assert model("mira").output == "ա" and model("mira").posterior == pytest.approx(0.3)
    with pytest.raises(NoOutput, match="nothing of it is written") as caught:
        model("elin-nora")
    assert caught.value.item == "elin-nora"
