"""French: WikiPron, and the lexicon that the package gruut-lang-fr carries.

- Of transcribers of WikiPron some distinguish ɑ from a (pâte, pas), ɛː from ɛ (maître), as few
  speakers do now, and mostly list both; both are undone. r is another sign for ʁ. The tie of
  liaison and elision is no phone: l'un [l ‿ œ̃].
- The package has the phones of the grammar, but keeps many a schwa that WikiPron leaves out
  (abaisserait); a French schwa is optional, so all are left out there, on both sides. Entries with
  digits and other signs, which no rule for letters can read, are skipped; in one place it has SIL
  for silence.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from conventions import Phones, Task, segments

SAME = {"ɑ": "a", "ɛː": "ɛ", "r": "ʁ"}


def merged(text: str) -> Phones:
    return tuple(SAME.get(phone, phone) for phone in segments(text) if phone not in ("‿", "SIL"))


def without_schwa(text: str) -> Phones:
    return tuple(phone for phone in merged(text) if phone != "ə")


def gruut(path: Path) -> Iterator[tuple[str, str]]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as lexicon:
        rows = lexicon.execute("SELECT word, phonemes FROM word_phonemes ORDER BY id")
        for word, phones in rows:
            if re.fullmatch("[^\\W\\d_]([^\\W\\d_]|['-])*", word):
                yield word, phones


GRAMMAR = "fra.letter_to_sound:FRENCH"
TASKS = (
    Task(
        GRAMMAR,
        "wikipron/fra_latn_broad_filtered.tsv.gz",
        merged,
        merged,
        note="ɑ is a, ɛː is ɛ",
    ),
    Task(
        GRAMMAR,
        "gruut_lang_fr:lexicon.db",
        without_schwa,
        without_schwa,
        gruut,
        note="gruut-lang-fr, without ə",
    ),
)
