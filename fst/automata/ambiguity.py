"""Two outputs of one input, found on the square of a transducer.

The square has a path for each two paths of the transducer that read one string, and carries the
outputs of both. If no input has two outputs, the lead of one output over the other, the delay, is
the same on all ways to a state and empty at an end (Béal et al. 2003).

>>> ends = [np.inf, np.inf, 0.0]
>>> square = Transducer.from_arcs(0, ends, [0, 1], [5, 7], [6, 7], [0.0, 0.0], [1, 2])
>>> two_outputs(square)
((5, 7), (6, 7))
"""

from __future__ import annotations

from collections import deque

import numpy as np

from glyphone.fst.automata.transducer import Transducer

Labels = tuple[int, ...]
Delay = tuple[Labels, Labels]


def two_outputs(square: Transducer) -> Delay | None:
    """Two different outputs of one input, from the square of a transducer, or None."""
    if square.start < 0:
        return None
    delays: dict[int, Delay] = {square.start: ((), ())}
    came: dict[int, tuple[int, int]] = {}
    agenda = deque([square.start])
    offsets, targets = square.offsets.tolist(), square.targets.tolist()
    ones, others = square.ilabels.tolist(), square.olabels.tolist()
    ends = np.isfinite(square.finals).tolist()

    def written(arcs: list[int]) -> Delay:
        return (
            tuple(ones[arc] for arc in arcs if ones[arc]),
            tuple(others[arc] for arc in arcs if others[arc]),
        )

    def path_to(state: int) -> list[int]:
        arcs = []
        while state in came:
            state, arc = came[state]
            arcs.append(arc)
        return arcs[::-1]

    while agenda:
        state = agenda.popleft()
        if ends[state] and delays[state] != ((), ()):
            return written(path_to(state))
        for arc in range(offsets[state], offsets[state + 1]):
            target = targets[arc]
            delay = advance_delay(delays[state], ones[arc], others[arc])
            if delay is not None and target not in delays:
                delays[target] = delay
                came[target] = (state, arc)
                agenda.append(target)
            elif delay is None or delays[target] != delay:
                # Of two ways with different delays one at least ends in different outputs.
                ways = [[*path_to(state), arc]]
                if target in delays:
                    ways.append(path_to(target))
                rest = shortest_way_to_end(square, target)
                pairs = [written([*way, *rest]) for way in ways]
                return next(pair for pair in pairs if pair[0] != pair[1])
    return None


def advance_delay(delay: Delay, one: int, other: int) -> Delay | None:
    """The delay after one more step, or None if the two outputs part for good.

    >>> advance_delay(((5,), ()), 6, 5), advance_delay(((5,), ()), 0, 7)
    (((6,), ()), None)
    """
    ahead = delay[0] + ((one,) if one else ())
    behind = delay[1] + ((other,) if other else ())
    common = min(len(ahead), len(behind))
    if ahead[:common] != behind[:common]:
        return None
    return ahead[common:], behind[common:]


def shortest_way_to_end(machine: Transducer, start: int) -> list[int]:
    """The arcs of a shortest way from a state to an end."""
    came: dict[int, tuple[int, int]] = {}
    agenda = deque([start])
    while agenda:
        state = agenda.popleft()
        if np.isfinite(machine.finals[state]):
            arcs = []
            while state != start:
                state, arc = came[state]
                arcs.append(arc)
            return arcs[::-1]
        for arc in range(machine.offsets[state], machine.offsets[state + 1]):
            target = int(machine.targets[arc])
            if target != start and target not in came:
                came[target] = (state, arc)
                agenda.append(target)
    raise ValueError("no end can be reached")
