"""Transducers inside model files, with the rules that they were compiled from, if these are known.

Alone they lie in archives: see `glyphone.fst.transducers.archive`.

>>> from glyphone.fst.rules.cascade import cascade
>>> model = Model.of(cascade(letters="a", phones="b", rules="a -> b"), name="A")
>>> from_contents(to_contents(model))("aa").output
'b b'
"""

from __future__ import annotations

from glyphone.fst.automata import openfst
from glyphone.fst.rules.cascade import Cascade
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.fst.transducers import archive
from glyphone.fst.transducers.model import Model

KIND = "transducer"
MOST_MACHINES = 100


def to_contents(model: Model, prefix: str = "") -> Contents:
    """A rule of an archive: its transducers, of which the first says how it was written."""
    machines = list(model.machines)
    if model.cascade is not None:
        content = archive.manifest(model.cascade, len(machines))
        machines[0] = archive.with_manifest(machines[0], content)
    blobs = {f"{prefix}{k}.fst": openfst.to_bytes(machine) for k, machine in enumerate(machines)}
    return Contents(KIND, {"name": model.name, "machines": len(machines)}, {}, blobs)


def from_contents(contents: Contents, prefix: str = "", *, path: FilePath | None = None) -> Model:
    """The transducers of a manifest, and of the bytes under a prefix."""
    count = contents.manifest["machines"]
    if type(count) is not int or not 1 <= count <= MOST_MACHINES:
        raise ValueError(f"a transducer has {count!r} stages")
    names = [f"{prefix}{k}.fst" for k in range(count)]
    machines = [openfst.from_bytes(contents.blobs[x], where=f"{path}: {x}") for x in names]
    written = archive.read_manifest(machines[0], str(path))
    cascade = Cascade.from_dict(written["cascade"]) if written else None
    name = contents.manifest["name"]
    return Model.from_machines(machines, name=name, cascade=cascade, path=path)
