"""Tallies against sums and draws that are written out, and the page of an evaluation."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from glyphone.data.treebanks.chunks import PhraseScore
from glyphone.evaluation.marked import MarkedEvaluation
from glyphone.evaluation.tallies import Tally, count_same, tally_intervals
from glyphone.evaluation.wrong import WrongItem

Row = tuple[int, int, int, int]


def random_rows(seed: int) -> list[Row]:
    chooser = random.Random(seed)
    rows = []
    for _ in range(chooser.randrange(1, 9)):
        gold, given = chooser.randrange(4), chooser.randrange(4)
        rows.append((chooser.randint(0, given), chooser.randint(0, gold), gold, given))
    return rows


def written_out(rows: list[Row]) -> tuple[float, float, float]:
    right = reached = gold = given = 0
    for row in rows:
        right, reached, gold, given = (
            right + row[0], reached + row[1], gold + row[2], given + row[3]
        )  # fmt: skip
    p, r = right / given if given else 0.0, reached / gold if gold else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


@pytest.mark.parametrize("seed", range(40))
def test_figures_and_intervals_equal_those_written_out(seed: int) -> None:
    rows = random_rows(seed)
    tally = Tally.of("x", rows)
    assert (tally.precision, tally.recall, tally.f) == pytest.approx(written_out(rows))
    generator = np.random.default_rng(seed)
    draws = [
        written_out([rows[k] for k in generator.integers(len(rows), size=len(rows)).tolist()])
        for _ in range(1000)
    ]
    for place, name in enumerate(("precision", "recall", "f")):
        ends = np.quantile([draw[place] for draw in draws], [0.025, 0.975])
        assert tally.intervals(seed=seed)[name] == pytest.approx(tuple(ends))


def test_tallies_of_the_same_items_are_drawn_together() -> None:
    rows = random_rows(3)
    one, other = Tally.of("x", rows), Tally.of("y", rows[::-1])
    expected = [tally.intervals(seed=5) for tally in (one, other, one)]
    assert tally_intervals([one, other, one], seed=5) == expected


def test_marks_that_must_be_equal_have_the_score_of_phrases() -> None:
    chooser = random.Random(1)
    rows = []
    for _ in range(50):
        gold, given = ({chooser.randrange(9) for _ in range(4)} for _ in range(2))
        rows.append(count_same(gold, given))
        assert rows[-1][0] == sum(one in gold for one in given)
    score = PhraseScore(*(sum(row[k] for row in rows) for k in (0, 2, 3)))
    tally = Tally.of("x", rows)
    assert (tally.precision, tally.recall, tally.f) == (score.precision, score.recall, score.f)


def test_a_page_and_its_json() -> None:
    wrong = tuple(WrongItem(k, "a" * 99, "name", "b", "") for k in (3, 9))
    share = Tally.of("tokens", [(2, 2, 3, 3), (1, 1, 1, 1)])
    evaluation = MarkedEvaluation(
        "m", "sentences", 2, (Tally.of("all", [(0, 0, 0, 0)] * 2),), (share,), 1, 7, wrong
    )
    page = evaluation.page(errors=1)
    assert page.startswith("m: 2 sentences, 1 failed; seed 7\n")
    assert "tokens   4  75.00 %  66.67 % to 100.00 %" in page
    assert f"\n   3  name      b     ∅      {'a' * 49}…" in page and "\n   9" not in page
    found = json.loads(json.dumps(evaluation.as_dict(errors=2)))
    assert found["shares"]["tokens"] == {
        "share": 0.75, "interval": pytest.approx([2 / 3, 1.0]), "right": 3, "of": 4
    }  # fmt: skip
    assert found["tasks"]["all"]["f"] == 0 and [one["line"] for one in found["errors"]] == [3, 9]
    assert "errors" not in evaluation.as_dict()
