"""Several outputs of a word judged by trees at once, beside one after the other."""

from __future__ import annotations

from typing import Any

import pytest

from glyphone.data.writing import Writing
from glyphone.models.trees.training import fit_tree
from tests.glyphone.models.trees.twins import LEXICON, PAIRS, options_of
from tests.glyphone.support import judged, scores


@pytest.mark.parametrize(
    "options",
    [{"trees": 2, "previous": 3, "backward": True}, {"previous": 0}, {"trees": 3, "previous": 2}],
)
def test_outputs_judged_as_they_are_scored(options: dict[str, Any]) -> None:
    model = fit_tree(PAIRS, options_of(**options), target=Writing()).model
    words = [*LEXICON][:6]
    never = next(iter(model.target.symbols)) * 20
    outputs = [[LEXICON[w], *(h.output for h in model.nbest(w, 4)), never] for w in words]
    wanted = scores(model, words, outputs)
    assert judged(model, words, outputs) == pytest.approx(wanted, abs=1e-4)
