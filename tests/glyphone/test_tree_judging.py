"""Several outputs of a word judged by trees at once, beside one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glyphone.data.writing import Writing
from glyphone.tree_training import fit_tree

from .tree_twins import LEXICON, PAIRS, options_of


@pytest.mark.parametrize(
    "options",
    [{"trees": 2, "previous": 3, "backward": True}, {"previous": 0}, {"trees": 3, "previous": 2}],
)
def test_outputs_judged_as_they_are_scored(options: dict[str, Any]) -> None:
    model = fit_tree(PAIRS, options_of(**options), target=Writing()).model
    words = [*LEXICON][:6]
    never = next(iter(model.target.symbols)) * 20
    outputs = [[LEXICON[w], *(h.output for h in model.nbest(w, 4)), never] for w in words]
    rows = [model.source.encode(word).labels for word in words]
    flat = [model.target.encode(y).labels for row in outputs for y in row]
    found = model.judged(
        np.array([x for row in rows for x in row], np.int32),
        np.cumsum([0, *map(len, rows)]),
        np.cumsum([0, *map(len, outputs)]),
        np.cumsum([0, *map(len, flat)]),
        np.array([x for row in flat for x in row], np.int32),
    )
    wanted = [
        model.score(word, output).log_probability
        for word, row in zip(words, outputs, strict=True)
        for output in row
    ]
    assert found.tolist() == pytest.approx(wanted, abs=1e-5)
