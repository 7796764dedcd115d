"""What settings of stages name: transducers and learners.

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
from glyphone.data.errors import FormatError, GlyphoneError, NotInstalled, UnknownName
from glyphone.fst.interface.model import Model
from glyphone.fst.storage import registry as storage_registry
from glyphone.fst.storage.container import REMEDY, Contents, FilePath
from glyphone.grammar_tools import archives
from glyphone.models import kinds
from glyphone.pipelines.settings import Resource


def file_of(name: str, folder: Path) -> str:
    """A name with the folder before it, if a file lies there."""
    source, _ = catalog_names.split_name(name)
    beside = folder / source
    return str(beside) + name[len(source) :] if source and beside.is_file() else name


class TransducerResource(Resource):
    """Whatever `glyphone.load` loads."""

    def find(self, name: str, folder: Path) -> str:
        from glyphone.catalog import defaults as catalog_defaults
        from glyphone.fst.transducers import archive

        found = file_of(name, folder)
        head, rule = catalog_names.split_name(found)
        source = catalog_defaults.full_name(head)
        compiled = Path(source) if Path(source).is_file() else archives.archive_of(source)
        if compiled is not None:
            if compiled.suffix == ".far":
                archive.choose_rule(compiled, rule)
        elif source in catalog_defaults.names():
            if catalog_names.model_of(source) is None:
                remedy = catalog_defaults.command(source)
                raise NotInstalled(f"{source} is not trained yet", remedy=remedy)
        elif source not in archives.grammar_names():
            near = [*files_in(folder, ".far"), *files_in(folder, catalog_names.SUFFIX)]
            known = [*near, *catalog_defaults.names(), *archives.grammar_names()]
            raise UnknownName("model, archive or grammar", source, known)
        else:
            raise NotInstalled(f"{source} is not compiled yet", remedy="make grammars")
        return found

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
        if contents.kind not in kinds.answering(parts=True):
            raise FormatError(f"holds a {contents.kind!r}, no model", path=path, remedy=REMEDY)
        model: Model = storage_registry.from_contents(contents, prefix, path=path)
        return model


class LearnerResource(Resource):
    """A file of `glyphone.models.learners.file`."""

    def find(self, name: str, folder: Path) -> str:
        found = file_of(name, folder)
        if not Path(found).is_file():
            raise UnknownName("file of a learner", name, files_in(folder, catalog_names.SUFFIX))
        return found

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
    return [path.name for path in folder.glob(f"*{suffix}")]


TRANSDUCER, LEARNER = TransducerResource(), LearnerResource()
Transducer = Annotated[Model, TRANSDUCER]
Learner = Annotated[Any, LEARNER]
