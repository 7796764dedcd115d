"""Names of models and transducers, and the files that they stand for.

A model that was trained is named by its file, `eng.glyphone`; a default one by its name,
`eng.letter_to_sound`, or by a language, `eng` or `hin`. A transducer is named by an
archive and a rule, `build/spa/letter_to_sound.far:CASTILIAN`, or by a grammar that comes with
glyphone and a rule, `spa.letter_to_sound:CASTILIAN`.

>>> split_name("spa.letter_to_sound:CASTILIAN"), split_name("x/y.far")
(('spa.letter_to_sound', 'CASTILIAN'), ('x/y.far', None))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from glyphone.data.errors import (
    FormatError,
    GlyphoneError,
    NotInstalled,
    UnknownName,
)
from glyphone.data.folders import model_folder
from glyphone.grammar_tools.archives import (
    built_file,
    compiled_archive,
    grammar_names,
    relative_path,
)

if TYPE_CHECKING:
    from glyphone.fst.interface.model import Model
    from glyphone.models.kinds import Kind

# What `glyphone train` writes, by custom.
SUFFIX = ".glyphone"


def model_of(name: str) -> Path | None:
    """The file of a default model, if it has been trained: by `make`, else by the user."""
    return built_file(name, SUFFIX) or kept_file(name)


def kept_file(name: str) -> Path | None:
    """The file of a model in the folder of the user, if there is one."""
    path = model_folder() / model_path(name)
    return path if path.is_file() else None


def model_path(name: str) -> Path:
    """The file of a default model below a folder of models.

    >>> model_path("hin.names").as_posix()
    'hin/names.glyphone'
    """
    return relative_path(name, SUFFIX)


def split_name(name: str) -> tuple[str, str | None]:
    """An archive or grammar, and the rule behind the colon, if any."""
    head, colon, rule = name.rpartition(":")
    # C:\x.far has a colon but no rule.
    if not colon or "/" in rule or "\\" in rule or Path(name).is_file():
        return name, None
    return head, rule


@dataclass(frozen=True)
class Source:
    """The file of a model or archive, and the rule that is named in an archive, if any."""

    path: Path
    rule: str | None = None
    is_archive: bool = False


def load(name: str | Path) -> Model:
    """The model or transducer of a name, ready to answer.

    >>> load("spa.letter_to_sound:CASTILIAN")("hola").output
    'ˈ o l a'
    """
    source = find_model(name)
    if not source.is_archive:
        from glyphone.models import kinds

        return kinds.load(source.path)
    # Imported here, for it takes longer to import than a model to load.
    from glyphone.fst.transducers import archive

    return archive.load(source.path, source.rule)


def find_model(name: str | Path, *, files: Iterable[str] | None = None) -> Source:
    """The file that a name stands for, which is not loaded; a GlyphoneError if there is none.

    The error suggests the names of `files`, by default of those in the folder of the name.

    >>> find_model("spa.letter_to_sound:CASTILIAN").rule
    'CASTILIAN'
    """
    from glyphone.fst.storage import container as storage_container

    head, rule = split_name(str(name))
    path = Path(head)
    if not head:
        raise GlyphoneError(f"{str(name)!r} names no archive", remedy="write FILE.far:RULE")
    if path.is_dir():
        raise FormatError("is a folder, not an archive", path=path)
    if path.suffix == ".py":
        remedy = f"glyphone compile {head} -o {path.with_suffix('.far').name}, and name that"
        raise FormatError("is the source of a grammar, not an archive", path=path, remedy=remedy)
    if path.exists() and (path.suffix == SUFFIX or storage_container.is_model_file(path)):
        return model_source(path, rule)
    if rule is not None and not path.exists() and head in grammar_names():
        return Source(compiled_archive(head), rule, is_archive=True)
    # Imported here: names of models are names of languages, which take longer to read than a rule.
    from glyphone.catalog import defaults as catalog_defaults

    full_name = catalog_defaults.full_name(head)
    if full_name in catalog_defaults.default_names():
        trained = model_of(full_name)
        if trained is None:
            remedy = catalog_defaults.training_command(full_name)
            raise NotInstalled(f"{full_name} is not trained yet", remedy=remedy)
        return model_source(trained, rule)
    if path.exists():
        return Source(path, rule, is_archive=True)
    if head not in grammar_names():
        known = [
            *(files_near(path) if files is None else files),
            *catalog_defaults.default_names(),
            *grammar_names(),
        ]
        raise UnknownName("model, archive or grammar", head, known)
    return Source(compiled_archive(head), rule, is_archive=True)


def model_source(path: Path, rule: str | None) -> Source:
    """The file of a model, which has no rules to choose from."""
    if rule is not None:
        raise GlyphoneError(
            f"holds one model and no rules, so none is named {rule!r}",
            path=path,
            remedy=f"name it {str(path)!r}",
        )
    return Source(path)


def kind_of(name: str | Path) -> Kind:
    """The kind of a model, read from its file, which is not loaded; "transducer" for all others.

    >>> kind_of("spa.letter_to_sound:CASTILIAN").name
    'transducer'
    """
    from glyphone.fst.storage import container as storage_container
    from glyphone.models.kinds import KINDS

    path = file_of(name)
    kind = None if path is None else storage_container.kind_of(path)
    return KINDS.get(kind or "", KINDS["transducer"])


def file_of(name: str | Path) -> Path | None:
    """The file of a model or archive; None for grammars and unknown names."""
    from glyphone.catalog import defaults as catalog_defaults

    source, _ = split_name(str(name))
    path = Path(source)
    if not path.exists() and catalog_defaults.full_name(source) in catalog_defaults.default_names():
        return model_of(catalog_defaults.full_name(source))
    return path if path.is_file() else None


def files_near(path: Path) -> list[str]:
    """The archives and model files in the folder of a path, as suggestions for its name."""
    return [str(file) for suffix in (".far", SUFFIX) for file in path.parent.glob(f"*{suffix}")]
