"""Errors in wrong words: a table of their classes.

A word is of the first class that fits: it has a letter that no word of train has; no model that is
asked can write its transcription at all (a reading that train has not, mostly of foreign words); or
else all edits between answer and transcription are in length, in tone or stress, in other marks of
the same letters, in vowels, or in consonants. What is left has edits of several classes.

>>> kinds = [kind(*pair) for pair in (("aː", "a"), ("á", "a"), ("kʰ", "k"), ("e", "a"), ("k", ""))]
>>> kinds, kind("j", "i"), of_edits([("aː", "a"), ("k", "g")]), of_edits([("t͡s", "d͡z")])
(['length', 'tone', 'marks', 'vowels', 'consonants'], 'several', 'several', 'consonants')
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import Any

from glyphone.evaluation import measures
from glyphone.evaluation.evaluate import Evaluation

UNSEEN_LETTER, UNSEEN_READING, SEVERAL = "letter", "reading", "several"
CLASSES = (
    UNSEEN_LETTER, UNSEEN_READING, "length", "tone", "marks", "vowels", "consonants", SEVERAL,
)  # fmt: skip
VOWELS = frozenset("aeiouyæøœɐɑɒɔəɘɜɞɛɪɨɯɵɤʊʉʌʏɶɚɝ")
LENGTH = frozenset("ːˑ")
# Accents that are tones in Serbo-Croatian, Slovene and Latvian, letters of tone, and stress.
TONE = frozenset("\u0300\u0301\u0302\u0304\u0306\u030c\u030f\u0311ˈˌˀ˥˦˧˨˩")
HEAD = f"{'level':7} {'language':10} {'WER %':>6}" + "".join(f" {name:>10}" for name in CLASSES)


def classes_of(evaluation: Evaluation, model: Any, letters: Set[str]) -> Counter[str]:
    """How many words are wrong in what, by a model that was trained on words of these letters."""
    counts: Counter[str] = Counter()
    for verdict in evaluation.verdicts:
        if verdict.answer.rank == 1:
            continue
        text, nearest = verdict.item.text, verdict.nearest
        if not letters.issuperset(model.source.writing.split(text).symbols):
            counts[UNSEEN_LETTER] += 1
        elif not writable(model, text, nearest):
            counts[UNSEEN_READING] += 1
        else:
            pairs = measures.alignment(nearest, verdict.answer.output or ())
            counts[of_edits(pair for pair in pairs if pair[0] != pair[1])] += 1
    return counts


def writable(model: Any, text: str, symbols: tuple[str, ...]) -> bool:
    """Whether there is any path for a transcription."""
    if not model.target.symbols.keys() >= {*symbols}:
        return False
    target = model.target.writing.join(symbols)
    return bool(model.score(text, target).log_probability > -math.inf)


def of_edits(pairs: Iterable[tuple[str, str]]) -> str:
    """The class that all edits are of; "" in a pair is nothing."""
    kinds = {kind(one, other) for one, other in pairs}
    return kinds.pop() if len(kinds) == 1 else SEVERAL


def kind(one: str, other: str) -> str:
    """The class of one edit."""
    (letters, marks), (others, other_marks) = divided(one), divided(other)
    if letters == others:
        differing = {*marks} ^ {*other_marks}
        if differing <= LENGTH:
            return "length"
        return "tone" if differing <= TONE | LENGTH else "marks"
    sounds = {
        ("vowels" if VOWELS & {*side} else "consonants") for side in (letters, others) if side
    }
    return sounds.pop() if len(sounds) == 1 else SEVERAL


def divided(symbol: str) -> tuple[str, str]:
    """The letters of a symbol, and its marks."""
    characters = unicodedata.normalize("NFD", symbol)
    plain = [character for character in characters if unicodedata.category(character) in LETTERS]
    return "".join(plain), "".join(c for c in characters if unicodedata.category(c) not in LETTERS)


LETTERS = ("Lu", "Ll", "Lo", "Lt")


def line(level: str, language: str, wer: float, classes: Mapping[str, float]) -> str:
    """A row of the table, in parts of a hundred words."""
    shares = "".join(f" {100 * classes.get(name, 0.0):10.2f}" for name in CLASSES)
    return f"{level:7} {language:10} {100 * wer:6.2f}{shares}"
