"""Automata for forests: what is none is refused."""

from __future__ import annotations

import numpy as np
import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.forests.automata import of_acceptor, of_bigrams


@pytest.mark.parametrize(
    ("machine", "message"),
    [
        (Transducer.from_arcs(0, [0.0], [0], [1], [2], [0.5], [0]), "is no acceptor"),
        (Transducer.from_arcs(-1, [0.0], [], [], [], [], []), "has no start"),
        (
            Transducer.from_arcs(0, [0.0, 0.0], [0, 0], [1, 1], [1, 1], [0.5, 0.5], [0, 1]),
            "state 0 has two arcs",
        ),
        (
            Transducer.from_arcs(0, [0.0, 0.0], [0, 1], [0, 0], [0, 0], [0.5, 0.5], [1, 0]),
            "failure arcs of the acceptor lead in a circle",
        ),
    ],
)
def test_acceptors_that_are_none(machine: Transducer, message: str) -> None:
    with pytest.raises(GlyphoneError, match=message):
        of_acceptor(machine)


def test_a_table_of_bigrams_is_square() -> None:
    with pytest.raises(GlyphoneError, match="2 rows and 3 columns"):
        of_bigrams(np.zeros((2, 3)))
