"""Files of models of callers: of one model, and of the pair for both sorts of transcripts.

>>> from glyphone.voicemail.callers.training import train
>>> from glyphone.voicemail.generator.generate import generate
>>> model = train(list(generate(60, seed=1)), options=CallerOptions(max_iter=9, min_count=2))
>>> copy = from_contents(pack_model(model, ""))
>>> copy.options == model.options, (copy.weights == model.weights).all().item()
(True, True)
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from glyphone.data.version import VERSION
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.fst.storage.packing import Packing
from glyphone.voicemail.callers import feature_kernels as caller_feature_kernels
from glyphone.voicemail.callers.model import SHAPES, CallerModel
from glyphone.voicemail.callers.options import CallerOptions
from glyphone.voicemail.callers.pair import CallerPair
from glyphone.voicemail.callers.words import CallerWords

KIND, FORMAT = "voicemail-callers", 1
PAIR_KIND = "voicemail-caller-pair"


def pack_model(model: CallerModel, prefix: str) -> Contents:
    manifest = {
        "format": FORMAT,
        "glyphone": VERSION,
        # A manifest keeps no order of keys, and codes are by the order of words.
        "classes": [[word, kind] for word, kind in model.words.classes.items()],
        "first": sorted(model.words.first),
        "options": asdict(model.options),
        "templates": [list(row) for row in caller_feature_kernels.SETS],
    }
    arrays = {"keys": model.keys, "weights": model.weights, "steps": model.steps}
    return Contents(KIND, manifest, {prefix + name: array for name, array in arrays.items()})


def unpack_model(contents: Contents, prefix: str, path: FilePath | None) -> CallerModel:
    manifest = contents.manifest
    if manifest["format"] != FORMAT:
        raise ValueError(f"it is of format {manifest['format']!r}, not {FORMAT}")
    if manifest["templates"] != [list(row) for row in caller_feature_kernels.SETS]:
        raise ValueError("its features are of another version")
    words = CallerWords(
        {str(word): str(kind) for word, kind in manifest["classes"]},
        frozenset(map(str, manifest["first"])),
    )
    # Files that were written before there were forms do not name theirs.
    options = CallerOptions(**{"form": "cuts", **manifest["options"]})
    arrays = {x: contents.arrays[prefix + x].copy() for x in ("keys", "weights", "steps")}
    return CallerModel(words, **arrays, options=options)


def problem_of(model: CallerModel) -> str | None:
    """The first part of a model that kernels cannot read, described; None if there is none."""
    if model.keys.ndim != 1 or model.keys.dtype != np.int64 or (model.keys < 0).any():
        return "its keys are no column of whole numbers"
    if len(np.unique(model.keys)) != len(model.keys):
        return "a key is twice"
    if model.options.form not in SHAPES:
        return f"its form is {model.options.form!r}"
    states = len(model.shape.chains)
    if model.weights.shape != (len(model.keys), model.shape.width):
        return "it has not as many weights as keys"
    if model.steps.shape != (states, states):
        return "it has not as many steps as states"
    if model.weights.dtype.kind != "f" or not np.isfinite(model.weights).all():
        return "its weights are no finite numbers"
    if model.steps.dtype != np.float64 or not np.isfinite(model.steps).all():
        return "its steps are no finite numbers"
    options = model.options
    if not 1 <= options.places <= options.most <= 1000 or not 0 <= options.beyond <= 1000:
        return f"its options are {options}"
    if len(model.words.forms) >= 1 << caller_feature_kernels.BITS:
        return "it has too many words"
    return None


PACKING = Packing(
    kind=KIND,
    what="model of callers",
    pack=pack_model,
    unpack=unpack_model,
    problem_of=problem_of,
)
save, load, from_contents = PACKING.save, PACKING.load, PACKING.from_contents


def pack_pair(models: CallerPair, prefix: str) -> Contents:
    manifest: dict[str, Any] = {}
    arrays: dict[str, Any] = {}
    for name in ("written", "heard"):
        part = pack_model(getattr(models, name), f"{prefix}{name}/")
        manifest[name] = dict(part.manifest)
        arrays |= part.arrays
    return Contents(PAIR_KIND, manifest, arrays)


def unpack_pair(contents: Contents, prefix: str, path: FilePath | None) -> CallerPair:
    def unpack_part(name: str) -> CallerModel:
        part = Contents(KIND, contents.manifest[name], contents.arrays)
        return from_contents(part, f"{prefix}{name}/", path=path)

    return CallerPair(unpack_part("written"), unpack_part("heard"))
