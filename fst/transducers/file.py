"""Transducers inside model files, with the rules that they were compiled from, if known.

A transducer alone is kept in an archive: see `glyphone.fst.transducers.archive`.

>>> from glyphone.fst.rules.cascade import cascade
>>> model = TransducerModel.of(cascade(letters="a", phones="b", rules="a -> b"), name="A")
>>> from_contents(to_contents(model))("aa").output
'b b'
"""

from __future__ import annotations

from glyphone.fst.automata import openfst
from glyphone.fst.rules.cascade import Cascade
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.fst.transducers import archive
from glyphone.fst.transducers.model import TransducerModel

KIND = "transducer"
MOST_MACHINES = 100


def to_contents(model: TransducerModel, prefix: str = "") -> Contents:
    """The contents of a model file: its transducers, the first with the manifest of its rules."""
    machines = list(model.machines)
    if model.cascade is not None:
        content = archive.manifest_of(model.cascade, len(machines))
        machines[0] = archive.with_manifest(machines[0], content)
    blobs = {f"{prefix}{k}.fst": openfst.to_bytes(machine) for k, machine in enumerate(machines)}
    return Contents(KIND, {"name": model.name, "machines": len(machines)}, {}, blobs)


def from_contents(
    contents: Contents, prefix: str = "", *, path: FilePath | None = None
) -> TransducerModel:
    """The model of a manifest, and of the transducers under a prefix."""
    count = contents.manifest["machines"]
    if type(count) is not int or not 1 <= count <= MOST_MACHINES:
        raise ValueError(f"a transducer has {count!r} stages")
    names = [f"{prefix}{k}.fst" for k in range(count)]
    machines = [openfst.from_bytes(contents.blobs[x], where=f"{path}: {x}") for x in names]
    written = archive.read_manifest(machines[0], str(path))
    cascade = Cascade.from_dict(written["cascade"]) if written else None
    name = contents.manifest["name"]
    return TransducerModel.from_machines(machines, name=name, cascade=cascade, path=path)
