"""What a transfer file says of words and language models, and of dependencies, in TOML.

All but the kind may be left out:

    kind = "dependencies"
    reads = "words"                     # what the language model sees: words of the text, or
                                        # "tags", of which a CoNLL-U text may have finite verbs
                                        # apart, as the text tells (`word_classes`), or "finite"
    dictionary = "words.tsv"            # WORD<TAB>TRANSLATION[<TAB>WEIGHT]
    cognates = "cognates.glyphone"      # a model that writes other words of the source
    order = 2                           # of the n-gram model
    refined = false                     # true: imputed trees add to a model of bigrams
    fixed = ["det", "case"]             # classes of dependents that keep their side
    dropped = ["det"]                   # those that the target may lack, with all below them
    given = "source"                    # sides of the target by those of the source, or "target"
    strength = 200                      # how firmly the order of the source is believed; else
                                        # as the text tells (`glyphone.treebank.transfer.nearness`)

`dictionary`, `cognates`, `order` and `refined` may stand in a file for constituents, too; for all
else in these see `glyphone.treebank.transfer.constituent_settings`.

>>> import tempfile
>>> path = tempfile.mkdtemp() + "/transfer.toml"
>>> with open(path, "w") as file:
...     _ = file.write('kind = "dependencies"\\nreads = "tags"\\nfixed = ["det"]')
>>> told = read_transfer(path)
>>> told.reads, told.fixed, told.order, told.refined
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
from glyphone.treebank.transfer.dependency_forests import GIVEN, Given, Grammar
from glyphone.treebank.transfer.lexical import Lexicon, lexicon_of
from glyphone.treebank.transfer.word_classes import READS, Reads

DEPENDENCIES, CONSTITUENTS = "dependencies", "constituents"
KINDS = (DEPENDENCIES, CONSTITUENTS)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What files of both kinds may say; paths are as seen from where the command runs."""

    dictionary: str | None = None
    cognates: str | None = None
    order: int = 2
    refined: bool = False

    def lexicon(self, vocabulary: Iterable[str] = ()) -> Lexicon:
        return lexicon_of(self.dictionary, self.cognates, vocabulary=vocabulary)


@dataclass(frozen=True, kw_only=True)
class TransferFile(Settings):
    """What a file for dependencies says."""

    reads: Reads = "words"
    fixed: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    given: Given = "source"
    strength: float | None = None

    def grammar(self, reads: Reads, lexicon: Lexicon) -> Grammar:
        return Grammar(reads, lexicon, self.fixed, self.given, dropped=self.dropped)


def content_of(path: str) -> tuple[str, dict[str, Any]]:
    """The kind of a transfer file, and what else stands in it."""
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


def read_transfer(path: str) -> TransferFile:
    """A transfer file for dependencies; FormatError for what it cannot say."""
    kind, content = content_of(path)
    if kind == CONSTITUENTS:
        remedy = "give one for dependencies"
        raise FormatError("the transfer file is for constituents", path=path, remedy=remedy)
    names = [field.name for field in fields(TransferFile)]
    for name in content:
        if name not in names:
            raise UnknownName("key of a transfer file", name, names, path=path)
    told = checked(content, path)
    lists = {name: tuple(value) for name, value in told.items() if isinstance(value, list)}
    found = TransferFile(**(told | lists))
    if found.dropped and found.given == "target":
        remedy = 'leave given out, or write given = "source"'
        raise FormatError("nothing is dropped where the target is given", path=path, remedy=remedy)
    return found


def read_settings(content: Mapping[str, Any], path: str) -> tuple[Settings, dict[str, Any]]:
    """What a file for constituents says as those for dependencies do, and what else it says."""
    names = [field.name for field in fields(Settings)]
    told = checked({name: value for name, value in content.items() if name in names}, path)
    return Settings(**told), {n: value for n, value in content.items() if n not in names}


def checked(content: Mapping[str, Any], path: str) -> dict[str, Any]:
    """The same with paths beside that of the file; FormatError for what cannot be."""
    found = dict(content)
    for name, value in content.items():
        right, remedy = RULES[name]
        if not right(value):
            raise FormatError(f"{name} is {value!r:.60}", path=path, remedy=remedy)
        beside = Path(path).parent / str(value)
        if name in ("dictionary", "cognates") and beside.exists():
            found[name] = str(beside)
    if content.get("refined") and content.get("order", 2) != 2:
        raise FormatError("order is not 2", path=path, remedy="only bigrams can be refined")
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


RULES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "reads": (lambda value: value in READS, f"choose one of {', '.join(READS)}"),
    "dictionary": (lambda value: isinstance(value, str), "name a file in quotes"),
    "cognates": (lambda value: isinstance(value, str), "name a model in quotes"),
    "fixed": (_are_texts, 'list classes: ["det", "nsubj(VERB)"]'),
    "dropped": (_are_texts, 'list classes: ["det", "mark"]'),
    "given": (lambda value: value in GIVEN, f"choose one of {', '.join(GIVEN)}"),
    "strength": (lambda value: _is_number(value) and value > 0, "give a number above 0"),
    "order": (
        lambda value: _is_number(value) and value in range(1, 10),
        "give a number from 1 to 9",
    ),
    "refined": (lambda value: isinstance(value, bool), "write true or false"),
}
