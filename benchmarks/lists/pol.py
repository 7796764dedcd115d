"""Polish: WikiPron gives no stress; nothing else is changed.

What the list mixes stays an error: variants of dialects and of the past (ɒ ɫ r̝ ɛ̃ ɔ̃ beside the
phones of today), letters given as their sound and not their name, n for ŋ before a suffix
(biedronka), and ɲ beside ɲ j in loanwords (manię).
"""

from __future__ import annotations

from conventions import Task

TASKS = (
    Task(
        "pol.letter_to_sound:POLISH",
        "wikipron/pol_latn_broad.tsv.gz",
        note="stress stripped",
    ),
)
