"""Languages of names, each described in a TOML file.

    grammars/hin/names.toml            a language that comes with glyphone: `hin`
    sindarin.toml                      one of the user's: `./sindarin.toml`

A file names the language, its script, and how that is written. `reads` and `writes` are rules of
grammars: native letters to phones, and phones to native letters; a model learns Latin letters to
phones, and is composed with the second. Either may be several rules, one behind the other: those
that read and write again leave well-formed words as they are, and refuse all others. Where there
is only `reads`, the model writes what it gives, and a script may be given by its `letters` alone.
Or there are tables of a script in place of grammars: see `glyphone.grammars.brahmic`. The guide is
docs/add-a-language.md.

>>> language = find_language("tam")
>>> language.name, language.script, language.reads
('Tamil', 'Taml', 'tam.tamil:TO_PHONES')
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.data.writing import Writing
from glyphone.grammar_tools.archives import SOURCES
from glyphone.models.names import latin

FILE = "names.toml"
# Behind the code of a language: out of its script into Latin letters.
TO_LATIN = "-Latn"


@dataclass(frozen=True, kw_only=True)
class Training:
    """How a model of names is learnt: units in an n-gram, and symbols of a unit on each side.

    `beam` is how wide it searches: narrower than models of words do, as errors are those at 14, in
    a third of the time.
    """

    order: int = 6
    max_source: int = 1
    max_target: int = 2
    beam: int = 8


@dataclass(frozen=True, kw_only=True)
class Sources:
    """Where pairs come from: locales of CLDR; whether cities count, and of which countries.

    Where languages share the script, `letters` is the key of this one's in
    `glyphone.data.sources.letters`, and `foreign` are spellings that it does not have: expressions
    for a Latin word, a native one and the country, TABs between. A word is kept if its posterior
    is `far` times that of the best answer, and `least`, at least; where they are not given, whether
    the script is shared decides. A letter that fewer than `rare_letter` words have is of another
    language.
    """

    locales: tuple[str, ...] = ()
    cities: bool = True
    countries: tuple[str, ...] = ()
    letters: str = ""
    foreign: tuple[str, ...] = ()
    far: float | None = None
    least: float | None = None
    rare_letter: int = 0


@dataclass(frozen=True, kw_only=True)
class Language:
    """A language, and how names are written in it.

    `space` and `hyphen` are what its script has between the parts of a name. `cased` scripts
    begin a part with a capital where it begins so in Latin letters; models learn small letters.
    """

    code: str
    name: str
    script: str
    reads: str = ""
    writes: str = ""
    letters: str = ""
    space: str = " "
    hyphen: str = "-"
    cased: bool = False
    read_script: str = "Latn"
    tables: Mapping[str, Any] = field(default_factory=dict)
    training: Training = field(default_factory=Training)
    sources: Sources = field(default_factory=Sources)

    @cached_property
    def separators(self) -> dict[str, str]:
        """The native separators of parts, by those in Latin letters."""
        return {"": "", " ": self.space, "-": self.hyphen}

    @property
    def to_latin(self) -> bool:
        return self.code.endswith(TO_LATIN)

    @property
    def source(self) -> Writing:
        """The writing of input: syllables of Hangul as their letters."""
        return Writing(normal_form="NFD" if self.read_script == "Hang" else "NFC", case="lower")

    def to_latin_letters(self) -> Language:
        """Out of the script, into plain Latin letters."""
        return replace(
            self,
            code=self.code + TO_LATIN,
            name=f"{self.name} to Latin letters",
            script="Latn",
            read_script=self.script,
            reads="",
            writes="",
            letters=latin.LETTERS,
            space=" ",
            hyphen="-",
            tables={},
        )

    def latin_separators(self, text: str) -> str:
        """A native text with a space and a hyphen in place of what its script has for them."""
        for plain, own in ("-", self.hyphen), (" ", self.space):
            text = text.replace(own, plain) if own else text
        return text


def language_codes() -> list[str]:
    """The languages that come with glyphone."""
    return sorted(path.parent.name for path in SOURCES.glob(f"*/{FILE}"))


def find_language(name: str) -> Language:
    """A language by its code, or in a file of the user's; `hin-Latn` is out of that of `hin`."""
    if name.endswith(TO_LATIN):
        return find_language(name.removesuffix(TO_LATIN)).to_latin_letters()
    if name.endswith(".toml"):
        return read_language(Path(name), code=Path(name).stem)
    path = SOURCES / name / FILE
    if name not in language_codes():
        raise UnknownName("language", name, language_codes())
    return read_language(path, code=name)


def read_language(path: Path, *, code: str) -> Language:
    """A language from its file; FormatError if it is not valid."""
    try:
        # Editors of Windows begin a file with a byte order mark, which TOML has not.
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise UnknownName("file", str(path), map(str, path.parent.glob("*.toml"))) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FormatError(f"is no TOML: {error}", path=path) from None
    try:
        return language_of(content, code)
    except GlyphoneError as error:
        raise FormatError(error.message, path=path, remedy=error.remedy) from None


def language_of(content: Mapping[str, Any], code: str) -> Language:
    plain = {key: value for key, value in content.items() if key not in _PARTS}
    parts = {key: part_of(_PARTS[key], content[key], f"[{key}]") for key in _PARTS & content.keys()}
    language: Language = part_of(Language, {"code": code, **plain}, "the file", more=parts)
    given = [name for name in ("reads", "letters", "tables") if getattr(language, name)]
    if not given:
        remedy = 'give `reads = "GRAMMAR:RULE"`, `letters = "..."`, or a table [tables]'
        raise GlyphoneError("does not say how the language is written", remedy=remedy)
    for expression in language.sources.foreign:
        try:
            re.compile(expression)
        except re.error as error:
            message = f"foreign has {expression!r}: {error}"
            raise GlyphoneError(message, remedy="write a regular expression") from None
    if language.tables and language.writes:
        given = ["writes", "tables"]
    if len(given) > 1:
        shown = [{"tables": "[tables]"}.get(name, f"`{name}`") for name in given]
        raise GlyphoneError(f"has both {' and '.join(shown)}", remedy="leave one of them out")
    return language


def part_of(kind: type, content: Any, where: str, more: Mapping[str, Any] | None = None) -> Any:
    """The record of a table of the file, each value of the type that it must have."""
    known = {row.name: row for row in fields(kind)}
    if not isinstance(content, dict):
        raise GlyphoneError(f"{where} is no table")
    for key, value in content.items():
        if key not in known:
            raise UnknownName(f"setting in {where}", key, known)
        problem = problem_of(value, str(known[key].type))
        if problem:
            raise GlyphoneError(f"{key} is {value!r}", remedy=f"it must be {problem}")
    missing = [key for key in ("name", "script") if key in known and key not in content]
    if missing:
        raise GlyphoneError(f"{where} has no {missing[0]}", remedy=f'write {missing[0]} = "..."')
    values = {
        key: tuple(value) if isinstance(value, list) else value for key, value in content.items()
    }
    return kind(**values, **(more or {}))


def problem_of(value: object, expected: str) -> str | None:
    """The requirement that a value of the file does not meet, if any."""
    kind, what = _TYPES[expected]
    right = isinstance(value, kind) and isinstance(value, bool) == (kind is bool)
    if right and kind is int:
        right = value > 0  # type: ignore[operator]
    if right and kind is list:
        right = all(isinstance(one, str) for one in value)  # type: ignore[attr-defined]
    return None if right else what


_PARTS = {"training": Training, "sources": Sources}
_TYPES: dict[str, tuple[type, str]] = {
    "str": (str, "text in quotes"),
    "int": (int, "a whole number from 1 on"),
    "float | None": (float, "a number with a point, as 0.5"),
    "bool": (bool, "true or false"),
    "tuple[str, ...]": (list, 'a list of texts, ["...", "..."]'),
    "Mapping[str, Any]": (dict, "a table"),
}
