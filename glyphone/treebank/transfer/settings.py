"""Transfer files in TOML: settings of words and language models, and of dependencies.

All keys but the kind may be left out:

    kind = "dependencies"
    reads = "words"                     # symbols of the language model: "words"; "tags", for
                                        # CoNLL-U texts with finite verbs apart where this is
                                        # nearer (`word_classes`); or "finite"
    dictionary = "words.tsv"            # WORD<TAB>TRANSLATION[<TAB>WEIGHT]
    cognates = "cognates.glyphone"      # a model for words that the dictionary lacks
    order = 2                           # of the n-gram model
    refined = false                     # true: imputed trees add to a model of bigrams
    fixed = ["det", "case"]             # classes of dependents that keep their side
    dropped = ["det"]                   # classes that the target may lack, with all below them
    given = "source"                    # P(move | side in the source); "target": its reverse
    strength = 200                      # prior count of the order of the source; default: from
                                        # the text (`glyphone.treebank.transfer.nearness`)

Files for constituents may have `dictionary`, `cognates`, `order` and `refined`, too; for their
other keys see `glyphone.treebank.transfer.constituent_settings`.

>>> import tempfile
>>> path = tempfile.mkdtemp() + "/transfer.toml"
>>> with open(path, "w") as file:
...     _ = file.write('kind = "dependencies"\\nreads = "tags"\\nfixed = ["det"]')
>>> settings = read_dependency_settings(path)
>>> settings.reads, settings.fixed, settings.order, settings.refined
('tags', ('det',), 2, False)
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from glyphone.data.errors import FormatError, UnknownName
from glyphone.data.lines import read_lines
from glyphone.treebank.transfer.dependency_forests import GIVEN, DependencyGrammar, Given
from glyphone.treebank.transfer.lexical import BilingualLexicon, lexicon_of
from glyphone.treebank.transfer.word_classes import READS, Reads

DEPENDENCIES, CONSTITUENTS = "dependencies", "constituents"
KINDS = (DEPENDENCIES, CONSTITUENTS)


@dataclass(frozen=True, kw_only=True)
class TransferSettings:
    """Settings of transfer files of both kinds; paths are relative to the working directory."""

    dictionary: str | None = None
    cognates: str | None = None
    order: int = 2
    refined: bool = False

    def make_lexicon(self, vocabulary: Iterable[str] = ()) -> BilingualLexicon:
        return lexicon_of(self.dictionary, self.cognates, vocabulary=vocabulary)


@dataclass(frozen=True, kw_only=True)
class DependencySettings(TransferSettings):
    """Settings of a transfer file for dependencies."""

    reads: Reads = "words"
    fixed: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    given: Given = "source"
    strength: float | None = None

    def make_grammar(self, reads: Reads, lexicon: BilingualLexicon) -> DependencyGrammar:
        return DependencyGrammar(reads, lexicon, self.fixed, self.given, dropped=self.dropped)


def read_content(path: str) -> tuple[str, dict[str, Any]]:
    """The kind of a transfer file, and its other keys with their values."""
    try:
        content = tomllib.loads("\n".join(line for _, line in read_lines(path)))
    except tomllib.TOMLDecodeError as error:
        raise FormatError(
            f"no TOML: {error}", path=path, remedy="see docs/treebank-transfer.md"
        ) from error
    kind = content.pop("kind", None)
    if kind not in KINDS:
        raise UnknownName("kind of transfer", str(kind), KINDS, path=path)
    return kind, content


def read_dependency_settings(path: str) -> DependencySettings:
    """The settings of a file for dependencies; FormatError for impossible values."""
    kind, content = read_content(path)
    if kind == CONSTITUENTS:
        remedy = "give one for dependencies"
        raise FormatError("the transfer file is for constituents", path=path, remedy=remedy)
    names = [field.name for field in fields(DependencySettings)]
    for name in content:
        if name not in names:
            raise UnknownName("key of a transfer file", name, names, path=path)
    values = check_values(content, path)
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    settings = DependencySettings(**(values | lists))
    if settings.dropped and settings.given == "target":
        remedy = 'leave given out, or write given = "source"'
        raise FormatError("nothing is dropped where the target is given", path=path, remedy=remedy)
    return settings


def split_settings(
    content: Mapping[str, Any], path: str
) -> tuple[TransferSettings, dict[str, Any]]:
    """The settings that a file for constituents shares with other files, and its other keys."""
    names = [field.name for field in fields(TransferSettings)]
    shared = check_values({name: value for name, value in content.items() if name in names}, path)
    return TransferSettings(**shared), {n: value for n, value in content.items() if n not in names}


def check_values(content: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Checked values; relative paths become paths beside the file if there is such a file."""
    values = dict(content)
    for name, value in content.items():
        right, remedy = RULES[name]
        if not right(value):
            raise FormatError(f"{name} is {value!r:.60}", path=path, remedy=remedy)
        beside = Path(path).parent / str(value)
        if name in ("dictionary", "cognates") and beside.exists():
            values[name] = str(beside)
    if content.get("refined") and content.get("order", 2) != 2:
        raise FormatError("order is not 2", path=path, remedy="only bigrams can be refined")
    return values


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


RULES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "reads": (lambda value: value in READS, f"choose one of {', '.join(READS)}"),
    "dictionary": (lambda value: isinstance(value, str), "name a file in quotes"),
    "cognates": (lambda value: isinstance(value, str), "name a model in quotes"),
    "fixed": (are_texts, 'list classes: ["det", "nsubj(VERB)"]'),
    "dropped": (are_texts, 'list classes: ["det", "mark"]'),
    "given": (lambda value: value in GIVEN, f"choose one of {', '.join(GIVEN)}"),
    "strength": (lambda value: is_number(value) and value > 0, "give a number above 0"),
    "order": (
        lambda value: is_number(value) and value in range(1, 10),
        "give a number from 1 to 9",
    ),
    "refined": (lambda value: isinstance(value, bool), "write true or false"),
}
