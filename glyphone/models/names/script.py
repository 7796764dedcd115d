"""How a language writes names: from native letters to what a model learns to write, and back.

>>> from glyphone.models.names.languages import find_language
>>> script = script_of(find_language("tam"))
>>> script.read(["தமிழ்"])[0]
('t̪', 'a', 'm', 'i', 'ɻ')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from glyphone.data.errors import FormatError, GlyphoneError, ItemError, UnknownName
from glyphone.data.lexicons.tsv import read_table
from glyphone.data.records import Symbols
from glyphone.data.writing import Writing
from glyphone.fst.automata.composition import compose_all
from glyphone.fst.composed.arrays import stages_of
from glyphone.fst.interface.model import Model
from glyphone.fst.transducers.model import TransducerModel
from glyphone.grammar_tools import archives
from glyphone.models.names.languages import Language, language_codes
from glyphone.models.names.latin import plain_latin

if TYPE_CHECKING:
    from glyphone.grammars.brahmic import BrahmicScript as Tables

Read = Symbols | ItemError
# What is in a row of a table; - stands where a vowel has no such letter.
COLUMNS = dict.fromkeys(("consonants", "nasals", "breaths", "others"), "LETTER PHONE")
COLUMNS["vowels"] = "LETTER PHONE CONSONANT-WITH-ITS-SIGN"

# Beside the file of a language, if it writes initials by the names of Latin letters: LETTER, NAME.
LETTER_NAMES = "letter_names.tsv"
CAPITALS = frozenset(ascii_uppercase)


@dataclass(frozen=True)
class Script:
    """`reader` gives what a model learns to write, and `writer` writes it in native letters.

    Without a writer it is native letters that the model learns, and without a reader every word
    of `letters` is as it should be.
    """

    language: Language
    reader: Model | None = None
    writer: TransducerModel | None = None

    def read(self, words: Sequence[str]) -> list[Read]:
        """The output to learn for each native word; ItemError for ill-formed words."""
        if self.reader is None:
            plain = map(plain_latin, words) if self.language.to_latin else words
            return [self.letters_of(word) for word in plain]
        if self.language.cased:
            words = [word.lower() for word in words]
        answers = self.reader.answer(words)
        split = self.reader.target.writing.split
        return [
            answers.failures[item]
            if item in answers.failures
            else split(answers.outputs[answers.firsts[item]]).symbols
            for item in range(len(words))
        ]

    @property
    def writing(self) -> Writing:
        """The writing of the outputs of the model."""
        small = self.language.cased or self.language.to_latin
        plain = Writing(case="lower" if small else "keep")
        return plain if self.reader is None else self.reader.target.writing

    def letters_of(self, word: str) -> Read:
        try:
            split = self.writing.split(word)
        except ItemError as error:
            return error
        for symbol, offset in zip(split.symbols, split.starts, strict=True):
            if symbol not in self.letters:
                message = f"is no letter of {self.language.name}"
                return ItemError(message, item=word, symbol=symbol, offset=offset)
        return split.symbols

    @cached_property
    def letters(self) -> frozenset[str]:
        """The code points that are letters, however they are spaced in the file."""
        return frozenset("".join(self.writing.convert(self.language.letters).split()))


def script_of(language: Language) -> Script:
    """The script of a language, its grammars loaded, or compiled from its tables."""
    if language.tables:
        return of_tables(language)
    reader = chain_rules(language.reads) if language.reads else None
    writer = chain_rules(language.writes) if language.writes else None
    return Script(language, reader, writer and in_one(writer))


def in_one(model: TransducerModel) -> TransducerModel:
    """The writer as one transducer if possible: outputs must pass through all rules."""
    return replace(model, machines=compose_all(model.machines))


def chain_rules(rules: str) -> TransducerModel:
    """Rules of grammars, named one behind the other, as one model.

    >>> chain_rules("hin.devanagari:TO_PHONES hin.devanagari:FROM_PHONES")("दिल्ली").output
    'दिल्ली'
    """
    models = []
    for rule in rules.split():
        model = archives.load_rule(rule)
        if not isinstance(model, TransducerModel):
            raise GlyphoneError(f"{rule} is no rule of a grammar")
        models.append(model)
    whole = models[0]
    for model in models[1:]:
        stages = stages_of(whole.target, model)
        read, written = replace(whole.source, stage=rules), replace(model.target, stage=rules)
        whole = TransducerModel((*whole.machines, *stages), read, written, rules)
    return whole


def of_tables(language: Language) -> Script:
    """A script like those of India, from the tables that `glyphone.grammars.brahmic` describes."""
    try:
        tables = tables_of(language.tables)
        reader = TransducerModel.of(tables.to_phones(), name=language.code)
        writer = in_one(TransducerModel.of(tables.from_phones(), name=language.code))
    except GlyphoneError as error:
        raise GlyphoneError(
            error.message,
            stage=f"{language.code}: [tables]",
            symbol=error.symbol,
            remedy=error.remedy,
        ) from None
    return Script(language, reader, writer)


def tables_of(given: Mapping[str, Any]) -> Tables:
    """The tables of a script; GlyphoneError for rows that are invalid or contradict others."""
    from glyphone.grammars import brahmic

    known = [row.name for row in fields(brahmic.BrahmicScript)]
    for name, text in given.items():
        if name not in known:
            raise UnknownName("setting", name, known)
        if not isinstance(text, str):
            raise GlyphoneError(f"{name} is {text!r}", remedy="it must be text in quotes")
    for name in ("consonants", "vowels", "virama"):
        if not given.get(name, "").strip():
            raise GlyphoneError(f"there is no {name}", remedy=f'write {name} = "..."')
    texts = {name: Writing().convert(text).strip() for name, text in given.items()}
    check_tables({name: texts[name].split() for name in texts.keys() & COLUMNS.keys()}, texts)
    values: dict[str, Any] = {}
    for name, text in texts.items():
        if name in COLUMNS:
            values[name] = (
                brahmic.vowel_table(text) if name == "vowels" else brahmic.letter_table(text)
            )
        else:
            values[name] = text.split() if name in ("letters", "phones", "older") else text
    return brahmic.BrahmicScript(**values)


def check_tables(tables: Mapping[str, Sequence[str]], texts: Mapping[str, str]) -> None:
    """Whether tables have all their columns, and no letter and no phone twice."""
    letters, phones = [texts["virama"]], list[str]()
    for name, entries in tables.items():
        columns = COLUMNS[name].split()
        if len(entries) % len(columns):
            message = f"{name} has {len(entries)} entries, which are not rows of {len(columns)}"
            raise GlyphoneError(message, remedy=f"a row is: {COLUMNS[name]}")
        letters += entries[:: len(columns)]
        phones += entries[1 :: len(columns)]
        letters += [entry[1:] for entry in entries[2::3] if name == "vowels"]
    for what, entries in ("letter", letters), ("phone", phones):
        counts = Counter(entry for entry in entries if entry.strip("-"))
        twice = next((entry for entry, count in counts.items() if count > 1), None)
        if twice is not None:
            remedy = "each stands for one thing only, or what is written could not be read back"
            raise GlyphoneError(f"the {what} {twice} is there twice", remedy=remedy)


def letter_names_of(language: Language) -> dict[str, str]:
    """The native initials of a language that comes with glyphone, by their Latin letters.

    >>> from glyphone.models.names.languages import find_language
    >>> letter_names_of(find_language("rus"))["J"], letter_names_of(find_language("rus-Latn"))
    ('Дж.', {})
    """
    path = archives.SOURCES / language.code / LETTER_NAMES
    if language.code not in language_codes() or not path.is_file():
        return {}
    names = {row[0]: row[1] for row in read_table(path, columns=2)}
    wrong = first_misnamed(names)
    if wrong is not None:
        remedy = "write a capital from A to Z, a TAB, and its name"
        raise FormatError(f"{wrong!r} is no letter with a name", path=path, remedy=remedy)
    return names


def first_misnamed(names: Mapping[str, object]) -> str | None:
    """The first that is none of the letters that initials are brought to, or has no name."""
    for letter, name in names.items():
        if letter not in CAPITALS or not isinstance(name, str) or not name.strip():
            return letter
    return None
