"""The reasons for an answer of a joint model: the units of the best path, and their costs.

>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.joint.training import fit_joint
>>> from glyphone.data.records import Pair
>>> pairs = [Pair(tuple(word), tuple(word)) for word in ("hi", "ih")]
>>> model = fit_joint(pairs, target=Writing()).model
>>> [str(unit) for unit in units_used(model, "hi", model("hi"))]
['h : h', 'i : i', 'end']
"""

from __future__ import annotations

import math

import numpy as np

from glyphone.data.records import Hypothesis
from glyphone.fst.interface.reasons import UnitUse
from glyphone.fst.joint.model import JointModel


def units_used(model: JointModel, text: str, hypothesis: Hypothesis) -> tuple[UnitUse, ...]:
    """The units of the best path to an answer; their costs add up to that of the answer.

    With windows a cost is -ln P of the n-grams and -ln P of the windows, less that of the best unit
    there, each times its share.
    """
    letters = model.source.encode(text).labels
    windows, share = model.windows, 1.0
    if windows is not None:
        share = windows.ngram_share
        strength = windows.window_share
        factors, shifts = windows.factors(np.array(letters, np.int32), strength=strength)
    phones = [model.target.symbols[symbol] for symbol in hypothesis.symbols]
    (numbers,) = model.best_units([(letters, phones)])
    state, found = model.ngrams.start, []
    for place, (number, (x, y)) in enumerate(
        zip(numbers, model.alignment(numbers).units, strict=True)
    ):
        log_prob, state = model.ngrams.advance(state, number)
        cost = -share * log_prob
        if windows is not None:
            cost -= math.log(factors[shifts[place] + number])
        found.append(UnitUse(model.source.join(x), model.target.join(y), cost))
    log_prob, _ = model.ngrams.advance(state, model.ngrams.end)
    return (*found, UnitUse("", "", -share * log_prob, end=True))
