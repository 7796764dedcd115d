"""The records that the rooms exchange.

>>> Pair(("c", "a"), ("k", "a")).weight
1.0
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Symbols = tuple[str, ...]


@dataclass(frozen=True)
class Pair:
    """One lexicon entry; `kind` is its column of kinds if the lexicon has one: surname, given."""

    source: Symbols
    target: Symbols
    weight: float = 1.0
    kind: str = ""


@dataclass(frozen=True)
class NamePair:
    """Two names of one thing, the first in Latin letters, and where they come from.

    `key` identifies the thing in its source, where a doubtful pair can be looked up; `kind` is the
    kind of thing or of name in words of the source; `country` is an ISO 3166 code, if it has one.
    """

    latin: str
    native: str
    source: str
    key: str
    kind: str
    country: str = ""


@dataclass(frozen=True)
class Alignment:
    """A pair cut into units of (source chunk, target chunk); either chunk may be empty."""

    units: tuple[tuple[Symbols, Symbols], ...]

    @property
    def pair(self) -> Pair:
        source = tuple(symbol for chunk, _ in self.units for symbol in chunk)
        target = tuple(symbol for _, chunk in self.units for symbol in chunk)
        return Pair(source, target)


@dataclass(frozen=True)
class Hypothesis:
    """One answer of a transducer.

    `cost` is the negative natural logarithm of the weight of the best path to this output;
    `posterior` is the share of all paths of the lattice, of whatever output, that give it.
    `spans[k]` says which part of the user's own string `symbols[k]` comes from. `truncated`
    marks an answer that a budget cut short. `source` is the stage that gave the answer, where
    several could; `unknown` are the symbols of the input that the model does not know, and that
    were left out or copied because the user asked for it.
    """

    output: str
    cost: float
    posterior: float
    spans: tuple[tuple[int, int], ...] = ()
    symbols: Symbols = ()
    truncated: bool = False
    source: str = ""
    unknown: Symbols = ()

    def __str__(self) -> str:
        return self.output


@dataclass(frozen=True)
class Candidate:
    """Something found in a document, between two code point offsets."""

    span: tuple[int, int]
    text: str
    value: str
    features: Mapping[str, float] = field(default_factory=dict)
    score: float = 0.0


@dataclass(frozen=True)
class Tree:
    """A constituent; a leaf has no children and its label is the word.

    >>> str(Tree("S", (Tree("NP", (Tree("Ann"),)), Tree("VP", (Tree("runs"),)))))
    '(S (NP Ann) (VP runs))'
    """

    label: str
    children: tuple[Tree, ...] = ()

    def __str__(self) -> str:
        if not self.children:
            return self.label
        return f"({self.label} {' '.join(map(str, self.children))})"


@dataclass(frozen=True)
class Sequence:
    """Tokens with named columns of annotation and, where known, one label for each token."""

    tokens: Symbols
    columns: Mapping[str, Symbols] = field(default_factory=dict)
    labels: tuple[Any, ...] = ()
