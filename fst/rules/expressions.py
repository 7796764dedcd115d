"""Regular expressions over symbols, as syntax trees; rules and contexts are made of them.

>>> finite_strings(Choice((Symbol("a"), Chain((Symbol("b"), Symbol("c"))))))
[('a',), ('b', 'c')]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Symbol:
    text: str


@dataclass(frozen=True)
class Edge:
    """The edge of the item."""


@dataclass(frozen=True)
class Chain:
    """Concatenation; the empty chain is the empty string."""

    parts: tuple[Expression, ...] = ()


@dataclass(frozen=True)
class Choice:
    """One of several; in braces the order counts, for rules that map element by element."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Repeat:
    part: Expression
    low: int
    unbounded: bool


Expression = Symbol | Edge | Chain | Choice | Repeat


def finite_strings(expression: Expression) -> list[tuple[str, ...]] | None:
    """The strings of an expression in the order of writing, or None if they are not finite."""
    match expression:
        case Symbol(text):
            return [(text,)]
        case Choice(parts):
            lists = [finite_strings(part) for part in parts]
            return None if None in lists else [s for found in lists for s in found or ()]
        case Chain(parts):
            result: list[tuple[str, ...]] = [()]
            for part in parts:
                found = finite_strings(part)
                if found is None:
                    return None
                result = [head + tail for head in result for tail in found]
            return result
        case Repeat(part, 0, False):
            found = finite_strings(part)
            return None if found is None else [(), *found]
    return None


def literal(string: Iterable[str]) -> Expression:
    """The expression that matches one string of symbols."""
    parts = tuple(map(Symbol, string))
    return parts[0] if len(parts) == 1 else Chain(parts)


def symbols_of(expression: Expression) -> set[str]:
    """The symbols that an expression mentions."""
    match expression:
        case Symbol(text):
            return {text}
        case Chain(parts) | Choice(parts):
            return set().union(*map(symbols_of, parts))
        case Repeat(part):
            return symbols_of(part)
    return set()


def has_edge(expression: Expression) -> bool:
    match expression:
        case Edge():
            return True
        case Chain(parts) | Choice(parts):
            return any(map(has_edge, parts))
        case Repeat(part):
            return has_edge(part)
    return False


def accepts_empty(expression: Expression) -> bool:
    match expression:
        case Chain(parts):
            return all(map(accepts_empty, parts))
        case Choice(parts):
            return any(map(accepts_empty, parts))
        case Repeat(part, low):
            return low == 0 or accepts_empty(part)
    return False
