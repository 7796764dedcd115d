"""Spanish: WikiPron gives no stress; nothing else is changed."""

from __future__ import annotations

from conventions import Task

TASKS = (
    Task(
        "spa.letter_to_sound:CASTILIAN",
        "wikipron/spa_latn_ca_broad_filtered.tsv.gz",
        note="stress stripped",
    ),
    Task(
        "spa.letter_to_sound:LATIN_AMERICAN",
        "wikipron/spa_latn_la_broad_filtered.tsv.gz",
        note="stress stripped",
    ),
)
