"""Ensembles beside a brute-force twin; files, and what they do with odd input."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.errors import FormatError, GlyphoneError, NoOutput
from glyphone.data.records import Alignment
from glyphone.data.writing import Writing
from glyphone.fst.ensembles import file as ensemble_file
from glyphone.fst.ensembles.model import EnsembleModel
from glyphone.fst.ensembles.panel import FARTHEST, Member
from glyphone.fst.ensembles.reranking.feature_kernels import ALL
from glyphone.fst.ensembles.reranking.model import Reranker
from glyphone.fst.ensembles.training import fit_ensemble
from glyphone.fst.interface.unknown_symbols import lenient
from glyphone.fst.joint.training import train_joint
from glyphone.fst.storage.container import Contents
from glyphone.models import kinds
from tests.fst.ensembles.examples import OPTIONS, lexicon
from tests.fst.ensembles.reranking.test_posteriors import near_and_far
from tests.fst.joint.twins import (
    READ,
    WRITTEN,
    labels_of,
    random_model,
    relation,
    seeds,
    strings,
    text_of,
)
from tests.fst.support import mass


@pytest.fixture(scope="module")
def model() -> EnsembleModel:
    return fit_ensemble(lexicon(), OPTIONS, target=Writing()).model


@settings(max_examples=60)
@given(seeds, strings, st.sampled_from([0.5, 2.0, 6.0]))
def test_union_order_and_posteriors(seed: int, string: tuple[int, ...], margin: float) -> None:
    """Every output of every member, weighted by hand."""
    joints = [random_model(seed), random_model(seed + 1)]
    shares = np.array([0.7, 0.4])
    settings: Any = {"temperature": 2.0, "depth": 10_000, "margin": margin}
    model = EnsembleModel.of([Member(m) for m in joints], reranker=Reranker(shares), **settings)
    masses = [{y: -mass(c) for y, c in relation(m, string).items()} for m in joints]
    outputs = {y for own in masses for y in own}
    text = text_of(READ, string)
    found = model.nbest(text, n=10_000)
    assert {labels_of(WRITTEN, h.output) for h in found} == outputs and len(found) == len(outputs)
    if not outputs:
        with pytest.raises(NoOutput):
            model(text)
        return
    totals = dict.fromkeys(outputs, 0.0)
    for share, own in zip(shares, masses, strict=True):
        best = max(own.values(), default=0.0)
        for y in outputs:
            totals[y] += share * max(own.get(y, -math.inf) - best, -FARTHEST) if own else 0.0
    near = set[Any]()
    for joint in joints:
        costs_of = {y: min(costs) for y, costs in relation(joint, string).items()}
        best = min(costs_of.values(), default=0.0)
        near |= {y for y, cost in costs_of.items() if cost <= best + margin}
    wanted = {t: near_and_far(totals, near, t) for t in (1, 2)}
    costs = [h.cost for h in found]
    assert costs == sorted(costs)
    for h in found:
        output = labels_of(WRITTEN, h.output)
        assert h.cost == pytest.approx(-math.log(wanted[1][output]), abs=1e-3)
        assert h.posterior == pytest.approx(wanted[2][output], abs=1e-3)
    # To score an output is as much work as to answer: the best, the last and some between.
    for rank in {1, *range(1, len(found), 1 + len(found) // 16), len(found)}:
        h = found[rank - 1]
        scored = model.score(text, h.output)
        assert (scored.log_probability, scored.posterior) == (
            pytest.approx(-h.cost, abs=1e-6),
            pytest.approx(h.posterior, abs=1e-6),
        )
        assert scored.rank == rank
    assert math.isinf(model.score(text, "xyxyxyxyxyxyxyxyxy").log_probability) or string
    assert model(text).output == found[0].output


def test_a_backward_member_reads_the_same_pairs() -> None:
    rows = [Alignment(tuple(((x,), (y,)) for x, y in zip(word, phones, strict=True)))
            for word, phones in [("ab", "xy"), ("abb", "xyx"), ("ba", "yx")]]  # fmt: skip
    turned = [Alignment(row.units[::-1]) for row in rows]
    forward, backward = (
        train_joint(r, source=Writing(), target=Writing(), order=1) for r in (rows, turned)
    )
    one = EnsembleModel.of([Member(forward), Member(forward)])
    other = EnsembleModel.of([Member(forward), Member(backward, backward=True)])
    for text in ("ab", "abb", "aab"):
        pairs = zip(one.nbest(text), other.nbest(text), strict=True)
        for a, b in pairs:
            assert (a.output, a.spans) == (b.output, b.spans)
            assert a.cost == pytest.approx(b.cost, abs=1e-5)
    with pytest.raises(GlyphoneError, match="forward"):
        EnsembleModel.of([Member(backward, backward=True)])


def test_it_learns(model: EnsembleModel) -> None:
    right = [model("".join(pair.source)).output == "".join(pair.target) for pair in lexicon(40, 9)]
    assert sum(right) >= 38
    assert len(model.members) == 3 and len(model.histories) == 2
    assert [member.backward for member in model.members] == [False, True, False]
    best = model("cica")
    assert (best.output, best.spans) == ("sika", ((0, 1), (1, 2), (2, 3), (3, 4)))
    assert model.lattice("ca").n_states == model.first.lattice("ca").n_states
    assert "cica" in [h.output for h in model.invert().nbest("sika")]


def test_blocks_do_not_change_answers(model: EnsembleModel) -> None:
    words = ["".join(pair.source) for pair in lexicon(50, 3)] + ["", "caq", "c"]
    block = model.answer(words, n=3, spans=True)
    assert [h.item for h in block.failures.values()] == ["caq"] and "U+0071" in str(
        block.failures[51]
    )
    for number, word in enumerate(words):
        if number not in block.failures:
            assert block.hypotheses(number) == model.nbest(word, n=3)
    single = [h and h.output for h in model.apply(words, jobs=1, on_error=lambda *_: None)]
    assert single == [h and h.output for h in model.apply(words, jobs=2, on_error=lambda *_: None)]


def test_a_symbol_that_one_member_never_saw() -> None:
    rows = [Alignment(((("a",), ("x",)), (("b",), ("y",)))), Alignment(((("c",), ("x",)),))]
    both, one = (
        train_joint(r, source=Writing(), target=Writing(), order=2) for r in (rows, rows[:1])
    )
    model = EnsembleModel.of([Member(both), Member(one), Member(one, backward=True)])
    assert [h.output if h else None for h in model.apply(["cab", "ab", "c"])] == ["xxy", "xy", "x"]
    assert model("cab").posterior == 1 - model.missing


def test_without_a_path_by_the_first_member_spans_are_the_whole_word() -> None:
    rows = [Alignment(((("a",), ("x",)),)), Alignment(((("b",), ("y",)),))]
    wide = [Alignment(((("a", "b"), ("y", "y")),)), *rows]
    one, other = (train_joint(r, source=Writing(), target=Writing(), order=2) for r in (rows, wide))
    found = EnsembleModel.of([Member(one), Member(other)]).nbest("ab")
    spans = {h.output: h.spans for h in found}
    assert spans == {"xy": ((0, 1), (1, 2)), "yy": ((0, 2), (0, 2))}


def test_files(model: EnsembleModel, tmp_path: Path) -> None:
    weights = np.zeros(1024, np.float32)
    weights[[3, 700]] = [0.5, -1.25]
    ranker = Reranker(model.reranker.shares, weights, ALL)
    for number, saved in enumerate([model, replace(model, reranker=ranker), model.invert()]):
        path = tmp_path / f"{number}.glyphone"
        ensemble_file.save(saved, path)
        loaded = kinds.load(path)
        assert isinstance(loaded, EnsembleModel)
        assert loaded.fingerprint() == saved.fingerprint()
        for word in ["sika", "pato"] if number == 2 else ["cica", "pato", "toce"]:
            assert loaded.nbest(word) == saved.nbest(word)
        ensemble_file.save(loaded, tmp_path / "again")
        assert (tmp_path / "again").read_bytes() == path.read_bytes()
    assert model.fingerprint() != replace(model, reranker=ranker).fingerprint()


def deeper(manifest: dict[str, Any], *path: Any, value: Any) -> dict[str, Any]:
    key, *rest = path
    copy = manifest.copy()
    copy[key] = deeper(copy[key], *rest, value=value) if rest else value
    return copy


MANIFESTS: list[tuple[tuple[Any, ...], Any, str]] = [
    (("members",), [], "no members"),
    (("temperature",), 0, "temperature"),
    (("temperature",), True, "temperature"),
    (("missing",), 1.0, "missing"),
    (("depth",), 0, "depth"),
    (("margin",), 0.0, "nats"),
    (("margin",), math.inf, "nats"),
    (("margin",), "6", "nats"),
    (("vowels",), [1], "vowel"),
    (("name",), None, "name"),
    (("histories",), [], "one share"),
    (("reranker",), {"level": 9, "size": 1}, "level 9"),
    (("reranker",), {"level": 0, "size": 3}, "3 weights"),
]
ARRAYS: list[tuple[str, Callable[[Any], Any], str]] = [
    ("reranker/shares", lambda a: a * np.nan, "not a number"),
    ("histories/0/slots", lambda a: a * 0, "not in order"),
    ("histories/0/counts", lambda a: a[1:], "divide"),
    ("histories/0/candidates", lambda a: a + 64, "too many"),
    ("histories/0/weights", lambda a: a * np.inf, "not a number"),
    ("histories/0/places", lambda a: a[1:], "one letter"),
    ("histories/0/vowels", lambda a: a[1:], "vowels"),
]


@pytest.mark.parametrize(("path", "value", "reason"), MANIFESTS)
def test_damaged_manifests(
    model: EnsembleModel, path: tuple[Any, ...], value: Any, reason: str
) -> None:
    contents = ensemble_file.to_contents(model)
    damaged = deeper(dict(contents.manifest), *path, value=value)
    with pytest.raises(FormatError, match=reason):
        ensemble_file.from_contents(Contents("ensemble", damaged, contents.arrays))


@pytest.mark.filterwarnings("ignore:invalid value encountered")
@pytest.mark.parametrize(("name", "change", "reason"), ARRAYS)
def test_damaged_arrays(
    model: EnsembleModel, name: str, change: Callable[[Any], Any], reason: str
) -> None:
    contents = ensemble_file.to_contents(model)
    arrays = {**contents.arrays, name: change(contents.arrays[name])}
    with pytest.raises(FormatError, match=reason):
        ensemble_file.from_contents(Contents("ensemble", contents.manifest, arrays))
    del arrays[name]
    with pytest.raises(FormatError, match="KeyError"):
        ensemble_file.from_contents(Contents("ensemble", contents.manifest, arrays))


def test_unknown_symbols_cannot_be_skipped(model: EnsembleModel) -> None:
    with pytest.raises(GlyphoneError, match=r"cannot skip symbols .*ensembles have none"):
        lenient(model, "skip")


def test_exact_members_have_no_beam(model: EnsembleModel) -> None:
    exact = model.exact()
    assert all(math.isinf(member.model.beam) for member in exact.members)
    assert exact.reranker is model.reranker
