"""Labels of words against all labellings of a message; chains side by side; training."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from glyphone.data.errors import UnknownName
from glyphone.data.kernels import jit
from glyphone.voicemail.callers import crf_training
from glyphone.voicemail.callers import decoding_kernels as caller_decoding_kernels
from glyphone.voicemail.callers import file as caller_file
from glyphone.voicemail.callers.chain_kernels import HEADS
from glyphone.voicemail.callers.chain_kernels import PARTS as N_PARTS
from glyphone.voicemail.callers.model import SHAPES, CallerModel, single_form
from glyphone.voicemail.callers.options import CallerOptions
from glyphone.voicemail.callers.shapes import (
    B_LEAD,
    B_NAME,
    B_TAIL,
    FOLLOWERS,
    I_NAME,
    LABELS,
    N_LABELS,
    PARTS,
    O,
    Shape,
    X,
    join_shapes,
)
from glyphone.voicemail.callers.training import train
from glyphone.voicemail.generator.generate import generate

Span = tuple[int, int]
Spans = dict[Span, float]
PLACES = 5
OUTSIDE = (O, X)


def scores(shape: Shape, seed: int) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    states = len(shape.chains)
    return random.normal(size=(PLACES, shape.width)), random.normal(size=(states, states))


def runs(labels: tuple[int, ...], inside: Callable[[int], bool]) -> list[Span]:
    """Where the labels are inside; a phrase never begins right behind another one."""
    edges = [inside(label) for label in labels]
    begins = [p for p, here in enumerate(edges) if here and (p == 0 or not edges[p - 1])]
    return [(p, next(q for q in range(p, len(edges)) if not edges[q])) for p in begins]


Shares = tuple[float, Spans, Spans]


def by_hand(nodes: Any, steps: Any) -> Shares:
    """The share of any phrase, of each phrase and each name, by the definition."""
    whole, anyone = 0.0, 0.0
    phrases: Spans = defaultdict(float)
    names: Spans = defaultdict(float)
    for labels in product(range(N_LABELS), repeat=PLACES):
        if labels[-1] not in OUTSIDE:
            continue
        score, last = 0.0, O
        for p, label in enumerate(labels):
            if label not in FOLLOWERS[last]:
                break
            score, last = score + nodes[p, label] + steps[last, label], label
        else:
            share = math.exp(score)
            whole += share
            anyone += share * any(label not in OUTSIDE for label in labels)
            for span in runs(labels, lambda label: label not in OUTSIDE):
                phrases[span] += share
            for span in runs(labels, lambda label: label in (B_NAME, I_NAME)):
                names[span] += share
    return (
        anyone / whole,
        {span: share / whole for span, share in phrases.items()},
        {span: share / whole for span, share in names.items()},
    )


def decoded(heads: Any, steps: Any, shape: Shape, mixed: list[float]) -> tuple[Any, Any]:
    pairs = steps[shape.pairs[:, 0], shape.pairs[:, 1]]
    bounds = np.array([0, len(heads)])
    best = caller_decoding_kernels.decode_spans(heads, pairs, shape, np.array(mixed), bounds, 0)
    return best.spans[0].ravel(), best.shares[0]


def within(spans: Spans, bounds: Span) -> Spans:
    return {s: share for s, share in spans.items() if bounds[0] <= s[0] and s[1] <= bounds[1]}


@pytest.mark.parametrize("seed", range(5))
def test_spans_are_the_best_of_all_labellings(seed: int) -> None:
    nodes, steps = scores(LABELS, seed)
    anyone, phrases, names = by_hand(nodes, steps)
    found, shares = decoded(nodes, steps, LABELS, [1.0])
    best = max(phrases, key=lambda span: phrases[span])
    inside = within(names, best)
    name = max(inside, key=lambda span: inside[span])
    assert (tuple(found[:2]), tuple(found[2:])) == (best, name)
    assert shares == pytest.approx([anyone, phrases[best], inside[name]])


@pytest.mark.parametrize("seed", range(5))
def test_side_by_side_each_chain_has_its_share(seed: int) -> None:
    shape = join_shapes(LABELS, LABELS)
    nodes, steps = scores(shape, seed)
    one = by_hand(nodes[:, :N_LABELS], steps[:N_LABELS, :N_LABELS])
    other = by_hand(nodes[:, N_LABELS:], steps[N_LABELS:, N_LABELS:])
    for mixed in ([1.0, 0.0], [0.25, 0.75]):
        phrases, names = (
            {s: mixed[0] * one[k].get(s, 0) + mixed[1] * other[k].get(s, 0) for s in spans}
            for k, spans in ((1, {**one[1], **other[1]}), (2, {**one[2], **other[2]}))
        )
        best = max(phrases, key=lambda span: phrases[span])
        inside = within(names, best)
        name = max(inside, key=lambda span: inside[span])
        found, shares = decoded(nodes, steps, shape, mixed)
        assert (tuple(found[:2]), tuple(found[2:])) == (best, name)
        anyone = mixed[0] * one[0] + mixed[1] * other[0]
        assert shares == pytest.approx([anyone, phrases[best], inside[name]])


@pytest.mark.parametrize("mixed", [[1.0, 0.0], [0.0, 1.0]])
def test_both_kinds_stand_side_by_side(mixed: list[float]) -> None:
    heads, steps = scores(SHAPES["both"], 1)
    own = (heads[:, :HEADS], steps[:N_PARTS, :N_PARTS], PARTS)
    other = (heads[:, HEADS:], steps[N_PARTS:, N_PARTS:], LABELS)
    alone = decoded(*(own if mixed[0] else other), [1.0])
    together = decoded(heads, steps, SHAPES["both"], mixed)
    assert (together[0] == alone[0]).all()
    assert together[1] == pytest.approx(alone[1])


def test_scores_beyond_numbers_have_shares() -> None:
    nodes = np.zeros((PLACES, N_LABELS))
    nodes[1, B_LEAD], nodes[2, B_NAME], nodes[3, X] = 900.0, 1e6, 1e4
    found, shares = decoded(nodes, np.zeros((N_LABELS, N_LABELS)), LABELS, [1.0])
    assert found.tolist() == [1, 3, 2, 3]
    assert shares == pytest.approx([1.0, 1.0, 1.0])


def test_compiled_kernels_decode_the_same() -> None:
    shape = SHAPES["both"]
    heads, steps = scores(shape, 3)
    pairs, bounds = steps[shape.pairs[:, 0], shape.pairs[:, 1]], np.array([0, 0, 1, 5])
    some = heads, pairs, shape, np.array([0.3, 0.7]), bounds, 3
    for one, other in zip(
        caller_decoding_kernels.decode_spans(*some),
        jit.compiled(caller_decoding_kernels).decode_spans(*some),
        strict=True,
    ):
        assert one == pytest.approx(other)


@cache
def model(form: Any) -> CallerModel:
    options = CallerOptions(form=form, most=30, places=16, max_iter=20, min_count=2)
    return train(list(generate(120, seed=1)), options=options)


@pytest.mark.parametrize("form", ["crf", "both"])
def test_a_model_of_labels_finds_callers_and_is_kept(form: str, tmp_path: Any) -> None:
    words = "hi Susan this is Olaf Petrov please call me back".split()
    [who] = model(form).find([words])
    assert words[slice(*(who.name or (0, 0)))] == ["Olaf", "Petrov"]
    assert who.phrase is not None and who.phrase[0] == 2
    path = tmp_path / "callers.glyphone"
    caller_file.save(model(form), path)
    again = caller_file.load(path)
    assert again.options.form == form
    messages = [message.words for message in generate(20, seed=5)]
    assert again.find(messages) == model(form).find(messages)


def test_trained_weights_make_marked_phrases_likeliest() -> None:
    messages = [m for m in generate(120, seed=1) if m.caller_phrase][:40]
    right = [m.caller_phrase for m in messages]
    found = model("crf").find([m.words for m in messages])
    assert sum(one.phrase == span for one, span in zip(found, right, strict=True)) >= 36


def test_both_are_the_mean_of_each() -> None:
    words = [message.words for message in generate(20, seed=5)]
    forms = ("cuts", "crf", "both")
    anyone = [
        [
            one.anyone
            for one, _ in model(form).decode_places(*model(form).score_places(words, 16), 0)
        ]
        for form in forms
    ]
    for form in ("cuts", "crf"):
        alone, own = single_form(model("both"), form), model(form)
        assert alone.find(words) == own.find(words)
    first, second, mean = map(np.array, anyone)
    assert not np.allclose(first, second)
    assert mean == pytest.approx((first + second) / 2, abs=1e-6)


def test_unknown_forms_are_refused() -> None:
    with pytest.raises(UnknownName, match="cuts"):
        CallerOptions(form="bio")  # type: ignore[arg-type]


def test_labels_of_phrases_that_reach_beyond_the_places() -> None:
    found = crf_training.gold_labels(9, (1, 8), (2, 3), most=4)
    assert found.tolist() == [O, B_LEAD, B_NAME, B_TAIL, X]
