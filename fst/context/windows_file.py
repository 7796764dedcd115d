"""The windows of a joint model as arrays in its file, and settings in its manifest.

>>> from glyphone.fst.ngrams.counts import flatten
>>> from glyphone.fst.context.windows import fit_windows
>>> units = Units.of([((1,), (1,)), ((1,), (2,))], n_labels=2)
>>> windows = fit_windows(units, *flatten([[0], [1], [0]]))
>>> arrays = to_arrays(windows, "windows/")
>>> again = from_arrays(arrays, "windows/", settings_of(windows), units)
>>> again.weights.tolist() == windows.weights.tolist(), arrays["windows/slots"].dtype
(True, dtype('uint8'))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.fst.alignment.units import Units
from glyphone.fst.context.window_kernels import MOST_CANDIDATES
from glyphone.fst.context.windows import MOST_BITS, WindowModel
from glyphone.fst.storage.packing import smallest_unsigned, unsigned_column

Array = NDArray[Any]


def settings_of(windows: WindowModel) -> dict[str, Any]:
    return {
        "rich": windows.rich,
        "ngram_share": windows.ngram_share,
        "window_share": windows.window_share,
    }


def to_arrays(windows: WindowModel, prefix: str) -> dict[str, Array]:
    return {
        f"{prefix}bits": smallest_unsigned(windows.bits),
        # Steps from slot to slot are smaller numbers than slots.
        f"{prefix}slots": smallest_unsigned(np.diff(windows.slots, prepend=-1)),
        f"{prefix}counts": windows.counts,
        f"{prefix}candidates": windows.candidates,
        f"{prefix}weights": windows.weights,
        f"{prefix}places": smallest_unsigned(windows.places + 1),
        f"{prefix}vowels": np.packbits(windows.vowels),
    }


def from_arrays(
    arrays: Mapping[str, Array], prefix: str, settings: Mapping[str, Any], units: Units
) -> WindowModel:
    """The windows in arrays; ValueError if kernels would read outside of these."""
    bits, steps, counts, candidates, places, vowels = (
        unsigned_column(arrays, prefix + name)
        for name in ("bits", "slots", "counts", "candidates", "places", "vowels")
    )
    weights, slots = arrays[f"{prefix}weights"], np.cumsum(steps, dtype=np.int64) - 1
    rich, shares = settings["rich"], (settings["ngram_share"], settings["window_share"])
    if type(rich) is not bool or not all(type(x) is float and 0 < x < 100 for x in shares):
        raise ValueError(f"windows have the settings {dict(settings)}")
    if len(bits) != units.n_labels or int(bits.max(initial=0)) > MOST_BITS:
        raise ValueError(f"windows have {bits.tolist()} bits")
    room = np.left_shift(1, bits, dtype=np.int64)[bits > 0].sum()
    if (steps == 0).any() or slots.max(initial=-1) >= room:
        raise ValueError("the slots of windows are not in order, or beyond their end")
    if any(column.dtype != np.uint8 for column in (counts, candidates)):
        raise ValueError("rows of windows are not of bytes")
    if not len(candidates) == len(weights) == int(counts.sum(dtype=np.int64)):
        raise ValueError("the rows of windows do not divide their weights")
    if len(slots) != len(counts) or (counts == 0).any():
        raise ValueError("the rows of windows are not those of their slots")
    if weights.dtype != np.int16 or weights.ndim != 1:
        raise ValueError("a weight of windows is not a whole number")
    if any(len(source) != 1 for source in units.sources) or len(places) != len(units):
        raise ValueError("windows are for units that read one letter")
    if max(places.max(initial=0), candidates.max(initial=0) + 1) > MOST_CANDIDATES:
        raise ValueError("windows have too many candidates")
    if vowels.dtype != np.uint8 or len(vowels) != (units.n_labels + 7) // 8:
        raise ValueError("windows have vowels of other letters than theirs")
    return WindowModel(
        units,
        bits.astype(np.int64),
        slots,
        np.array(counts),
        np.array(candidates),
        np.array(weights),
        places.astype(np.int64) - 1,
        np.unpackbits(vowels, count=units.n_labels).view(np.bool_),
        rich,
        *shares,
    )
