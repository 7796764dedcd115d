"""Arguments that no decoder takes: probabilities that are none, labels and options."""

from __future__ import annotations

from typing import Any

import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.learners.utility.decoding import decode_f, decode_f_by_beam, expected_f
from glyphone.learners.utility.linear_decoding import (
    decode_boundaries,
    decode_hamming,
    decode_zero_one,
)


@pytest.mark.parametrize(
    ("probabilities", "message"),
    [
        ([0.1, 1.2], r"at 1: 1.2 is no probability \(it must be from 0 to 1\)"),
        ([0.1, float("nan")], "at 1: nan is no probability"),
        ([-0.1], "at 0: -0.1 is no probability"),
        ([[0.1, 0.2], [0.3, 2.0]], "at 1: column 1: 2.0 is no probability"),
        ([[0.1, 0.2, 0.3]], "there are 3 probabilities for each label"),
        ([["x"]], "these are no probabilities: could not convert"),
        ([[[0.5]]], "probabilities have 3 dimensions"),
        ([[], []], "there are 0 probabilities for each label"),
    ],
)
def test_bad_probabilities_are_refused_with_their_place(probabilities: Any, message: str) -> None:
    for decode in (decode_f, decode_zero_one, decode_hamming):
        with pytest.raises(GlyphoneError, match=message):
            decode(probabilities)


def test_bad_options_are_refused() -> None:
    with pytest.raises(GlyphoneError, match=r"alpha is 0 \(it must be above 0 and at most 1\)"):
        decode_f([0.5], alpha=0)
    with pytest.raises(GlyphoneError, match="alpha is nan"):
        expected_f([1], [0.5], alpha=float("nan"))
    with pytest.raises(GlyphoneError, match="beam is 0"):
        decode_f_by_beam([0.5], beam=0)
    with pytest.raises(GlyphoneError, match="window is 0"):
        decode_boundaries([0.5], window=0)
    with pytest.raises(GlyphoneError, match="at 1: 2 is no label"):
        expected_f([1, 2], [0.5, 0.5])
    with pytest.raises(GlyphoneError, match=r"shape \(1,\), with probabilities for 2 labels"):
        expected_f([1], [0.5, 0.5])
    with pytest.raises(GlyphoneError, match="labels that depend on one another"):
        decode_f_by_beam([[0.5, 0.5]], beam=2)
