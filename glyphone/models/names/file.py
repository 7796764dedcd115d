"""Models of names on disk: a joint model under `joint/`, and what writes the script as OpenFst.

>>> from glyphone.models.names.languages import find_language
>>> from glyphone.data.records import Pair
>>> from glyphone.models.names.training import fit_names
>>> import tempfile
>>> model = fit_names([Pair(tuple("rana"), tuple("राना"))], find_language("hin")).model
>>> path = tempfile.mkdtemp() + "/hin.glyphone"
>>> save(model, path)
>>> load(path)("rana").output, load(path).fingerprint() == model.fingerprint()
('राना', True)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np

from glyphone.data.writing import Writing
from glyphone.fst.automata import openfst
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.composed import letters, vocabulary
from glyphone.fst.composed.vocabulary import Vocabulary
from glyphone.fst.interface.codec import side_from_table
from glyphone.fst.joint import file as joint_file
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.fst.storage.packing import Packing, problem_of_settings
from glyphone.fst.transducers.model import TransducerModel
from glyphone.models.names.languages import Language
from glyphone.models.names.model import NameModel
from glyphone.models.names.script import first_misnamed

KIND = "names"
# No script has more of either; room is made for all labels up to the highest.
MOST_STAGES, HIGHEST_LABEL = 20, 0x10FFFF
# What a model has to know of its language; how it was learnt is in its description.
SETTINGS = ("code", "name", "script", "space", "hyphen", "cased")
# Priors of words: by kind, the class and the module that stores it.
PRIORS = {"words": vocabulary, "letters": letters}


def to_contents(model: NameModel, prefix: str = "") -> Contents:
    """A model, its arrays under a prefix."""
    joint = joint_file.to_contents(replace(model.joint, temperature=1.0), f"{prefix}joint/")
    blobs = {}
    manifest = {
        "name": model.name,
        "language": {name: getattr(model.language, name) for name in SETTINGS},
        "temperature": model.temperature,
        "description": dict(model.description),
        "letter_names": dict(model.letters),
        "joint": dict(joint.manifest),
    }
    if model.script is not None:
        for number, machine in enumerate(model.script.machines):
            blobs[f"{prefix}script/{number}.fst"] = openfst.to_bytes(machine)
        manifest["script"] = {
            "name": model.script.name,
            "stages": len(model.script.machines),
            "source": model.script.source.writing.as_dict(),
            "target": model.script.target.writing.as_dict(),
        }
    arrays = dict(joint.arrays)
    if model.prior is not None:
        kind = "words" if isinstance(model.prior, Vocabulary) else "letters"
        manifest["prior"] = {"kind": kind, **PRIORS[kind].settings_of(model.prior)}
        arrays |= PRIORS[kind].to_arrays(model.prior, f"{prefix}prior/")
    return Contents(KIND, manifest, arrays, blobs)


def unpack_model(contents: Contents, prefix: str, path: FilePath | None) -> NameModel:
    manifest = contents.manifest
    language = language_of(manifest["language"])
    inner = Contents(joint_file.KIND, manifest["joint"], contents.arrays)
    joint = joint_file.from_contents(inner, f"{prefix}joint/", path=path)
    script = None
    if "script" in manifest:
        row = manifest["script"]
        if type(row["stages"]) is not int or not 1 <= row["stages"] <= MOST_STAGES:
            raise ValueError(f"its script has {row['stages']!r} stages")
        machines = tuple(
            openfst.from_bytes(
                contents.blobs[f"{prefix}script/{number}.fst"], where=f"{path}: script/{number}.fst"
            )
            for number in range(row["stages"])
        )
        script = script_of(machines, row)
    prior = None
    if "prior" in manifest:
        row = manifest["prior"]
        prior = PRIORS[row["kind"]].from_arrays(contents.arrays, f"{prefix}prior/", row)
    return NameModel(
        language,
        joint,
        script,
        manifest["name"],
        manifest["temperature"],
        manifest["description"],
        prior,
        manifest.get("letter_names"),
    )


def script_of(machines: tuple[Transducer, ...], row: Mapping[str, Any]) -> TransducerModel:
    """The writer of a script; the symbols of its sides are in its transducers."""
    read, written, name = machines[0].isymbols, machines[-1].osymbols, row["name"]
    if read is None or written is None:
        raise ValueError("its script has no symbols")
    if not isinstance(name, str):
        raise TypeError("its script has no name")
    source = side_from_table(read, Writing.from_dict(row["source"]), stage=name)
    target = side_from_table(written, Writing.from_dict(row["target"]), stage=name)
    for machine in machines:
        highest = max(machine.ilabels.max(initial=0), machine.olabels.max(initial=0))
        if highest > HIGHEST_LABEL:
            raise ValueError(f"its script has the label {highest}")
    for side, labels in (source, machines[0].ilabels), (target, machines[-1].olabels):
        known = [*side.symbols.values()]
        if not all(0 < label <= HIGHEST_LABEL for label in known):
            raise ValueError("its script has symbols without a label")
        unknown = np.setdiff1d(labels, [0, *known])
        if unknown.size:
            raise ValueError(f"its script has the label {unknown[0]}, which is no symbol")
    return TransducerModel(machines, source, target, name)


def language_of(row: Mapping[str, Any]) -> Language:
    types = {one.name: str(one.type) for one in fields(Language)}
    for name in SETTINGS:
        if type(row[name]).__name__ != types[name]:
            raise TypeError(f"the {name} of its language is {row[name]!r}")
    return Language(**{name: row[name] for name in SETTINGS})


def problem_of(model: NameModel) -> str | None:
    """The first invalid setting, if any; the parts of the model are checked before."""
    problem = problem_of_settings(model, {"temperature": (1e-3, 1e3)})
    if problem:
        return problem
    names = model.letters
    if not isinstance(names, dict) or first_misnamed(names) is not None:
        return f"its names of letters are {names!r}"
    return None


PACKING = Packing(
    kind=KIND, what="model of names", pack=to_contents, unpack=unpack_model, problem_of=problem_of
)
save, load, from_contents = PACKING.save, PACKING.load, PACKING.from_contents
