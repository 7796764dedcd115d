"""Entries that the aligner refuses, with its reasons, and small lexicons that it does not."""

from __future__ import annotations

import math
from typing import Any

import pytest

from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.records import Alignment, Pair
from glyphone.fst.alignment.training import ONE_TO_ONE, AlignmentOptions, fit
from tests.fst.alignment.twins import pair


def test_every_refusal_has_a_reason() -> None:
    pairs = [
        pair("abc", "xxxxxxxxx"),
        pair("", "x"),
        pair("a", ""),
        pair("", ""),
        pair("a", "x", math.nan),
        pair("a", "x"),
        pair("a" * 3000, "x" * 3000),
        pair("aaaaa", "x"),
    ]
    model = fit(pairs, AlignmentOptions(deletions=False))
    reasons = {item.index: item.reason for item in model.refusals}
    assert reasons == {
        0: "3 source symbols cannot give 9 target symbols: at most 6",
        1: "the source is empty and cannot give 1 target symbols",
        2: "the target is empty, which 1 source symbols cannot give",
        4: "the weight is nan, not a finite number of at least 0",
        6: "3000 by 3000 symbols are too many to align: cut the pair into shorter ones",
        7: "5 source symbols cannot give 1 target symbols: at least 3",
    }
    alignments, refused = model.align_all([*pairs, pair("ß", "x"), pair("ab", "x")])
    assert tuple(refused[:-2]) == model.refusals
    assert refused[-2].reason == "the source symbol 'ß' U+00DF was never seen in training"
    assert refused[-1].reason == "every alignment needs a unit of probability zero"
    assert alignments[3] == Alignment(())
    with pytest.raises(ItemError, match="at most 6"):
        model.align(pairs[0])


def test_a_uniform_share_aligns_what_was_never_seen() -> None:
    model = fit([pair("ab", "xy")], AlignmentOptions(weights=(0.0, 0.9, 0.1)))
    item = pair("aßb", "xyz")
    assert model.align(item).pair == Pair(item.source, item.target)
    assert sum(model.posterior_units(item).values()) == pytest.approx(3, abs=1)
    assert -1 in model.lattices([item]).units


@pytest.mark.parametrize("pairs", [[], [pair("", "")], [pair("a", "x")], [pair("", "xyz")]])
@pytest.mark.parametrize("options", [None, ONE_TO_ONE, AlignmentOptions(method="viterbi")])
def test_small_lexicons(pairs: list[Pair], options: AlignmentOptions | None) -> None:
    model = fit(pairs, options, jobs=2)
    assert len(model.align_all(pairs)[0]) == len(pairs)
    assert len(model.lattices(pairs).costs) == len(pairs)
    assert len(model.units) == len(model.probabilities)


def test_options_are_checked() -> None:
    wrongs: list[dict[str, Any]] = [
        {"max_source": 0},
        {"rounds": -1},
        {"insertions": -1},
        {"method": "hard"},
        {"initial": "bags"},
        {"weights": (0.5, 0.6, 0.0)},
    ]
    for wrong in wrongs:
        with pytest.raises(GlyphoneError):
            AlignmentOptions(**wrong)
    with pytest.raises(GlyphoneError, match="no rules"):
        fit([], AlignmentOptions(weights=(0.5, 0.5, 0.0)))
    with pytest.raises(GlyphoneError, match="not one-to-one"):
        fit([]).one_to_one_all([])


def test_more_shapes_of_units_than_kernels_can_tell_apart_are_refused() -> None:
    with pytest.raises(GlyphoneError, match="lower max_source or max_target"):
        AlignmentOptions(max_source=13, max_target=13, many_to_many=True)
