"""Joint models at the edges: very long words, empty ones, and those that no units read."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import pytest

from glyphone.data.errors import GlyphoneError, ItemError, NoOutput
from glyphone.data.kernels import jit
from glyphone.data.records import Alignment
from glyphone.data.writing import Writing
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.training import train_joint
from tests.fst.joint.examples import even_model, near
from tests.fst.joint.twins import Labels, log_domain


def long_word(length: int) -> Labels:
    return tuple(1 + (place * place // 7) % 2 for place in range(length))


@cache
def model_of_three_sounds(insertions: int) -> JointModel:
    """Every letter has three sounds: of 700 letters there are more ways than a float can count."""
    rows = [Alignment(((("a",), (y,)), (("b",), (y,)))) for y in "xyz" for _ in range(2)]
    if insertions:
        rows.append(Alignment((((), ("x",)), (("a",), ("y",)), (("b",), ()))))
    model = train_joint(rows, source=Writing(), target=Writing(), order=2, insertions=insertions)
    return replace(model, beam=math.inf)


@cache
def by_twin(insertions: int, string: Labels, output: Labels | None = None) -> tuple[float, float]:
    """The answer of the twin, which takes seconds."""
    return log_domain(model_of_three_sounds(insertions), string, output)


@pytest.mark.parametrize("insertions", [0, 1])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_word_of_700_symbols(insertions: int, jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "_worked", jit.PLAIN_BUDGET)
    model = model_of_three_sounds(insertions)
    string = long_word(700)
    spelt = "".join(" ab"[label] for label in string)
    cost, total = by_twin(insertions, string)
    (best,) = model.apply([spelt], jobs=jobs)
    assert best is not None
    assert best.cost == pytest.approx(cost, rel=1e-5)
    written = tuple(model.target.symbols[symbol] for symbol in best.output)
    own_cost, own = by_twin(insertions, string, written)
    assert own_cost == pytest.approx(cost, rel=1e-5)
    assert best.posterior == pytest.approx(math.exp(total - own), rel=1e-2)
    assert len(best.spans) == len(best.output)
    (scored,) = model.score_labels([(string, written)])
    assert -scored.log_probability == pytest.approx(own, rel=1e-5)
    assert math.isfinite(scored.log_probability)


def test_no_units_read_the_string() -> None:
    model = even_model({"a": "x", "ab": "y"})
    assert model("aab").output == "xy"
    for string in ("b", "abb", "ba"):
        with pytest.raises(NoOutput, match=r"joint: no output .*no units read them"):
            model(string)
        assert model.nbest(string, 3) == []
        with pytest.raises(NoOutput):
            model.lattice(string)
        assert model.score(string, "x").log_probability == -math.inf
    failed: list[tuple[int, ItemError]] = []
    found = list(model.apply(["a", "b", "q", "a"], on_error=lambda *row: failed.append(row)))
    assert [answer and answer.output for answer in found] == ["x", None, None, "x"]
    assert [(item, type(error)) for item, error in failed] == [(1, NoOutput), (2, ItemError)]
    with pytest.raises(ItemError, match=r"at 1: 'q' U\+0071 \(LATIN SMALL LETTER Q\)"):
        model("aq")
    with pytest.raises(ItemError, match="'q'"):
        model.score("a", "q")


def test_the_empty_string() -> None:
    model = even_model({"a": "x", "ab": "y"})
    best = model("")
    assert (best.output, best.symbols, best.spans) == ("", (), ())
    assert best.cost == near(-model.ngrams.score([]))
    assert best.posterior == 1
    assert model.nbest("", 4) == [best]
    assert model.score("", "").alignment == Alignment(())
    assert model.score("", "x").log_probability == -math.inf


def test_nothing_to_train_on() -> None:
    with pytest.raises(GlyphoneError, match=r"nothing to train on .give one pair"):
        train_joint([], source=Writing(), target=Writing())
