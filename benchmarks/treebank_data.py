"""Treebanks for measuring transfer: what is source, what is text, and what is for testing.

Text and test sentences of a target are never the same, and where treebanks are translations of each
other (PUD) neither are they those of the source. Trees of the text only serve
as an upper bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from glyphone.data.errors import ItemError
from glyphone.data.treebanks.conllu import read_conllu
from glyphone.data.treebanks.dependencies import Sentence
from glyphone.data.treebanks.punctuation import without_punctuation

PUD = {
    "Arabic": "UD_Arabic-PUD/ar_pud-ud-test.conllu.gz",
    "English": "UD_English-PUD/en_pud-ud-test.conllu.gz",
    "Portuguese": "UD_Portuguese-PUD/pt_pud-ud-test.conllu.gz",
    "Spanish": "UD_Spanish-PUD/es_pud-ud-test.conllu.gz",
    "Swedish": "UD_Swedish-PUD/sv_pud-ud-test.conllu.gz",
}
# Files with the text and with the test sentences; of one file the first ones are text.
OTHERS = {
    "Welsh": ("UD_Welsh-CCG/cy_ccg-ud-train.conllu.gz", "UD_Welsh-CCG/cy_ccg-ud-test.conllu.gz"),
    "Irish": ("UD_Irish-IDT/ga_idt-ud-dev.conllu.gz", "UD_Irish-IDT/ga_idt-ud-test.conllu.gz"),
    "Scottish Gaelic": (
        "UD_Scottish_Gaelic-ARCOSG/gd_arcosg-ud-dev.conllu.gz",
        "UD_Scottish_Gaelic-ARCOSG/gd_arcosg-ud-test.conllu.gz",
    ),
    "Breton": ("UD_Breton-KEB/br_keb-ud-test.conllu.gz",),
}
LEVANTINE = "UD_South_Levantine_Arabic-MADAR/ajp_madar-ud-test.conllu.gz"
SOURCE = 500


def is_here(shared: Path) -> bool:
    """Whether there are treebanks; tells it if there are none."""
    folder = shared / "ud"
    if not folder.is_dir():
        print(f"treebanks: skipped, {folder} is absent")
    return folder.is_dir()


@dataclass(frozen=True)
class Target:
    """A language: sentences of whose words or tags something is learnt, and those for testing."""

    name: str
    text: list[Sentence]
    test: list[Sentence]


def pud(shared: Path, name: str) -> list[Sentence]:
    return [*read_conllu(shared / "ud" / PUD[name])]


def target(shared: Path, name: str, most: int = SOURCE) -> Target:
    """Text of up to so many sentences; of a PUD treebank, whose first ones may be the source,
    text are the next three fifths of as many.
    """
    if name in PUD:
        sentences, end = pud(shared, name), most + most * 3 // 5
        return Target(name, sentences[most:end], sentences[end:])
    files = [[*read_conllu(shared / "ud" / path)] for path in OTHERS[name]]
    if len(files) == 1:
        files = [files[0][:most], files[0][most:]]
    return Target(name, files[0][:most], files[1])


def levantine(shared: Path) -> Target:
    """One half is text, the other for testing."""
    sentences = [*read_conllu(shared / "ud" / LEVANTINE)]
    return Target("South Levantine", sentences[:50], sentences[50:])


def bare(sentences: list[Sentence]) -> list[Sentence]:
    """Without punctuation, and without sentences that have nothing else."""
    found = []
    for sentence in sentences:
        try:
            found.append(without_punctuation(sentence))
        except ItemError:
            continue
    return found
