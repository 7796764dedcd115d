"""Modules of grammars: found by name or file, imported, compiled."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from glyphone.data.errors import GlyphoneError, RuleError, UnknownName
from glyphone.grammar_tools.archives import SOURCES, grammar_names

if TYPE_CHECKING:
    from glyphone.fst.rules.cascade import Cascade


def grammar_rules(name: str) -> dict[str, Cascade]:
    """The rules of a grammar module, by name; a module of ours, of the user's, or a .py file."""
    from glyphone.fst.rules.cascade import Cascade

    module = import_grammar(name)
    rules = {key: value for key, value in vars(module).items() if isinstance(value, Cascade)}
    rules = {key: value for key, value in rules.items() if key.isupper() and key[0] != "_"}
    if not rules:
        remedy = "assign a cascade to a name in capitals"
        raise GlyphoneError("defines no rules", path=source_of(name), remedy=remedy)
    return rules


def compile_grammar(name: str, path: str | Path) -> dict[str, Cascade]:
    """Compiles a grammar module into an archive, and returns its rules."""
    from glyphone.fst.transducers import archive
    from glyphone.grammar_tools import places

    rules = grammar_rules(name)
    for rule, cascade in rules.items():
        try:
            _ = cascade.steps
        except RuleError as error:
            raise places.locate_error(error, rule, source_of(name)) from None
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
    """The module of a grammar; errors in it have its file and line."""
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
        from glyphone.grammar_tools import places

        located = places.of_import(error, source)
        if located is error:
            raise
        raise located from error


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
