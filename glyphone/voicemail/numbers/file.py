"""Files of models of telephone numbers: weights of features by name, and options.

The file does not hold the grammar, which is read from the archive of `eng.phone_numbers`.

>>> from_contents(to_contents(NumberModel({"shape=NXXXXXX": 3.0}, -1.0))).bias
-1.0
"""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np

from glyphone.data.errors import FormatError
from glyphone.data.version import VERSION
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.fst.storage.packing import Packing
from glyphone.voicemail.numbers.decisions import DecisionOptions
from glyphone.voicemail.numbers.model import NumberModel
from glyphone.voicemail.proposals.finder import ProposalOptions

KIND = "voicemail-numbers"
FORMAT = 1


def to_contents(model: NumberModel, prefix: str = "") -> Contents:
    """The contents of a model file; names of arrays begin with the prefix."""
    names = sorted(model.weights)
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "glyphone": VERSION,
        "features": names,
        "bias": model.bias,
        "deciding": asdict(model.deciding),
        "options": asdict(model.options),
    }
    weights = np.array([model.weights[name] for name in names], np.float64)
    return Contents(KIND, manifest, {f"{prefix}weights": weights})


def unpack(contents: Contents, prefix: str, path: FilePath | None) -> NumberModel:
    manifest, weights = contents.manifest, contents.arrays[f"{prefix}weights"]
    version = manifest["format"]
    if type(version) is not int or version > FORMAT:
        raise FormatError(
            f"has format {version!r}; this version, {VERSION}, reads formats up to {FORMAT}",
            path=path,
            remedy="upgrade glyphone",
        )
    if weights.dtype != np.float64 or weights.shape != (len(manifest["features"]),):
        raise ValueError("its weights do not fit its features")
    return NumberModel(
        dict(zip(manifest["features"], weights.tolist(), strict=True)),
        float(manifest["bias"]),
        DecisionOptions(**manifest["deciding"]),
        ProposalOptions(**manifest["options"]),
    )


def problem_of(model: NumberModel) -> str | None:
    values = [*model.weights.values(), model.bias]
    if not all(isinstance(name, str) for name in model.weights):
        return "a feature has no name"
    return None if all(map(math.isfinite, values)) else "a weight is not finite"


PACKING = Packing(
    kind=KIND, what="model of telephone numbers", pack=to_contents, unpack=unpack,
    problem_of=problem_of,
)  # fmt: skip
save, load, from_contents = PACKING.save, PACKING.load, PACKING.from_contents
