"""Sentences made up for tests of taggers and recognizers."""

from __future__ import annotations

import numpy as np

from glyphone.data.records import Sequence

PLACES = ("Lima", "Quito", "Nueva Paz", "Puerto Rico", "Ávila")
PEOPLE = ("Ana", "Eva Paz", "Juan Lima", "Rosa", "Luis del Río")
FRAMES = (
    "El señor {p} vive en {l} .",
    "{p} viaja a {l} .",
    "En {l} , la ministra {p} habla .",
    "La casa de {p} está en {l} , según {p} .",
    "Nadie sabe nada .",
)


def sentences(seed: int, n: int) -> list[Sequence]:
    """Frames filled with names of people and places."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(n):
        tokens: list[str] = []
        labels: list[str] = []
        for word in str(random.choice(FRAMES)).split():
            kind, names = {"{p}": ("PER", PEOPLE), "{l}": ("LOC", PLACES)}.get(word, ("", (word,)))
            parts = str(random.choice(names)).split()
            tokens += parts
            if kind:
                labels += [f"B-{kind}"] + [f"I-{kind}"] * (len(parts) - 1)
            else:
                labels.append("O")
        found.append(Sequence(tuple(tokens), {}, tuple(labels)))
    return found


def bare(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Labels without kinds."""
    return tuple(label[0] for label in labels)
