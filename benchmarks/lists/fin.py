"""Finnish: the list writes v g š ž and nk ng gn as the orthography does.

So the mapping undoes ʋ ɡ ʃ ʒ and the velar nasal; the list also leaves c q w x z of loanwords as
they are, which stays an error. Stress is compared in a task of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from conventions import Phones, Task, two_columns


def ipa_dict(path: Path) -> Iterator[tuple[str, str]]:
    """Variants are parted by commas and stand between slashes."""
    for word, variants in two_columns(path):
        for variant in variants.split(","):
            yield word, variant.strip().strip("/")


def stressed(text: str) -> Phones:
    """Characters; no phone of the Finnish list is longer than one."""
    return tuple(text.replace(" ", "").replace("ʒ", "ž"))


def unstressed(text: str) -> Phones:
    return tuple(phone for phone in stressed(text) if phone not in "ˈˌ")


def finnish_stressed(text: str) -> Phones:
    text = text.replace(" ", "").replace("|", "")
    text = re.sub(r"ŋ(ˌ?)ŋ", r"n\1g", text)
    text = re.sub(r"ŋ(ˌ?k)", r"n\1", text)
    text = re.sub(r"ŋ(ˌ?n)", r"g\1", text).replace("ŋ", "ng")
    return tuple(text.translate(str.maketrans("ʋɡʃʒ", "vgšž")))


def finnish(text: str) -> Phones:
    return tuple(phone for phone in finnish_stressed(text) if phone not in "ˈˌ")


GRAMMAR, LIST = "fin.letter_to_sound:FINNISH", "ipa_dict/fi.txt.gz"
TASKS = (
    Task(GRAMMAR, LIST, unstressed, finnish, ipa_dict, "stress stripped"),
    Task(GRAMMAR, LIST, stressed, finnish_stressed, ipa_dict, "with stress"),
)
