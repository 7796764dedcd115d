"""Joint models on disk, in the container of `glyphone.fst.model_file`.

The manifest has the settings, the description, and for each side its writing and its symbols in
the order of their labels. The arrays are those of the n-gram model in the smallest types that hold
them, numbers of arcs instead of offsets, and the units, chunks end to end; then those of windows.
What can be had from these in no time is not stored: offsets, chunk numbers, everything that a
temperature changes.

>>> import tempfile
>>> from glyphone.data.records import Alignment
>>> from glyphone.fst.joint import train_joint
>>> phi = Alignment(((("p", "h"), ("f",)), (("i",), ("i",))))
>>> model = train_joint([phi], source=Writing(), target=Writing(), order=2)
>>> path = tempfile.mkdtemp() + "/phi.glyphone"
>>> save(model, path)
>>> load(path)("phi").output, load(path).fingerprint() == model.fingerprint()
('fi', True)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import GlyphoneError
from glyphone.data.writing import Writing
from glyphone.fst import windows_file
from glyphone.fst.codec import Side
from glyphone.fst.joint import JointModel
from glyphone.fst.joint_units import Labels, Units
from glyphone.fst.model_file import Contents, FilePath
from glyphone.fst.ngram import NgramModel
from glyphone.fst.packing import Packing, numbers_of, smallest

KIND = "joint"
# A longer chunk is no unit that anybody aligned; its prefixes would take quadratic memory.
LONGEST_CHUNK = 255
MOST_INSERTIONS = 100
# No probability is above 1 but for rounding. A backoff may be, yet not beyond all measure.
HIGHEST_LOG_PROB, HIGHEST_BACKOFF = 0.1, 50.0

Array = NDArray[Any]


def to_contents(model: JointModel, prefix: str = "") -> Contents:
    """A model, its arrays under a prefix."""
    ngrams, units = model.ngrams, model.units
    if max(map(len, chain(units.sources, units.targets)), default=0) > LONGEST_CHUNK:
        raise GlyphoneError(f"a unit is longer than {LONGEST_CHUNK} symbols", stage=model.name)
    manifest = {
        "name": model.name,
        "insertions": model.insertions,
        "temperature": model.temperature,
        "beam": None if math.isinf(model.beam) else model.beam,
        "description": dict(model.description),
        "source": side_to_dict(model.source),
        "target": side_to_dict(model.target),
        "start": ngrams.start,
    }
    if model.summed:
        manifest["summed"] = True
    arrays = ngrams_to_arrays(ngrams, "ngrams/")
    for side, chunks in (("sources", units.sources), ("targets", units.targets)):
        arrays[f"units/{side}"] = smallest(np.array([*chain(*chunks)], np.int64))
        arrays[f"units/{side}_lengths"] = np.array([*map(len, chunks)], np.uint8)
    if model.windows is not None:
        manifest["windows"] = windows_file.settings_of(model.windows)
        arrays |= windows_file.to_arrays(model.windows, "windows/")
    return Contents(KIND, manifest, {prefix + name: array for name, array in arrays.items()})


def unpacked(contents: Contents, prefix: str, path: FilePath | None) -> JointModel:
    manifest, arrays = contents.manifest, contents.arrays
    source, target = side_of(manifest["source"]), side_of(manifest["target"])
    units = Units(
        tuple(chunks_of(arrays, f"{prefix}units/sources")),
        tuple(chunks_of(arrays, f"{prefix}units/targets")),
        len(source.symbols) + 1,
    )
    ngrams = ngrams_of(arrays, f"{prefix}ngrams/", manifest["start"], len(units))
    windows, settings, beam = None, manifest.get("windows"), manifest["beam"]
    if settings is not None:
        windows = windows_file.from_arrays(arrays, f"{prefix}windows/", settings, units)
    model = JointModel(
        source,
        target,
        units,
        ngrams,
        manifest["name"],
        manifest["insertions"],
        manifest["temperature"],
        math.inf if beam is None else beam,
        windows,
        manifest.get("summed", False),
        manifest["description"],
    )
    ngrams.check(path=path)
    return model


def side_to_dict(side: Side) -> dict[str, Any]:
    symbols = sorted(side.symbols, key=side.symbols.__getitem__)
    if [side.symbols[symbol] for symbol in symbols] != [*range(1, len(symbols) + 1)]:
        raise GlyphoneError("the labels of a joint model are not 1, 2, 3 and so on")
    return {"writing": side.writing.as_dict(), "symbols": symbols, "stage": side.stage}


def side_of(content: Mapping[str, Any]) -> Side:
    symbols, stage = content["symbols"], content["stage"]
    if not isinstance(symbols, list) or not all(isinstance(symbol, str) for symbol in symbols):
        raise TypeError("symbols are not strings")
    if len(set(symbols)) != len(symbols) or "" in symbols:
        raise ValueError("a symbol is empty, or stands there twice")
    if not (stage is None or isinstance(stage, str)):
        raise TypeError("a stage is not a string")
    labels = {symbol: label for label, symbol in enumerate(symbols, 1)}
    return Side(Writing.from_dict(content["writing"]), labels, stage)


def ngrams_to_arrays(ngrams: NgramModel, prefix: str) -> dict[str, Array]:
    makes = makers(ngrams)
    return {
        f"{prefix}counts": smallest(np.diff(ngrams.offsets)),
        f"{prefix}tokens": smallest(ngrams.tokens),
        f"{prefix}log_probs": ngrams.log_probs,
        f"{prefix}makes": np.packbits(makes),
        f"{prefix}targets": smallest(ngrams.targets[~makes]),
        f"{prefix}backoff_states": smallest(ngrams.backoff_states[1:]),
        f"{prefix}backoffs": ngrams.backoffs,
        f"{prefix}levels": smallest(ngrams.levels),
    }


def makers(ngrams: NgramModel) -> NDArray[np.bool_]:
    """The arcs that make histories, if these are numbered as they are made; else none."""
    highest = np.maximum.accumulate(ngrams.targets)
    makes = np.diff(highest, prepend=0) > 0
    return makes & np.array_equal(ngrams.targets[makes], made(ngrams.n_states, ngrams.start))


def made(n_states: int, start: int) -> Array:
    """All states but the empty history and <s>, which no arc makes."""
    states = np.arange(1, n_states)
    found: Array = states[states != start]
    return found


def chunks_of(arrays: Mapping[str, Array], name: str) -> Iterator[Labels]:
    labels = numbers_of(arrays, name).tolist()
    lengths = numbers_of(arrays, f"{name}_lengths")
    if lengths.dtype != np.uint8:
        raise ValueError(f"{name}_lengths has type {lengths.dtype}")
    bounds = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).tolist()
    if bounds[-1] != len(labels):
        raise ValueError(f"{name} does not divide its labels among the units")
    return (tuple(labels[a:b]) for a, b in pairwise(bounds))


def ngrams_of(arrays: Mapping[str, Array], prefix: str, start: object, n_words: int) -> NgramModel:
    """The n-gram model as it was: kernels are compiled for its types, writeable arrays included."""
    if type(start) is not int:
        raise TypeError("the start is not a number")
    counts = numbers_of(arrays, f"{prefix}counts")
    offsets = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    tokens = numbers_of(arrays, f"{prefix}tokens")
    bits = numbers_of(arrays, f"{prefix}makes")
    if bits.dtype != np.uint8 or len(bits) != (len(tokens) + 7) // 8:
        raise ValueError(f"{prefix}makes has shape {bits.shape} and type {bits.dtype}")
    makes = np.unpackbits(bits, count=len(tokens)).view(np.bool_)
    targets = np.empty(len(tokens), np.int32)
    if makes.any():
        targets[makes] = made(len(counts), start)
    backoff_states = np.full(len(counts), -1, np.int32)
    # Numbers too large for 32 bits become negative, which `check` refuses.
    targets[~makes] = numbers_of(arrays, f"{prefix}targets").astype(np.int32)
    backoff_states[1:] = numbers_of(arrays, f"{prefix}backoff_states").astype(np.int32)
    return NgramModel(
        n_words,
        start,
        offsets,
        tokens.astype(np.int32),
        np.array(arrays[f"{prefix}log_probs"]),
        targets,
        backoff_states,
        np.array(arrays[f"{prefix}backoffs"]),
        numbers_of(arrays, f"{prefix}levels").astype(np.int64),
    )


def problem_of(model: JointModel) -> str | None:
    """What kernels would stumble over, beyond what `NgramModel.check` sees."""
    settings: list[tuple[str, object, float, float]] = [
        ("insertions", model.insertions, 0, MOST_INSERTIONS),
        ("temperature", model.temperature, 1e-3, 1e3),
        ("beam", model.beam, 0, math.inf),
    ]
    for setting, value, least, most in settings:
        numeric = type(value) is int or (setting != "insertions" and type(value) is float)
        if not numeric or not least <= value <= most:  # type: ignore[operator]
            return f"its {setting} is {value!r}"
    if not isinstance(model.name, str) or not isinstance(model.description, dict):
        return "it has no name, or no description"
    if not isinstance(model.summed, bool):
        return f"whether it sums is {model.summed!r}"
    units, ngrams = model.units, model.ngrams
    if len(units.sources) != len(units.targets) or not units.sources:
        return f"{len(units.sources)} units read and {len(units.targets)} write"
    sides = [("read", units.sources, model.source), ("written", units.targets, model.target)]
    for what, chunks, side in sides:
        if not all(0 < label <= len(side.symbols) for chunk in chunks for label in chunk):
            return f"a symbol that is {what} is not in the alphabet"
    if not sorted_units(units):
        return "its units are not sorted"
    highest = HIGHEST_BACKOFF * min(1.0, model.temperature)
    if ngrams.log_probs.max() > HIGHEST_LOG_PROB or ngrams.backoffs.max() > highest:
        return "a probability is too great"
    return None


def sorted_units(units: Units) -> bool:
    """Whether units stand as `Units.arranged` puts them; those of a mixture may be there twice."""
    keys: Sequence[tuple[int, int, Labels]] = [
        (chunk, len(target), target)
        for chunk, target in zip(units.chunks.tolist(), units.targets, strict=True)
    ]
    return all(a <= b for a, b in pairwise(keys))


PACKING = Packing(
    kind=KIND, what="joint model", pack=to_contents, unpack=unpacked, problem_of=problem_of
)
save, load, from_contents = PACKING.save, PACKING.load, PACKING.from_contents
