"""Text to labels and back: the border between strings and arrays.

A model of glyphone declares the writing of its two sides. An automaton of another tool declares
none, so its symbol tables are used if it has them, else its labels are UTF-8 bytes, or code points
where some are above 255.

>>> side = Side(Writing(case="lower"), {"a": 1, "ñ": 2})
>>> side.encode("ÑA").labels
[2, 1]
>>> side.decode([1, 2])
('a', 'ñ')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import FormatError, ItemError
from glyphone.data.kernels.arrays import row_bounds
from glyphone.data.writing import Writing, describe_symbol, suggest_symbol
from glyphone.fst.automata.transducer import SymbolTable

Labels = NDArray[np.int32]


@dataclass(frozen=True)
class Encoded:
    """The labels of a string, and their begins and ends in the user's own string."""

    labels: list[int]
    starts: Sequence[int]
    ends: Sequence[int]


@dataclass(frozen=True)
class EncodedBlock:
    """The texts that can be encoded, end to end, and the errors of the others in `failures`.

    Text number items[k] has the labels labels[bounds[k]:bounds[k + 1]]. Where offsets were asked
    for, label p comes from starts[p] to ends[p] of its own text; elsewhere both are None.
    """

    labels: Labels
    bounds: NDArray[np.int64]
    items: NDArray[np.int64]
    failures: dict[int, ItemError]
    starts: list[int] | None = None
    ends: list[int] | None = None


@dataclass(frozen=True)
class Side:
    """One side of a transducer: how it is written, and the labels of its symbols."""

    writing: Writing
    symbols: Mapping[str, int]
    stage: str | None = None

    @cached_property
    def names(self) -> dict[int, str]:
        return {label: symbol for symbol, label in self.symbols.items()}

    def encode(self, text: str) -> Encoded:
        """The labels of one string, or ItemError for the first symbol that is not declared."""
        split = self.writing.split(text)
        labels = [self.symbols.get(symbol, 0) for symbol in split.symbols]
        if 0 in labels:
            place = labels.index(0)
            raise self.unknown_symbol_error(text, split.symbols[place], split.starts[place])
        return Encoded(labels, split.starts, split.ends)

    def unknown_symbol_error(self, item: str, symbol: str, offset: int) -> ItemError:
        if symbol not in self.refusals:
            self.refusals[symbol] = (
                f"({describe_symbol(symbol).split(' ', 2)[-1]}) is not in the alphabet",
                suggest_symbol(symbol, self.symbols)
                or "respell it, or add it to the grammar or lexicon behind the model",
            )
        message, remedy = self.refusals[symbol]
        stage = self.stage
        return ItemError(
            message, item=item, stage=stage, symbol=symbol, offset=offset, remedy=remedy
        )

    @cached_property
    def refusals(self) -> dict[str, tuple[str, str]]:
        """Messages and remedies of the symbols refused so far, as a remedy takes long to find."""
        return {}

    def encode_all(self, texts: Sequence[str], *, offsets: bool = False) -> EncodedBlock:
        """The labels of many texts, and their offsets in these if asked for."""
        if offsets or self.writing.unit != "codepoint":
            return self.encode_each(texts)
        failures: dict[int, ItemError] = {}
        converted = self.convert_all(texts, failures)
        codes = np.frombuffer("".join(converted).encode("utf-32-le"), np.uint32)
        lengths = np.fromiter(map(len, converted), np.int64, len(converted))
        labels = self.label_of_code[np.minimum(codes, len(self.label_of_code) - 1)]
        bounds = row_bounds(lengths)
        for place in np.searchsorted(bounds, np.flatnonzero(labels == 0), side="right").tolist():
            if place - 1 not in failures:
                self.encode_or_fail(texts[place - 1], place - 1, failures)
        good = np.ones(len(texts), bool)
        good[list(failures)] = False
        items = np.flatnonzero(good)
        return EncodedBlock(
            labels[np.repeat(good, lengths)], row_bounds(lengths[items]), items, failures
        )

    def encode_each(self, texts: Sequence[str]) -> EncodedBlock:
        failures: dict[int, ItemError] = {}
        rows = [self.encode_or_fail(text, place, failures) for place, text in enumerate(texts)]
        items = [place for place, row in enumerate(rows) if row is not None]
        encoded = [row for row in rows if row is not None]
        return EncodedBlock(
            np.array([label for row in encoded for label in row.labels], np.int32),
            row_bounds(np.array([len(row.labels) for row in encoded], np.int64)),
            np.array(items, np.int64),
            failures,
            [start for row in encoded for start in row.starts],
            [end for row in encoded for end in row.ends],
        )

    def as_read(self, texts: Sequence[str]) -> list[str]:
        """Texts in the normal form, case and spacing of the side: equal words are equal strings.

        A text that cannot be converted becomes the empty string.
        """
        return [self.normalise_spaces(text) for text in self.convert_all(texts, {})]

    def normalise_spaces(self, text: str) -> str:
        """A text with one space between its tokens."""
        return " ".join(text.split()) if self.writing.unit == "token" else text

    def convert_all(self, texts: Sequence[str], failures: dict[int, ItemError]) -> list[str]:
        joined = "\n".join(texts)
        try:
            converted = self.writing.convert(joined).split("\n")
            if len(converted) == len(texts):
                return converted
        except ItemError:
            pass
        result = []
        for place, text in enumerate(texts):
            try:
                result.append(self.writing.convert(text))
            except ItemError as error:
                failures[place] = error
                result.append("")
        return result

    def encode_or_fail(
        self, text: str, place: int, failures: dict[int, ItemError]
    ) -> Encoded | None:
        try:
            return self.encode(text)
        except ItemError as error:
            failures[place] = error
            return None

    @cached_property
    def label_of_code(self) -> Labels:
        """Labels by code point; the last entry, for all code points above, is 0."""
        single = {ord(symbol): label for symbol, label in self.symbols.items() if len(symbol) == 1}
        table = np.zeros(max(single, default=0) + 2, np.int32)
        table[list(single)] = list(single.values())
        return table

    def decode(self, labels: Iterable[int]) -> tuple[str, ...]:
        names = self.names
        return tuple(names[label] for label in labels)

    def symbol_cuts(self, labels: Sequence[int]) -> Sequence[int]:
        """The begin of each symbol in a string of labels, and its end; here a label is a symbol."""
        return range(len(labels) + 1)

    def join(self, symbols: Sequence[str]) -> str:
        return self.writing.join(symbols)

    def decode_all(self, labels: Labels, offsets: NDArray[np.int64]) -> list[str]:
        """The strings labels[offsets[k]:offsets[k + 1]]."""
        symbols = list(map(self.names.__getitem__, labels.tolist()))
        join = (" " if self.writing.unit == "token" else "").join
        return [join(symbols[a:b]) for a, b in pairwise(offsets.tolist())]


@dataclass(frozen=True)
class Bytes(Side):
    """A side whose labels are the bytes of UTF-8, as in grammars of Thrax and plain pynini."""

    def encode(self, text: str) -> Encoded:
        split = self.writing.split(text)
        rows = [symbol.encode() for symbol in split.symbols]
        repeat = [place for place, row in enumerate(rows) for _ in row]
        return Encoded(
            list(b"".join(rows)),
            [split.starts[place] for place in repeat],
            [split.ends[place] for place in repeat],
        )

    def encode_all(self, texts: Sequence[str], *, offsets: bool = False) -> EncodedBlock:
        return self.encode_each(texts)

    def symbol_cuts(self, labels: Sequence[int]) -> Sequence[int]:
        begins = [place for place, label in enumerate(labels) if place and label & 0xC0 != 0x80]
        return [0, *begins, len(labels)] if labels else [0]

    def decode(self, labels: Iterable[int]) -> tuple[str, ...]:
        data = bytes(labels)
        return tuple(
            data[a:b].decode(errors="replace") for a, b in pairwise(self.symbol_cuts(data))
        )

    def decode_all(self, labels: Labels, offsets: NDArray[np.int64]) -> list[str]:
        data = labels.astype(np.uint8).tobytes()
        return [data[a:b].decode(errors="replace") for a, b in pairwise(offsets.tolist())]


def side_from_table(table: SymbolTable, writing: Writing, *, stage: str | None) -> Side:
    symbols = zip(table.symbols, table.labels, strict=True)
    return Side(writing, {symbol: label for symbol, label in symbols if label}, stage)


def foreign_side(
    table: SymbolTable | None, labels: NDArray[Any], *, stage: str, path: object
) -> Side:
    """The side of an automaton of another tool."""
    plain = Writing(normal_form="none")
    if table is not None:
        unknown = np.setdiff1d(labels, [0, *table.labels])
        if unknown.size:
            raise FormatError(
                f"{stage} has the label {unknown[0]}, which its symbol table does not know",
                path=path,
                remedy="save it with the symbol tables that it was made with",
            )
        side = side_from_table(table, plain, stage=stage)
        long = any(len(symbol) > 1 for symbol in side.symbols)
        return replace(side, writing=Writing("token", "none")) if long else side
    highest = int(labels.max(initial=0))
    if highest < 256:
        return Bytes(plain, {}, stage)
    if highest > 0x10FFFF:
        raise FormatError(
            f"{stage} has labels up to {highest} and no symbol table",
            path=path,
            remedy="save it with its symbol tables",
        )
    return Side(plain, {chr(label): int(label) for label in np.unique(labels) if label}, stage)


def number_symbols(chunks: Iterable[tuple[str, ...]]) -> dict[str, int]:
    """A label for each symbol, from 1, in the order of their code points."""
    return {s: label for label, s in enumerate(sorted({s for chunk in chunks for s in chunk}), 1)}
