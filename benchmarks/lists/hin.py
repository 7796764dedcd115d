"""Hindi: nothing is changed but word boundaries, which the list does not mark."""

from __future__ import annotations

from conventions import Task

TASKS = (Task("hin.letter_to_sound:HINDI", "wikipron/hin_deva_broad_filtered.tsv.gz"),)
