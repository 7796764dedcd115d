"""Position automata, which match expressions in time linear in the text (Glushkov 1961).

Every symbol or set of symbols in an expression is a position; a state is the set of positions that
may have been read last. States are created when they are first reached.

>>> from glyphone.fst.rules.expressions import Chain, Repeat, Symbol
>>> found = Matcher(Chain((Symbol("a"), Repeat(Symbol("b"), 0, True))))
>>> ab = found.run(found.start, ("a", "b"))
>>> found.accepting[ab], found.step(ab, "a") == DEAD
(True, True)
"""

from __future__ import annotations

from collections.abc import Iterable

from glyphone.fst.rules.expressions import Chain, Choice, Edge, Expression, Repeat, Symbol

# The symbol that # matches: it stands before and behind every string, and in no text.
EDGE = "\ud800"
DEAD = 0
BEGIN = 0  # the position before everything

Positions = frozenset[int]


def mirror(expression: Expression) -> Expression:
    """The expression of the same strings read backwards."""
    match expression:
        case Chain(parts):
            return Chain(tuple(map(mirror, reversed(parts))))
        case Choice(parts):
            return Choice(tuple(map(mirror, parts)))
        case Repeat(part, low, unbounded):
            return Repeat(mirror(part), low, unbounded)
    return expression


class Matcher:
    """The automaton of an expression; with `anywhere` a match may begin at every place."""

    def __init__(self, expression: Expression, *, anywhere: bool = False) -> None:
        self.read: list[frozenset[str]] = [frozenset()]
        self.follow: list[Positions] = [frozenset()]
        first, last, empty = self.build(expression)
        self.follow[BEGIN] = first
        self.last = last | {BEGIN} if empty else last
        self.always: Positions = frozenset({BEGIN} if anywhere else ())
        self.states: dict[Positions, int] = {}
        self.members: list[Positions] = []
        self.accepting: list[bool] = []
        self.after: list[Positions] = []  # which may be read next
        self.moves: list[dict[str, int]] = []
        self.number_of_state(frozenset())
        self.start = self.number_of_state(frozenset({BEGIN}))

    def build(self, expression: Expression) -> tuple[Positions, Positions, bool]:
        """The positions that can come first and last, and whether the empty string matches."""
        match expression:
            case Symbol(text):
                return self.add_position({text})
            case Edge():
                return self.add_position({EDGE})
            case Choice(parts) if parts and all(isinstance(part, Symbol) for part in parts):
                return self.add_position(part.text for part in parts if isinstance(part, Symbol))
            case Choice(parts):
                built = [self.build(part) for part in parts]
                first = frozenset().union(*(part[0] for part in built))
                last = frozenset().union(*(part[1] for part in built))
                return first, last, any(part[2] for part in built)
            case Chain(parts):
                first, last, empty = frozenset[int](), frozenset[int](), True
                for part in parts:
                    next_first, next_last, next_empty = self.build(part)
                    self.link(last, next_first)
                    first = first | next_first if empty else first
                    last = last | next_last if next_empty else next_last
                    empty = empty and next_empty
                return first, last, empty
            case Repeat(part, low, unbounded):
                first, last, empty = self.build(part)
                if unbounded:
                    self.link(last, first)
                return first, last, empty or low == 0
        raise TypeError(expression)

    def add_position(self, symbols: Iterable[str]) -> tuple[Positions, Positions, bool]:
        self.read.append(frozenset(symbols))
        self.follow.append(frozenset())
        here = frozenset({len(self.read) - 1})
        return here, here, False

    def link(self, before: Positions, after: Positions) -> None:
        for position in before:
            self.follow[position] |= after

    def number_of_state(self, positions: Positions) -> int:
        if positions not in self.states:
            self.states[positions] = len(self.members)
            self.members.append(positions)
            self.accepting.append(not self.last.isdisjoint(positions))
            self.after.append(frozenset().union(*(self.follow[place] for place in positions)))
            self.moves.append({})
        return self.states[positions]

    def step(self, state: int, symbol: str) -> int:
        """The state after one more symbol; DEAD if nothing can match any more."""
        moves = self.moves[state]
        if symbol not in moves:
            read = [place for place in self.after[state] if symbol in self.read[place]]
            moves[symbol] = self.number_of_state(self.always.union(read))
        return moves[symbol]

    def run(self, state: int, symbols: Iterable[str]) -> int:
        for symbol in symbols:
            state = self.step(state, symbol)
        return state
