"""Sides of a model in the manifest, and chunks of labels in the arrays of a model file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import GlyphoneError
from glyphone.data.writing import Writing
from glyphone.fst.alignment.units import Labels, Units
from glyphone.fst.interface.codec import Side
from glyphone.fst.storage.packing import smallest_unsigned, unsigned_column

# No aligner makes longer chunks, whose prefixes would take quadratic memory.
LONGEST_CHUNK = 255


Array = NDArray[Any]


def learned_to_dict(model: Any) -> dict[str, Any]:
    """The part of a manifest that learned models with a beam have in common."""
    return {
        "name": model.name,
        "temperature": model.temperature,
        "beam": None if math.isinf(model.beam) else model.beam,
        "description": dict(model.description),
        "source": side_to_dict(model.source),
        "target": side_to_dict(model.target),
    }


def side_to_dict(side: Side) -> dict[str, Any]:
    symbols = sorted(side.symbols, key=side.symbols.__getitem__)
    if [side.symbols[symbol] for symbol in symbols] != [*range(1, len(symbols) + 1)]:
        raise GlyphoneError("the labels of a joint model are not 1, 2, 3 and so on")
    return {"writing": side.writing.as_dict(), "symbols": symbols, "stage": side.stage}


def side_from_dict(content: Mapping[str, Any]) -> Side:
    symbols, stage = content["symbols"], content["stage"]
    if not isinstance(symbols, list) or not all(isinstance(symbol, str) for symbol in symbols):
        raise TypeError("symbols are not strings")
    if len(set(symbols)) != len(symbols) or "" in symbols:
        raise ValueError("a symbol is empty, or stands there twice")
    if not (stage is None or isinstance(stage, str)):
        raise TypeError("a stage is not a string")
    labels = {symbol: label for label, symbol in enumerate(symbols, 1)}
    return Side(Writing.from_dict(content["writing"]), labels, stage)


def chunks_to_arrays(chunks: Sequence[Labels], name: str) -> dict[str, Array]:
    """Chunks end to end and their lengths, as `chunks_from_arrays` reads them."""
    return {
        name: smallest_unsigned(np.array([*chain(*chunks)], np.int64)),
        f"{name}_lengths": np.array([*map(len, chunks)], np.uint8),
    }


def chunks_from_arrays(arrays: Mapping[str, Array], name: str) -> Iterator[Labels]:
    labels = unsigned_column(arrays, name).tolist()
    lengths = unsigned_column(arrays, f"{name}_lengths")
    if lengths.dtype != np.uint8:
        raise ValueError(f"{name}_lengths has type {lengths.dtype}")
    bounds = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).tolist()
    if bounds[-1] != len(labels):
        raise ValueError(f"{name} does not divide its labels among the units")
    return (tuple(labels[a:b]) for a, b in pairwise(bounds))


def are_arranged(units: Units) -> bool:
    """Whether units stand in the order of `Units.arrange`; those of a mixture may occur twice."""
    keys: Sequence[tuple[int, int, Labels]] = [
        (chunk, len(target), target)
        for chunk, target in zip(units.chunks.tolist(), units.targets, strict=True)
    ]
    return all(a <= b for a, b in pairwise(keys))
