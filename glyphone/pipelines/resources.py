"""Transducers and learners as settings of stages, which name them.

>>> from pathlib import Path
>>> TRANSDUCER.find("spa.letter_to_sound:CASTILIAN", Path("."))
'spa.letter_to_sound:CASTILIAN'
>>> TRANSDUCER.load("spa.letter_to_sound:CASTILIAN")("hola").output
'ˈ o l a'
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from glyphone.catalog import names as catalog_names
from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.fst.interface.model import Model
from glyphone.fst.storage import registry as storage_registry
from glyphone.fst.storage.container import REMEDY, Contents, FilePath
from glyphone.models import kinds
from glyphone.pipelines.settings import Resource


def file_of(name: str, folder: Path) -> str:
    """A name with the folder before it if that is a file, else the name."""
    source, _ = catalog_names.split_name(name)
    beside = folder / source
    return str(beside) + name[len(source) :] if source and beside.is_file() else name


class TransducerResource(Resource):
    """A model or transducer, named as for `glyphone.load`."""

    def find(self, name: str, folder: Path) -> str:
        beside = file_of(name, folder)
        near = [*files_in(folder, ".far"), *files_in(folder, catalog_names.SUFFIX)]
        source = catalog_names.find_model(beside, files=near)
        if source.is_archive:
            from glyphone.fst.transducers import archive

            archive.choose_rule(source.path, source.rule)
        return beside

    def load(self, name: str) -> Model:
        return catalog_names.load(name)

    def fingerprint(self, value: Model) -> str:
        return value.fingerprint()

    def pack(self, value: Model, prefix: str) -> Contents:
        if not value.kind:
            remedy = "take the model that it is made from"
            message = f"a {type(value).__name__} cannot be put into a file"
            raise GlyphoneError(message, remedy=remedy)
        return storage_registry.to_contents(value, prefix)

    def unpack(self, contents: Contents, prefix: str, path: FilePath | None) -> Model:
        if contents.kind not in kinds.answering_kinds(parts=True):
            raise FormatError(f"holds a {contents.kind!r}, no model", path=path, remedy=REMEDY)
        model: Model = storage_registry.from_contents(contents, prefix, path=path)
        return model


class LearnerResource(Resource):
    """A file of `glyphone.models.learners.file`."""

    def find(self, name: str, folder: Path) -> str:
        path = file_of(name, folder)
        if not Path(path).is_file():
            raise UnknownName("file of a learner", name, files_in(folder, catalog_names.SUFFIX))
        return path

    def load(self, name: str) -> Any:
        from glyphone.models.learners import file as learner_file

        return learner_file.load(name)

    def pack(self, value: Any, prefix: str) -> Contents:
        from glyphone.models.learners import file as learner_file

        return learner_file.to_contents(value, prefix)

    def unpack(self, contents: Contents, prefix: str, path: FilePath | None) -> Any:
        from glyphone.models.learners import file as learner_file

        return learner_file.from_contents(contents, prefix, path=path)


def files_in(folder: Path, suffix: str) -> list[str]:
    """The names of the files with a suffix in a folder."""
    return [path.name for path in folder.glob(f"*{suffix}")]


TRANSDUCER, LEARNER = TransducerResource(), LearnerResource()
Transducer = Annotated[Model, TRANSDUCER]
Learner = Annotated[Any, LEARNER]
