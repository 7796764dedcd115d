"""German: the transcribers differ in allophones, which are undone on both sides.

- Affricates with and without a tie are one and the same: Zeit [t͡s aɪ̯ t] and [t s aɪ̯ t].
- Syllabic consonants are schwa and a consonant: Boden [d n̩] and [d ə n]; behind labials and velars
  the nasal that takes their place is still n (haben [b m̩], legen [ɡ ŋ̩]).
- The phoneme r is written ʁ r ʀ and, vocalised, ɐ̯ behind vowels of any length and ɐ for er.
- ç x χ: the uvular is an allophone of x. ʔ before initial vowels is written by a few only.
- ɪ̯ ʊ̯ ʏ̯ u̯ y̯ often lack their mark, and the second half of eu is rounded or not.
- Aspiration, and lenis consonants without voice, are left out of a broad transcription.
"""

from __future__ import annotations

import re

from conventions import Phones, Task, segments

TIES_AND_MARKS = re.compile("[\u0361\u035c\u032f\u02b0\u0325\u030a]")
SAME = (
    ("ɐ", "ə ʁ"),
    ("[rʀ]", "ʁ"),
    ("χ", "x"),
    ("ʋ", "v"),
    ("ʔ", ""),
    ("ə ʁ ʁ", "ə ʁ"),
    ("t([sʃ])", r"t \1"),
    ("pf", "p f"),
    ("([lmnŋɱ])[\u0329\u030d]", r"ə \1"),
    ("(?<=[pbm] )ə m$|(?<=[kɡŋ] )ə ŋ$", "ə n"),
    ("(?<=ɔ )ʏ", "ɪ"),
)


def broad(text: str) -> Phones:
    text = text.replace("ɐ̯", "ʁ")
    text = TIES_AND_MARKS.sub("", text)
    for found, output in SAME:
        text = re.sub(found, output, text)
    return segments(text)


TASKS = (
    Task(
        "deu.letter_to_sound:GERMAN",
        "wikipron/deu_latn_broad_filtered.tsv.gz",
        broad,
        broad,
        note="stress stripped, allophones undone",
    ),
)
