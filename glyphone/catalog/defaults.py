"""The models that `make` and `make models` train: their names, files and descriptions.

    eng.letter_to_sound          English letters to sound, by `make`
    hin.names, or hin            names into Hindi, by `make models`
    hin.to_latin, or hin-Latn    names out of Hindi
    jpn.kanji                    Japanese names into kanji, and read, by `make models`
    eng.voicemail                who called, and on which number, by `make models`

>>> full_name("hin"), full_name("hin-Latn"), full_name("eng.letter_to_sound"), full_name("x.far")
('hin.names', 'hin.to_latin', 'eng.letter_to_sound', 'x.far')
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from glyphone.catalog import names as catalog_names
from glyphone.models.names import languages
from glyphone.models.names.languages import TO_LATIN

ENGLISH, KANJI, VOICEMAIL = "eng.letter_to_sound", "jpn.kanji", "eng.voicemail"
# Those that are trained on a named lexicon, and one that learns from messages.
LEXICONS = {
    ENGLISH: "cmudict:train",
    KANJI: "japanese-names:train",
    VOICEMAIL: "generated messages",
}

CAVEAT = (
    "Accuracy is that on words held out. Pairs of names are kept by a filter of models, so that\n"
    "what is held out of them is easier than what there is; `glyphone evaluate` measures on yours."
)


def default_names() -> list[str]:
    """Every default model, trained or not."""
    names = [*LEXICONS]
    for code in languages.language_codes():
        names += [f"{code}.names", f"{code}.to_latin"]
    return sorted(names)


def full_name(name: str) -> str:
    """The name of the model that a code of a language stands for; any other name as it is."""
    code = name.removesuffix(TO_LATIN)
    if code not in languages.language_codes():
        return name
    return f"{code}.names" if code == name else f"{code}.to_latin"


def training_command(name: str) -> str:
    """The command that trains a default model."""
    if name == ENGLISH:
        return f"make, or: glyphone train {LEXICONS[name]} -o FILE{catalog_names.SUFFIX}"
    return "make models"


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


def describe_model(name: str) -> ModelDescription:
    """The figures in the file of a model."""
    from glyphone.fst.storage import container as storage_container

    path = catalog_names.model_of(name)
    if path is None:
        return ModelDescription(name)
    description = storage_container.read(path).manifest.get("description", {})
    lexicon, metrics = description.get("lexicon", {}), description.get("metrics", {})
    return ModelDescription(
        name,
        LEXICONS.get(name, "GeoNames, CLDR"),
        lexicon.get("pairs", 0),
        metrics.get("accuracy"),
        metrics.get("per"),
        Path(path).stat().st_size / 2**20,
        time.strftime("%Y-%m-%d", time.localtime(Path(path).stat().st_mtime)),
    )


def models_page(models: Sequence[ModelDescription]) -> str:
    """The models as a table for people."""
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
        if model.date
        else (model.name, f"not there yet: {training_command(model.name)}", "", "", "", "", "")
        for model in models
    ]
    return f"{format_table([head, *rows], '<<>>>>>')}\n\n{CAVEAT}"
