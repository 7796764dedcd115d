"""Italian: the list marks no stress in its phones, and nothing is changed on either side.

It takes both traditions where the norm has two: s and z between vowels (casa), t͡s and d͡z at the
beginning of a word (zucchero), open and closed e o (colonna); such words have several rows, and any
of them counts. Compounds have open vowels under secondary stress in some rows and not in others
(neurochirurgo), which stays an error where a word has one row only.
"""

from __future__ import annotations

from conventions import Task

TASKS = (
    Task(
        "ita.letter_to_sound:ITALIAN",
        "wikipron/ita_latn_broad_filtered.tsv.gz",
        note="as it is",
    ),
)
