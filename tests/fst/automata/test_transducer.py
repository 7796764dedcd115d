"""Transducers made from arcs: one order of them, and refusal of what cannot be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError
from glyphone.fst.automata.openfst import to_bytes
from glyphone.fst.automata.transducer import Transducer
from tests.fst.automata.openfst_twins import contents, machines


def test_from_arcs_refuses_what_cannot_be() -> None:
    good: dict[str, Any] = {
        "start": 0,
        "finals": [0.0, 1.0],
        "sources": [0, 1],
        "ilabels": [1, 2],
        "olabels": [1, 2],
        "weights": [0.0, 0.0],
        "targets": [1, 0],
    }
    assert Transducer.from_arcs(**good).n_arcs == 2
    for name, value, message in [
        ("start", 2, "the start state is 2, of 2 states"),
        ("finals", [[0.0, 1.0]], r"not flat: its shape is \(1, 2\)"),
        ("sources", [0, 2], "the source of arc 1 is 2"),
        ("ilabels", [1], "the input label column has 1 values for 2 weights"),
        ("ilabels", [-1, 0], "the input label of arc 0 is -1"),
        ("olabels", [0, 2**31], "the output label of arc 1 is 2147483648"),
        ("targets", [0.0, 1.0], "holds float64, not integers"),
        ("weights", [0.0, -np.inf], "weight 1 is -inf"),
    ]:
        with pytest.raises(GlyphoneError, match=message):
            Transducer.from_arcs(**{**good, name: value})


@given(machines(), st.randoms(use_true_random=False))
def test_the_order_of_arcs_is_total(machine: Transducer, random: Any) -> None:
    arcs = contents(machine)[2]
    shuffled = random.sample(arcs, len(arcs))
    columns = [list(column) for column in zip(*shuffled, strict=True)] or [[]] * 5
    source, ilabel, olabel, target, weight = columns
    again = Transducer.from_arcs(
        machine.start,
        machine.finals,
        source,
        ilabel,
        olabel,
        weight,
        target,
        machine.isymbols,
        machine.osymbols,
    )
    assert to_bytes(again) == to_bytes(machine)
    assert arcs == sorted(arcs)
    assert machine.invert().invert().equals(machine)
