"""Where in a grammar's source something stands that a message is about.

>>> text = "X = cascade(letters='a b', phones='a', rules=['b -> a', 'b -> a'])"
>>> line_of_rule("b -> a", text), line_of_name("X", text), line_of_symbol("q", text)
(1, 1, None)
"""

from __future__ import annotations

import ast
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from glyphone.data.errors import GlyphoneError, RuleError
from glyphone.fst.rules.cascade import Cascade
from glyphone.fst.rules.parser import split_comment

if TYPE_CHECKING:
    from glyphone.fst.rules.lint import Finding


def line_of_rule(rule: str, text: str, nth: int = 0) -> int | None:
    """The line on which a rule stands for the n-th time (from 0), however it is spaced."""
    words = rule.split()
    lines = list(enumerate(text.split("\n"), 1))
    found = [number for number, line in lines if split_comment(line)[0].split() == words]
    if not found:
        joined = " ".join(words)
        found = [number for number, line in lines if joined in " ".join(line.split())]
    return found[min(nth, len(found) - 1)] if found else None


def line_of_name(name: str, text: str) -> int | None:
    """The line on which a name is assigned."""
    for statement in ast.parse(text).body:
        if not isinstance(statement, ast.Assign | ast.AnnAssign):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == name:
                return statement.lineno
    return None


def line_of_symbol(symbol: str, text: str) -> int | None:
    """The line of the first string in which a symbol stands by itself, or else in which it is."""
    nodes = list(ast.walk(ast.parse(text)))
    docstrings = [node.value for node in nodes if isinstance(node, ast.Expr)]
    strings = [
        (node.lineno + below, line)
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if node not in docstrings
        for below, line in enumerate(node.value.split("\n"))
        if "->" not in line
    ]
    alone = [number for number, line in strings if symbol in line.split()]
    within = [number for number, line in strings if symbol in line]
    return min(alone or within, default=None)


def place_of(finding: Finding, cascade: Cascade, source: Path) -> str:
    """A finding behind the file and line of its rule or symbol, or else of its cascade."""
    text = source.read_text(encoding="utf-8")
    line = None
    if finding.rule is not None:
        same = [rule for rule in cascade.rules() if rule.text == finding.rule.text]
        nth = next(n for n, rule in enumerate(same) if rule is finding.rule)
        line = line_of_rule(finding.rule.text, text, nth)
    elif finding.symbol is not None:
        line = line_of_symbol(finding.symbol, text)
    line = line or line_of_name(finding.name, text)
    return f"{source}:{line}: {finding}" if line else f"{source}: {finding}"


def locate_error(error: RuleError, name: str, source: Path) -> RuleError:
    """The error of a rule with the file, and the line in it rather than in the rule's text."""
    if error.path is not None:
        error.line = error.line or line_of_entry(error.item or "", Path(error.path))
        error.path = short_path(Path(error.path))
        return error
    text = source.read_text(encoding="utf-8")
    error.path = str(source)
    line = line_of_rule(error.text, text) if error.text else None
    error.line = line or line_of_name(name, text)
    return error


def line_of_entry(item: str, path: Path) -> int | None:
    """The line of a word list whose first column has these symbols."""
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), 1):
        if compact(line.partition("\t")[0]) == compact(item):
            return number
    return None


def compact(text: str) -> str:
    return "".join(unicodedata.normalize("NFC", text).casefold().split())


def of_import(error: Exception, source: Path) -> GlyphoneError:
    """The error of importing a grammar, with the line of the grammar that raised it."""
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename) == source]
    line = lines[-1] if lines else None
    if isinstance(error, SyntaxError) and error.filename:
        source, line = Path(error.filename), error.lineno
    if isinstance(error, GlyphoneError):
        if error.path is None:
            error.path, error.line = str(source), line
        error.path = short_path(Path(error.path))
        return error
    return GlyphoneError(
        f"{type(error).__name__}: {getattr(error, 'msg', error)}",
        path=short_path(source),
        line=line,
        remedy="--debug shows where it comes from",
    )


def short_path(path: Path) -> str:
    """A path as it can be said from here."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
