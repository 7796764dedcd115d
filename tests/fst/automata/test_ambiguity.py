"""Two outputs on the squares of transducers, drawn by hand; on grammars, see test_lint."""

from __future__ import annotations

from glyphone.fst.automata.ambiguity import two_outputs
from glyphone.fst.automata.transducer import Transducer


def machine(arcs: list[tuple[int, int, int, int]], finals: list[int], states: int) -> Transducer:
    sources, targets, ones, others = zip(*arcs, strict=True) if arcs else [()] * 4
    costs = [0.0 if state in finals else float("inf") for state in range(states)]
    return Transducer.from_arcs(0, costs, sources, ones, others, [0.0] * len(arcs), targets)


def test_two_outputs_of_a_square() -> None:
    assert two_outputs(Transducer.from_arcs(-1, [], [], [], [], [], [])) is None
    assert two_outputs(machine([(0, 1, 5, 5)], [1], 2)) is None
    assert two_outputs(machine([(0, 1, 5, 0), (1, 2, 0, 5)], [2], 3)) is None
    assert two_outputs(machine([(0, 1, 5, 0)], [1], 2)) == ((5,), ())
    assert two_outputs(machine([(0, 1, 5, 6), (1, 2, 7, 7)], [2], 3)) == ((5, 7), (6, 7))
    # Two ways to one state with different delays.
    joined = machine([(0, 1, 5, 5), (0, 1, 5, 0), (1, 2, 0, 5)], [2], 3)
    found = two_outputs(joined)
    assert found is not None and found[0] != found[1]
    # A loop on which one side runs ahead.
    loop = machine([(0, 0, 5, 0), (0, 1, 6, 6)], [1], 2)
    assert two_outputs(loop) is not None
