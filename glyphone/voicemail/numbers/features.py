"""Binary features of candidates for telephone numbers, and their names.

Features are of the shape of the digits, the posteriors of the grammar, other readings of the words,
the sorts of words around (`grammars/eng/number_cues.tsv`), and the place in the message. Kernels
number them (`feature_kernels`); names are written `name=value`.

>>> features = NumberFeatures.of(Cues.read())
>>> number = features.numbers["shape=NXXXXXX"]
>>> features.name_of(number), features.numbers["before1=call&local"] > number
('shape=NXXXXXX', True)
>>> [*map(digit_shape, ("5551212", "0551212", "18005551212", "44207946"))]
['NXXXXXX', '7', '1NXXNXXXXXX', '8']
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, product
from math import prod
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.voicemail.numbers import feature_kernels as number_feature_kernels
from glyphone.voicemail.numbers.column_kernels import KINDS, PATTERNED, SIDES, Parts, Scales
from glyphone.voicemail.numbers.cues import KIND_NAMES, LABELS, TOPICS, Cues
from glyphone.voicemail.proposals.proposals import NumberProposals
from glyphone.voicemail.records.candidates import NumberCandidate

Array = Any
MOST_DIGITS = 13
SHAPES = (*map(str, range(MOST_DIGITS + 1)), "NXXXXXX", "NXXNXXXXXX", "1NXXNXXXXXX")
SHAPE_NUMBERS = {name: number for number, name in enumerate(SHAPES)}
SCALES = Scales(
    shares=np.array([0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99]),
    rivals=np.array([-3.0, -1.0, 0.0, 1.0, 3.0]),
    readings=np.array([0.3, 0.7]),
    places=np.array([1, 4, 10, 25, 60]),
    words=np.array([3, 4, 5, 7, 10, 12]),
    runs=np.array([1, 2, 3, 4, 5, 7, 8, 10, 11]),
)
# Classes of the length of a number, and manners of saying it.
SIZES = ("odd", "short", "local", "long")
SIZE_OF = {4: 1, 7: 2, 10: 3, 11: 3}
MANNERS = ("digits", "numbers")


@dataclass(frozen=True)
class NumberFeatures:
    """Templates in the order of their numbers: name, values, separator of values, and whether the
    template is of words beside a candidate, whose features occur with its length, too."""

    cues: Cues
    templates: tuple[tuple[str, tuple[tuple[str, ...], ...], str, bool], ...]

    @classmethod
    def of(cls, cues: Cues) -> NumberFeatures:
        sorts, symbols = (
            cues.names,
            (*cues.names, *map("[{}]".format, LABELS), "start", "end", "bound"),
        )
        topics = ("none", *TOPICS)
        nothing: tuple[tuple[str, ...], ...] = ()

        def steps(bounds: Array) -> tuple[tuple[str, ...]]:
            return (tuple(map(str, range(len(bounds) + 1))),)

        def beside(name: str, *values: tuple[str, ...], by: str = " ") -> Any:
            return name, values, by, True

        shares, runs = steps(SCALES.shares), steps(SCALES.runs)
        alone: list[tuple[str, tuple[tuple[str, ...], ...]]] = [
            ("shape", (SHAPES,)),
            *((name, shares) for name in ("posterior", "share", "edges", "best")),
            ("words", steps(SCALES.words)),
            ("support", (tuple("012"),)),
            ("support&shape", (SHAPES,)),
            ("extension", (tuple("0123456"),)),
            ("is", (("area", "corrected", "hesitant", "maximal", "replaced"),)),
            ("rival", steps(SCALES.rivals)),
            ("alone", nothing),
            ("reading", (LABELS, *steps(SCALES.readings))),
            ("said", (word_patterns(),)),
            ("said with", (tuple(map(kinds_text, range(1 << KINDS))),)),
            ("run before&shape", (*runs, SHAPES)),
            ("run behind&shape", (*runs, SHAPES)),
        ]
        places = steps(SCALES.places)[0]
        return cls(
            cues,
            (
                *((name, values, ":", False) for name, values in alone),
                *(beside(f"before{far}", symbols) for far in (1, 2)),
                *(beside(f"pair{far}", symbols, symbols) for far in range(4)),
                beside("near", sorts),
                beside("far", sorts),
                beside("word", tuple(cues.sorts)),
                beside("topic", topics),
                beside("topic&shape", topics, SHAPES, by=":"),
                beside("topic&said", topics, MANNERS, by=":"),
                beside("topic&reading", topics, LABELS, by=":"),
                beside("left", places),
                beside("begin", places),
                beside("next", symbols),
                beside("after", sorts),
                beside("run before", *runs),
                beside("run behind", *runs),
                beside("runs", *runs, *runs),
                beside("first", KIND_NAMES),
                beside("last", KIND_NAMES),
            ),
        )

    @cached_property
    def sizes(self) -> Array:
        """How many values each template has."""
        return np.array([prod(map(len, values)) for _, values, _, _ in self.templates])

    @cached_property
    def offsets(self) -> Array:
        """The number of the first feature of each template, and the count of all features."""
        sides = [SIDES if beside else 1 for *_, beside in self.templates]
        counts = (int(size) * side for size, side in zip(self.sizes, sides, strict=True))
        return np.array([0, *accumulate(counts)])

    @cached_property
    def values(self) -> list[list[str]]:
        """The values of each template by their numbers."""
        return [[*map(by.join, product(*values))] for _, values, by, _ in self.templates]

    def name_of(self, number: int) -> str:
        place = bisect_right(self.offsets.tolist(), number) - 1
        name, values, _, beside = self.templates[place]
        value, side = divmod(number - int(self.offsets[place]), SIDES if beside else 1)
        whole = f"{name}={self.values[place][value]}" if values else name
        return f"{whole}&{SIZES[side - 1]}" if side else whole

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The numbers of features by their names."""
        numbers: dict[str, int] = {}
        for first, own_values, (name, values, _, beside) in zip(
            self.offsets.tolist(), self.values, self.templates, strict=False
        ):
            sides = ("", *(f"&{size}" for size in SIZES)) if beside else ("",)
            rows = (f"{name}={value}" if values else name for value in own_values)
            numbers |= {
                row + side: number for number, (row, side) in enumerate(product(rows, sides), first)
            }
        return numbers

    def find_features(self, proposals: NumberProposals) -> tuple[Array, Array]:
        """The features of all candidates in a row, and the begin of the features of each."""
        candidates = [*chain.from_iterable(proposals.candidates)]
        if not candidates:
            return np.zeros(0, np.int64), np.zeros(1, np.int64)
        wholes = np.array([*map(candidate_columns, candidates)], np.int64)
        shares = np.array(
            [(one.posterior, one.edges, one.alternatives[0].posterior) for one in candidates]
        )
        codes, kinds = self.cues.encode(proposals.words)
        kernels = jit.tier(number_feature_kernels, 64 * len(candidates))
        numbers, firsts = kernels.list_features(
            self.offsets,
            self.sizes,
            SCALES,
            self.cues.signs,
            codes,
            kinds,
            proposals.words.bounds,
            wholes,
            shares,
            np.cumsum([0, *map(len, proposals.candidates)]),
            Parts(proposals.rows, proposals.posteriors, proposals.bounds),
        )
        return numbers, firsts


def word_patterns() -> tuple[str, ...]:
    """Names of patterns of kinds of words, by number."""
    rows = (product(KIND_NAMES, repeat=n) for n in range(1, PATTERNED + 1))
    return tuple(map(" ".join, chain.from_iterable(rows)))


def kinds_text(number: int) -> str:
    """The names of the kinds whose bits are set.

    >>> kinds_text(0b110)
    'digit+teen'
    """
    return "+".join(name for bit, name in enumerate(KIND_NAMES) if number >> bit & 1)


def candidate_columns(one: NumberCandidate) -> tuple[int, ...]:
    """A candidate in whole numbers, in the order of `column_kernels`."""
    digits = one.digits
    return (
        one.begin,
        one.end,
        SHAPE_NUMBERS[digit_shape(digits)],
        one.end - one.begin,
        one.support,
        len(one.extension),
        one.area,
        one.corrected,
        one.hesitant,
        one.maximal,
        one.replaced_by is not None,
        SIZE_OF.get(len(digits), 0),
        # Most words are single digits, or numbers of two or more.
        3 * (one.end - one.begin) < 2 * (len(digits) + len(one.extension)),
    )


def digit_shape(digits: str) -> str:
    """The pattern of a number in North America, or how many digits there are."""
    n = len(digits)
    if (
        digits[-10:-9] not in ("", "0", "1")
        and digits[-7] not in "01"
        and digits[:-10] in ("", "1")
    ):
        return "1NXXNXXXXXX"[11 - n :]
    if n == 7 and digits[0] not in "01":
        return "NXXXXXX"
    return str(min(n, MOST_DIGITS))
