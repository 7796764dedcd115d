"""Joint models on disk, in the container of `glyphone.fst.storage.container`.

The manifest has the settings, the description, and for each side its writing and its symbols in
the order of their labels. The arrays are those of the n-gram model in the smallest types that hold
them, numbers of arcs instead of offsets, and the units, chunks end to end; then those of windows.
Arrays that are computed from these in no time are not stored: offsets, chunk numbers, and all that
depends on a temperature.

>>> import tempfile
>>> from glyphone.data.records import Alignment
>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.joint.training import train_joint
>>> phi = Alignment(((("p", "h"), ("f",)), (("i",), ("i",))))
>>> model = train_joint([phi], source=Writing(), target=Writing(), order=2)
>>> path = tempfile.mkdtemp() + "/phi.glyphone"
>>> save(model, path)
>>> load(path)("phi").output, load(path).fingerprint() == model.fingerprint()
('fi', True)
"""

from __future__ import annotations

import math
from itertools import chain

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.fst.alignment.units import Units
from glyphone.fst.context import windows_file
from glyphone.fst.interface.codec_file import (
    LONGEST_CHUNK,
    are_arranged,
    chunks_from_arrays,
    side_from_dict,
    side_to_dict,
)
from glyphone.fst.joint.model import JointModel
from glyphone.fst.ngrams.file import ngrams_from_arrays, ngrams_to_arrays
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.fst.storage.packing import Packing, smallest_unsigned

KIND = "joint"
MOST_INSERTIONS = 100
# No probability is above 1 but for rounding. A backoff may be, yet not beyond all measure.
HIGHEST_LOG_PROB, HIGHEST_BACKOFF = 0.1, 50.0


def to_contents(model: JointModel, prefix: str = "") -> Contents:
    """The contents of a file for a model, its arrays under a prefix."""
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
        arrays[f"units/{side}"] = smallest_unsigned(np.array([*chain(*chunks)], np.int64))
        arrays[f"units/{side}_lengths"] = np.array([*map(len, chunks)], np.uint8)
    if model.windows is not None:
        manifest["windows"] = windows_file.settings_of(model.windows)
        arrays |= windows_file.to_arrays(model.windows, "windows/")
    return Contents(KIND, manifest, {prefix + name: array for name, array in arrays.items()})


def joint_from(contents: Contents, prefix: str, path: FilePath | None) -> JointModel:
    manifest, arrays = contents.manifest, contents.arrays
    source, target = side_from_dict(manifest["source"]), side_from_dict(manifest["target"])
    units = Units(
        tuple(chunks_from_arrays(arrays, f"{prefix}units/sources")),
        tuple(chunks_from_arrays(arrays, f"{prefix}units/targets")),
        len(source.symbols) + 1,
    )
    ngrams = ngrams_from_arrays(arrays, f"{prefix}ngrams/", manifest["start"], len(units))
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


def problem_of(model: JointModel) -> str | None:
    """The reason why kernels could fail on a model, beside those that `NgramModel.check` finds."""
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
    for verb, chunks, side in sides:
        if not all(0 < label <= len(side.symbols) for chunk in chunks for label in chunk):
            return f"a symbol that is {verb} is not in the alphabet"
    if not are_arranged(units):
        return "its units are not sorted"
    highest = HIGHEST_BACKOFF * min(1.0, model.temperature)
    if ngrams.log_probs.max() > HIGHEST_LOG_PROB or ngrams.backoffs.max() > highest:
        return "a probability is too great"
    return None


PACKING = Packing(
    kind=KIND, what="joint model", pack=to_contents, unpack=joint_from, problem_of=problem_of
)
save, load, from_contents = PACKING.save, PACKING.load, PACKING.from_contents
