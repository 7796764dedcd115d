"""What is there under which name: model files, grammars, and the archives compiled from them.

A model that was trained is named by its file, `eng.glyphone`; one that `make` trains, by its name,
`eng.letter_to_sound`, or, if it is of names, by a language, `hin`. A transducer is named by an
archive and a rule, `build/spa/letter_to_sound.far:CASTILIAN`, or by a grammar that comes with
glyphone and a rule, `spa.letter_to_sound:CASTILIAN`.

>>> split_name("spa.letter_to_sound:CASTILIAN"), split_name("x/y.far")
(('spa.letter_to_sound', 'CASTILIAN'), ('x/y.far', None))
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import glyphone.grammars
from glyphone.data.errors import (
    FormatError,
    GlyphoneError,
    NotInstalled,
    RuleError,
    UnknownName,
)

if TYPE_CHECKING:
    from glyphone.fst.answering import Answering
    from glyphone.fst.rules import Cascade
    from glyphone.models.kinds import Kind

# What `glyphone train` writes, by custom.
SUFFIX = ".glyphone"
SOURCES = Path(glyphone.grammars.__path__[0])
# Archives lie beside the grammars in an installed package, and under build/ in a checkout.
ARCHIVES = (SOURCES, SOURCES.parent / "build")


def grammar_names() -> list[str]:
    """The grammars that come with glyphone: modules two levels deep, not beginning with _."""
    paths = SOURCES.glob("*/[!_]*.py")
    return sorted(f"{path.parent.name}.{path.stem}" for path in paths)


def archive_of(grammar: str) -> Path | None:
    """Where the archive of a grammar lies, if it has been compiled."""
    return built(grammar, ".far")


def model_of(name: str) -> Path | None:
    """Where the file of a default model lies, if it has been trained."""
    return built(name, SUFFIX)


def built(name: str, suffix: str) -> Path | None:
    relative = Path(*name.split(".")).with_suffix(suffix)
    return next((root / relative for root in ARCHIVES if (root / relative).is_file()), None)


def split_name(name: str) -> tuple[str, str | None]:
    """An archive or grammar, and the rule behind the colon, if any."""
    head, colon, rule = name.rpartition(":")
    # C:\x.far has a colon but no rule.
    if not colon or "/" in rule or "\\" in rule or Path(name).is_file():
        return name, None
    return head, rule


def load(name: str | Path) -> Answering:
    """The model or transducer of a name, ready to answer.

    >>> load("spa.letter_to_sound:CASTILIAN")("hola").output
    'ˈ o l a'
    """
    from glyphone.fst import model_file

    source, rule = split_name(str(name))
    path = Path(source)
    if not source:
        raise GlyphoneError(f"{str(name)!r} names no archive", remedy="write FILE.far:RULE")
    if path.is_dir():
        raise FormatError("is a folder, not an archive", path=path)
    if path.suffix == ".py":
        remedy = f"glyphone compile {source} -o {path.with_suffix('.far').name}, and name that"
        raise FormatError("is the source of a grammar, not an archive", path=path, remedy=remedy)
    if path.exists() and (path.suffix == SUFFIX or model_file.is_model_file(path)):
        return load_model(path, rule)
    from glyphone import default_models

    source = default_models.full_name(source)
    if source in default_models.names():
        trained = model_of(source)
        if trained is None:
            remedy = default_models.command(source)
            raise NotInstalled(f"{source} is not trained yet", remedy=remedy)
        return load_model(trained, rule)
    from glyphone.fst import archive  # which takes longer to import than a model to load

    if path.exists():
        return archive.load(path, rule)
    if source not in grammar_names():
        raise UnknownName(
            "model, archive or grammar",
            source,
            [*files_near(path), *default_models.names(), *grammar_names()],
        )
    found = archive_of(source)
    if found is None:
        raise NotInstalled(f"{source} is not compiled yet", remedy="make grammars")
    return archive.load(found, rule)


def load_model(path: Path, rule: str | None) -> Answering:
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
    from glyphone.fst import model_file
    from glyphone.models.kinds import KINDS

    path = file_of(name)
    kind = None if path is None else model_file.kind_of(path)
    return KINDS.get(kind or "", KINDS["transducer"])


def file_of(name: str | Path) -> Path | None:
    """The file that a model's name stands for, if it is one."""
    from glyphone import default_models

    source, _ = split_name(str(name))
    path = Path(source)
    if not path.exists() and default_models.full_name(source) in default_models.names():
        return model_of(default_models.full_name(source))
    return path if path.is_file() else None


def files_near(path: Path) -> list[str]:
    """What might have been meant: the archives and model files in the same folder."""
    if not path.parent.is_dir():
        return []
    return [str(file) for suffix in (".far", SUFFIX) for file in path.parent.glob(f"*{suffix}")]


def grammar(name: str) -> dict[str, Cascade]:
    """The rules of a grammar module, by name; a module of ours, of the user's, or a .py file."""
    from glyphone.fst.rules import Cascade

    module = import_grammar(name)
    rules = {key: value for key, value in vars(module).items() if isinstance(value, Cascade)}
    rules = {key: value for key, value in rules.items() if key.isupper() and key[0] != "_"}
    if not rules:
        remedy = "assign a cascade to a name in capitals"
        raise GlyphoneError("defines no rules", path=source_of(name), remedy=remedy)
    return rules


def compile_grammar(name: str, path: str | Path) -> dict[str, Cascade]:
    """Compiles a grammar module into an archive, and returns its rules."""
    from glyphone import places
    from glyphone.fst import archive

    rules = grammar(name)
    for rule, cascade in rules.items():
        try:
            _ = cascade.steps
        except RuleError as error:
            raise places.located(error, rule, source_of(name)) from None
    archive.save(path, rules)
    return rules


def source_of(name: str) -> Path:
    """The file of a grammar module."""
    path = find_source(name)
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def find_source(name: str) -> Path:
    """Where a grammar's module is, without importing it."""
    if name.endswith(".py"):
        path = Path(name)
        if not path.is_file():
            raise UnknownName("file", name, map(str, path.parent.glob("*.py")))
        return path.absolute()
    if name in grammar_names():
        return SOURCES.joinpath(*name.split(".")).with_suffix(".py")
    try:
        spec = importlib.util.find_spec(name) if all(name.split(".")) else None
    except ImportError:
        spec = None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise UnknownName("grammar", name, grammar_names())
    return Path(spec.origin)


def import_grammar(name: str) -> ModuleType:
    """The module of a grammar; whatever goes wrong in it is told with its file and line."""
    # A grammar may import what lies beside it, as scripts do, or in the folder one is in.
    for folder in (str(Path.cwd()), str(Path(name).parent.absolute())):
        if folder not in sys.path and (name.endswith(".py") or name not in grammar_names()):
            sys.path.insert(0, folder)
    source = find_source(name)
    try:
        if name.endswith(".py"):
            return import_file(source)
        ours = name in grammar_names()
        return importlib.import_module(f"glyphone.grammars.{name}" if ours else name)
    except Exception as error:
        from glyphone import places

        told = places.of_import(error, source)
        if told is error:
            raise
        raise told from error


def import_file(path: Path) -> ModuleType:
    for key in (path.stem, str(path)):
        if key in sys.modules and getattr(sys.modules[key], "__file__", None) == str(path):
            return sys.modules[key]
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # A file must not take the place of a module of the same name.
    key = path.stem if path.stem not in sys.modules else str(path)
    sys.modules[key] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[key]
        raise
    return module
