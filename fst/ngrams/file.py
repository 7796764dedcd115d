"""N-gram models as arrays of a model file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.fst.ngrams.model import NgramModel
from glyphone.fst.storage.packing import smallest_unsigned, unsigned_column

Array = NDArray[Any]


def ngrams_to_arrays(ngrams: NgramModel, prefix: str) -> dict[str, Array]:
    makes = extending_arcs(ngrams)
    return {
        f"{prefix}counts": smallest_unsigned(np.diff(ngrams.offsets)),
        f"{prefix}tokens": smallest_unsigned(ngrams.tokens),
        f"{prefix}log_probs": ngrams.log_probs,
        f"{prefix}makes": np.packbits(makes),
        f"{prefix}targets": smallest_unsigned(ngrams.targets[~makes]),
        f"{prefix}backoff_states": smallest_unsigned(ngrams.backoff_states[1:]),
        f"{prefix}backoffs": ngrams.backoffs,
        f"{prefix}levels": smallest_unsigned(ngrams.levels),
    }


def extending_arcs(ngrams: NgramModel) -> NDArray[np.bool_]:
    """Whether each arc leads to a history longer by its token; none if states stand otherwise."""
    highest = np.maximum.accumulate(ngrams.targets)
    makes = np.diff(highest, prepend=0) > 0
    return makes & np.array_equal(
        ngrams.targets[makes], extended_states(ngrams.n_states, ngrams.start)
    )


def extended_states(n_states: int, start: int) -> Array:
    """All states but the empty history and <s>, to which no such arc leads."""
    states = np.arange(1, n_states)
    found: Array = states[states != start]
    return found


def ngrams_from_arrays(
    arrays: Mapping[str, Array], prefix: str, start: object, n_words: int
) -> NgramModel:
    """The n-gram model in arrays; columns are copied, as kernels take writeable ones."""
    if type(start) is not int:
        raise TypeError("the start is not a number")
    counts = unsigned_column(arrays, f"{prefix}counts")
    offsets = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    tokens = unsigned_column(arrays, f"{prefix}tokens")
    bits = unsigned_column(arrays, f"{prefix}makes")
    if bits.dtype != np.uint8 or len(bits) != (len(tokens) + 7) // 8:
        raise ValueError(f"{prefix}makes has shape {bits.shape} and type {bits.dtype}")
    makes = np.unpackbits(bits, count=len(tokens)).view(np.bool_)
    targets = np.empty(len(tokens), np.int32)
    if makes.any():
        targets[makes] = extended_states(len(counts), start)
    backoff_states = np.full(len(counts), -1, np.int32)
    # Numbers too large for 32 bits become negative, which `check` refuses.
    targets[~makes] = unsigned_column(arrays, f"{prefix}targets").astype(np.int32)
    backoff_states[1:] = unsigned_column(arrays, f"{prefix}backoff_states").astype(np.int32)
    return NgramModel(
        n_words,
        start,
        offsets,
        tokens.astype(np.int32),
        np.array(arrays[f"{prefix}log_probs"]),
        targets,
        backoff_states,
        np.array(arrays[f"{prefix}backoffs"]),
        unsigned_column(arrays, f"{prefix}levels").astype(np.int64),
    )
