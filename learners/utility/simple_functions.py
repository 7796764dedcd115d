"""Expectations of utilities and losses that a finite-state counter computes (Jansche 2007).

A simple function reads a hypothesis z and the true labels y from left to right, keeps a state, and
gives the state a value at the end. Its expectation needs the distribution of the state only:

    M_0 = {start: 1};   M_i[transition(state, y_i)] += M_{i-1}[state] * P(y_i)

Labels that depend on the m before them have these in the state too. With a beam, only the most
probable states of each M are kept: a lower bound, for utilities that are never negative.

>>> p = [0.9, 0.6, 0.4, 0.2]
>>> round(expected_value(FScore(0.5), [1, 1, 0, 0], p), 6)
0.71832
>>> round(expected_value(ZeroOne(), [1, 1, 0, 0], p), 4)
0.2592
>>> [round(expected_value(loss, [1, 1, 0, 0], p), 4) for loss in (Hamming(), BoundaryError(2))]
[1.1, 0.2667]
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from glyphone.data.errors import GlyphoneError
from glyphone.learners.utility.labels import (
    by_history,
    check_alpha,
    check_labels,
    check_probabilities,
    next_history,
)

Array = Any
State = Any


class SimpleFunction(Protocol):
    """A function that reads labels, y at place i; states are hashable, values numbers or arrays."""

    def start(self, z: Array) -> State: ...
    def transition(self, state: State, z: Array, i: int, y: int) -> State: ...
    def value(self, state: State, z: Array) -> Any: ...


@dataclass(frozen=True)
class FScore:
    """A / (alpha*T + (1-alpha)*P), 0/0 = 1; the state is (A, T)."""

    alpha: float = 0.5

    def __post_init__(self) -> None:
        check_alpha(self.alpha)

    def start(self, z: Array) -> tuple[int, int]:
        return 0, 0

    def transition(self, state: tuple[int, int], z: Array, i: int, y: int) -> tuple[int, int]:
        hits, ones = state
        return hits + (y and int(z[i])), ones + y

    def value(self, state: tuple[int, int], z: Array) -> float:
        hits, ones = state
        decided = int(z.sum())
        if not ones and not decided:
            return 1.0
        return hits / (self.alpha * ones + (1 - self.alpha) * decided) if hits else 0.0


@dataclass(frozen=True)
class ZeroOne:
    """1 if all labels are right; the state says whether they are so far."""

    def start(self, z: Array) -> bool:
        return True

    def transition(self, state: bool, z: Array, i: int, y: int) -> bool:
        return state and z[i] == y

    def value(self, state: bool, z: Array) -> float:
        return float(state)


@dataclass(frozen=True)
class Hamming:
    """A loss: the number of wrong labels, which is the state."""

    def start(self, z: Array) -> int:
        return 0

    def transition(self, state: int, z: Array, i: int, y: int) -> int:
        return state + int(z[i] != y)

    def value(self, state: int, z: Array) -> float:
        return float(state)


@dataclass(frozen=True)
class BoundaryError:
    """A loss: P_k of Beeferman, Berger and Lafferty (1999), where ones are boundaries.

    It is the share of windows of `window` labels that have a boundary in just one of z and y. The
    state: how many labels ago y had its last boundary, at most `window`, and how many windows
    disagree. Fewer labels than a window have no error.
    """

    window: int

    def __post_init__(self) -> None:
        check_window(self.window)

    def start(self, z: Array) -> tuple[int, int]:
        return self.window, 0

    def transition(self, state: tuple[int, int], z: Array, i: int, y: int) -> tuple[int, int]:
        distance, wrong = state
        distance = 0 if y else min(distance + 1, self.window)
        if i + 1 >= self.window:
            held = bool(z[i + 1 - self.window : i + 1].any())
            wrong += held != (distance < self.window)
        return distance, wrong

    def value(self, state: tuple[int, int], z: Array) -> float:
        return state[1] / max(len(z) + 1 - self.window, 1)


def expected_value(
    function: SimpleFunction, labels: Any, probabilities: Any, *, beam: int | None = None
) -> Any:
    """The expected value of a simple function of given labels."""
    known = check_probabilities(probabilities)
    z = check_labels(labels, len(known))
    *_, last = state_distributions(function, z, known, beam=beam)
    return sum(mass * function.value(state, z) for (state, _), mass in last.items())


def state_distributions(
    function: SimpleFunction, z: Array, probabilities: Array, *, beam: int | None = None
) -> Iterator[dict[tuple[State, int], float]]:
    """The probabilities of (state, history) after 0, 1, .. n labels."""
    if beam is not None and beam < 1:
        raise GlyphoneError(f"beam is {beam}", remedy="it must be 1 or more")
    table = by_history(probabilities)
    histories = table.shape[1]
    masses: dict[tuple[State, int], float] = {(function.start(z), 0): 1.0}
    yield masses
    for i, row in enumerate(table.tolist()):
        kept: Iterable[tuple[tuple[State, int], float]] = masses.items()
        if beam is not None and len(masses) > beam:
            kept = heapq.nlargest(beam, kept, key=lambda item: item[1])
        masses = defaultdict(float)
        for (state, history), mass in kept:
            for y, p in enumerate((1 - row[history], row[history])):
                if p:
                    after = next_history(history, y, histories=histories)
                    masses[function.transition(state, z, i, y), after] += mass * p
        yield masses


def check_window(window: int) -> int:
    """The number of labels in a window."""
    if window < 1:
        raise GlyphoneError(f"window is {window}", remedy="it must be 1 or more")
    return window
