"""What settings of stages name: transducers and learners.

>>> from pathlib import Path
>>> TRANSDUCER.find("spa.letter_to_sound:CASTILIAN", Path("."))
'spa.letter_to_sound:CASTILIAN'
>>> TRANSDUCER.load("spa.letter_to_sound:CASTILIAN")("hola").output
'ˈ o l a'
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from glyphone import catalog
from glyphone.data.errors import FormatError, GlyphoneError, NotInstalled, UnknownName
from glyphone.fst.answering import Answering
from glyphone.fst.model_file import REMEDY, Contents, FilePath
from glyphone.grammar_tools import archives
from glyphone.pipelines.settings import Resource

# Where models of a class are packed.
_PACKERS = {
    "CrfModel": "glyphone.crf.files",
    "EnsembleModel": "glyphone.fst.ensemble_file",
    "JointModel": "glyphone.fst.joint_file",
    "KanjiModel": "glyphone.kanji.files",
    "NameModel": "glyphone.names.files",
    "TreeModel": "glyphone.tree_file",
}
_CASCADE = "transducer"
MOST_MACHINES = 100


def file_of(name: str, folder: Path) -> str:
    """A name with the folder before it, if a file lies there."""
    source, _ = catalog.split_name(name)
    beside = folder / source
    return str(beside) + name[len(source) :] if source and beside.is_file() else name


class TransducerResource(Resource):
    """Whatever `glyphone.load` loads."""

    def find(self, name: str, folder: Path) -> str:
        from glyphone import default_models
        from glyphone.fst import archive

        found = file_of(name, folder)
        head, rule = catalog.split_name(found)
        source = default_models.full_name(head)
        compiled = Path(source) if Path(source).is_file() else archives.archive_of(source)
        if compiled is not None:
            if compiled.suffix == ".far":
                archive.chosen(compiled, rule)
        elif source in default_models.names():
            if catalog.model_of(source) is None:
                remedy = default_models.command(source)
                raise NotInstalled(f"{source} is not trained yet", remedy=remedy)
        elif source not in archives.grammar_names():
            near = [*files_in(folder, ".far"), *files_in(folder, catalog.SUFFIX)]
            known = [*near, *default_models.names(), *archives.grammar_names()]
            raise UnknownName("model, archive or grammar", source, known)
        else:
            raise NotInstalled(f"{source} is not compiled yet", remedy="make grammars")
        return found

    def load(self, name: str) -> Answering:
        return catalog.load(name)

    def fingerprint(self, value: Answering) -> str:
        return value.fingerprint()

    def pack(self, value: Answering, prefix: str) -> Contents:
        kind = type(value).__name__
        if kind == "Model":
            return cascade_contents(value, prefix)
        if kind not in _PACKERS:
            remedy = "take the model that it is made from"
            raise GlyphoneError(f"a {kind} cannot be put into a file", remedy=remedy)
        contents: Contents = import_module(_PACKERS[kind]).to_contents(value, prefix)
        return contents

    def unpack(self, contents: Contents, prefix: str, path: FilePath | None) -> Answering:
        from glyphone.fst import models

        if contents.kind == _CASCADE:
            return cascade_model(contents, prefix, path)
        if contents.kind not in models.kinds():
            raise FormatError(f"holds a {contents.kind!r}, no model", path=path, remedy=REMEDY)
        return models.from_contents(contents, prefix, path=path)


class LearnerResource(Resource):
    """A file of `glyphone.learner_file`."""

    def find(self, name: str, folder: Path) -> str:
        found = file_of(name, folder)
        if not Path(found).is_file():
            raise UnknownName("file of a learner", name, files_in(folder, catalog.SUFFIX))
        return found

    def load(self, name: str) -> Any:
        from glyphone import learner_file

        return learner_file.load(name)

    def pack(self, value: Any, prefix: str) -> Contents:
        from glyphone import learner_file

        return learner_file.to_contents(value, prefix)

    def unpack(self, contents: Contents, prefix: str, path: FilePath | None) -> Any:
        from glyphone import learner_file

        return learner_file.from_contents(contents, prefix, path=path)


def files_in(folder: Path, suffix: str) -> list[str]:
    return [path.name for path in folder.glob(f"*{suffix}")]


def cascade_contents(model: Any, prefix: str) -> Contents:
    """A rule of an archive: its transducers, of which the first says how it was written."""
    from glyphone.fst import archive, openfst

    machines = list(model.machines)
    if model.cascade is not None:
        content = archive.manifest(model.cascade, len(machines))
        machines[0] = archive.with_manifest(machines[0], content)
    blobs = {f"{prefix}{k}.fst": openfst.to_bytes(machine) for k, machine in enumerate(machines)}
    return Contents(_CASCADE, {"name": model.name, "machines": len(machines)}, {}, blobs)


def cascade_model(contents: Contents, prefix: str, path: FilePath | None) -> Answering:
    from glyphone.fst import archive, openfst
    from glyphone.fst.model import Model
    from glyphone.fst.rules import Cascade

    count = contents.manifest["machines"]
    if type(count) is not int or not 1 <= count <= MOST_MACHINES:
        raise ValueError(f"a transducer has {count!r} stages")
    names = [f"{prefix}{k}.fst" for k in range(count)]
    machines = [openfst.from_bytes(contents.blobs[x], where=f"{path}: {x}") for x in names]
    written = archive.read_manifest(machines[0], str(path))
    cascade = Cascade.from_dict(written["cascade"]) if written else None
    name = contents.manifest["name"]
    return Model.from_machines(machines, name=name, cascade=cascade, path=path)


TRANSDUCER, LEARNER = TransducerResource(), LearnerResource()
Transducer = Annotated[Answering, TRANSDUCER]
Learner = Annotated[Any, LEARNER]
