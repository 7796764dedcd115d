"""Work that an ensemble does once: trellises, proposals and paths, counted in plain kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from glyphone.data.kernels import jit
from glyphone.data.writing import Writing
from glyphone.fst.ensembles import union_kernels
from glyphone.fst.ensembles.model import EnsembleModel
from glyphone.fst.ensembles.training import fit_ensemble
from glyphone.fst.joint.kernels import trellis
from tests.fst.ensembles.examples import OPTIONS, lexicon

WORDS = ["".join(pair.source) for pair in lexicon(12, 5)]


@pytest.fixture(scope="module")
def model() -> EnsembleModel:
    return fit_ensemble(lexicon(), replace(OPTIONS, members=2, folds=0), target=Writing()).model


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "PLAIN_BUDGET", 10**15)


def counted(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[Any]:
    """The first arguments of all calls of a kernel from now on."""
    calls: list[Any] = []
    function: Callable[..., Any] = getattr(module, name)

    def counting(*arguments: Any) -> Any:
        calls.append(arguments[0])
        return function(*arguments)

    monkeypatch.setattr(module, name, counting)
    return calls


def test_a_word_that_the_first_member_is_not_sure_of_has_one_trellis_by_it(
    model: EnsembleModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubtful = replace(model, sure=1.0)
    first = model.first.joint
    wanted = [doubtful(word).output for word in WORDS]
    fills = counted(monkeypatch, trellis, "fill_trellis")
    assert [*doubtful.answer(WORDS).outputs] == wanted
    assert sum(joint is first for joint in fills) == len(WORDS)
    fills.clear()
    assert replace(doubtful, depth=1).score(WORDS[0], wanted[0]).posterior < 1.0
    assert sum(joint is first for joint in fills) == 1


def test_models_that_propose_enough_are_asked_once(
    model: EnsembleModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = replace(model, margin=40.0)
    fills = counted(monkeypatch, trellis, "fill_trellis")
    assert len(wide.answer(WORDS, n=2).costs) == 2 * len(WORDS)
    assert len(fills) == len(WORDS) * len(model.members)
    fills.clear()
    narrow = replace(model, margin=1e-6)
    assert len(narrow.answer(WORDS, n=2).costs) == 2 * len(WORDS)
    assert len(fills) > len(WORDS) * len(model.members)


@pytest.mark.parametrize("histories", [True, False])
def test_paths_are_found_once(
    model: EnsembleModel, monkeypatch: pytest.MonkeyPatch, histories: bool
) -> None:
    if not histories:
        model = EnsembleModel.of(model.members)
    searches = counted(monkeypatch, union_kernels, "score_outputs")
    assert model.answer(WORDS, spans=True).hypotheses(0)[0].spans
    assert len(searches) == 1
