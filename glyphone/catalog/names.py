"""What is there under which name: model files, grammars, and the archives compiled from them.

A model that was trained is named by its file, `eng.glyphone`; one that `make` trains, by its name,
`eng.letter_to_sound`, or, if it is of names, by a language, `hin`. A transducer is named by an
archive and a rule, `build/spa/letter_to_sound.far:CASTILIAN`, or by a grammar that comes with
glyphone and a rule, `spa.letter_to_sound:CASTILIAN`.

>>> split_name("spa.letter_to_sound:CASTILIAN"), split_name("x/y.far")
(('spa.letter_to_sound', 'CASTILIAN'), ('x/y.far', None))
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from glyphone.data.errors import (
    FormatError,
    GlyphoneError,
    NotInstalled,
    UnknownName,
)
from glyphone.grammar_tools.archives import built, grammar_names, load_rule

if TYPE_CHECKING:
    from glyphone.fst.interface.model import Model
    from glyphone.models.kinds import Kind

# What `glyphone train` writes, by custom.
SUFFIX = ".glyphone"


def model_of(name: str) -> Path | None:
    """Where the file of a default model lies, if it has been trained."""
    return built(name, SUFFIX)


def split_name(name: str) -> tuple[str, str | None]:
    """An archive or grammar, and the rule behind the colon, if any."""
    head, colon, rule = name.rpartition(":")
    # C:\x.far has a colon but no rule.
    if not colon or "/" in rule or "\\" in rule or Path(name).is_file():
        return name, None
    return head, rule


def load(name: str | Path) -> Model:
    """The model or transducer of a name, ready to answer.

    >>> load("spa.letter_to_sound:CASTILIAN")("hola").output
    'ˈ o l a'
    """
    from glyphone.fst.storage import container as storage_container

    source, rule = split_name(str(name))
    path = Path(source)
    if not source:
        raise GlyphoneError(f"{str(name)!r} names no archive", remedy="write FILE.far:RULE")
    if path.is_dir():
        raise FormatError("is a folder, not an archive", path=path)
    if path.suffix == ".py":
        remedy = f"glyphone compile {source} -o {path.with_suffix('.far').name}, and name that"
        raise FormatError("is the source of a grammar, not an archive", path=path, remedy=remedy)
    if path.exists() and (path.suffix == SUFFIX or storage_container.is_model_file(path)):
        return load_model(path, rule)
    from glyphone.catalog import defaults as catalog_defaults

    source = catalog_defaults.full_name(source)
    if source in catalog_defaults.names():
        trained = model_of(source)
        if trained is None:
            remedy = catalog_defaults.command(source)
            raise NotInstalled(f"{source} is not trained yet", remedy=remedy)
        return load_model(trained, rule)
    from glyphone.fst.transducers import (
        archive,  # which takes longer to import than a model to load
    )

    if path.exists():
        return archive.load(path, rule)
    if source not in grammar_names():
        raise UnknownName(
            "model, archive or grammar",
            source,
            [*files_near(path), *catalog_defaults.names(), *grammar_names()],
        )
    return load_rule(source if rule is None else f"{source}:{rule}")


def load_model(path: Path, rule: str | None) -> Model:
    """The model in a file, which has no rules to choose from."""
    from glyphone.models import kinds

    if rule is not None:
        raise GlyphoneError(
            f"holds one model and no rules, so none is named {rule!r}",
            path=path,
            remedy=f"name it {str(path)!r}",
        )
    return kinds.load(path)


def kind_of(name: str | Path) -> Kind:
    """The kind of a model, by its file, which is not loaded; a transducer if it is nothing else.

    >>> kind_of("spa.letter_to_sound:CASTILIAN").name
    'transducer'
    """
    from glyphone.fst.storage import container as storage_container
    from glyphone.models.kinds import KINDS

    path = file_of(name)
    kind = None if path is None else storage_container.kind_of(path)
    return KINDS.get(kind or "", KINDS["transducer"])


def file_of(name: str | Path) -> Path | None:
    """The file that a model's name stands for, if it is one."""
    from glyphone.catalog import defaults as catalog_defaults

    source, _ = split_name(str(name))
    path = Path(source)
    if not path.exists() and catalog_defaults.full_name(source) in catalog_defaults.names():
        return model_of(catalog_defaults.full_name(source))
    return path if path.is_file() else None


def files_near(path: Path) -> list[str]:
    """What might have been meant: the archives and model files in the same folder."""
    if not path.parent.is_dir():
        return []
    return [str(file) for suffix in (".far", SUFFIX) for file in path.parent.glob(f"*{suffix}")]
