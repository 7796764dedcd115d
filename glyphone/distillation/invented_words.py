"""Invented words that resemble given ones, for a teacher to answer too.

A teacher can be asked anything. From the letters of known words, each given the `ORDER` before it,
words are drawn that mix their beginnings, middles and ends, so that a student sees more letters in
more company than a list of words holds (as Breiman and Shang 1996 let new rows be labelled by what
a tree is to imitate).

>>> words = [tuple(word) for word in ("banana", "bandana", "cabana", "anagram", "program")]
>>> ["".join(word) for word in invent_words(words, 3, seed=0)]
['ana', 'cabanagram', 'cabandanagram']
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable

from glyphone.data import progress
from glyphone.data.records import Pair, Symbols
from glyphone.distillation.words import Lessons, NothingTaught, ask_teacher
from glyphone.fst.interface.model import Model

ORDER = 2
# Words run on no longer than this, and the search ends when so many draws brought nothing new.
LONGEST = 30
PATIENCE = 1000
EDGE = ""


@progress.step("inventing words")
def invent_words(
    words: Iterable[Symbols], n: int, *, seed: int, known: Collection[Symbols] = ()
) -> list[Symbols]:
    """Up to n distinct words that are neither among the words nor known."""
    after: dict[Symbols, list[str]] = {}
    given = list(words)
    for word in given:
        padded = (EDGE,) * ORDER + word + (EDGE,)
        for place in range(ORDER, len(padded)):
            after.setdefault(padded[place - ORDER : place], []).append(padded[place])
    invented: dict[Symbols, None] = {}
    passed = {*given, *known}
    chooser, vain = random.Random(seed), 0
    while len(invented) < n and vain < PATIENCE:
        drawn = draw_word(after, chooser)
        fresh = drawn is not None and drawn not in passed and drawn not in invented
        vain = 0 if fresh else vain + 1
        if drawn is not None and fresh:
            invented[drawn] = None
    return list(invented)


def draw_word(after: dict[Symbols, list[str]], chooser: random.Random) -> Symbols | None:
    """A word letter by letter; None if it would be too long."""
    history: Symbols = (EDGE,) * ORDER
    word: list[str] = []
    while len(word) <= LONGEST:
        letter = chooser.choice(after[history])
        if letter == EDGE:
            return tuple(word)
        word.append(letter)
        history = (*history[1:], letter)
    return None


def more_pairs(
    teacher: Model,
    lessons: Lessons,
    n: int,
    *,
    seed: int,
    known: Collection[Symbols],
    jobs: int | None = None,
) -> tuple[Pair, ...]:
    """Up to n invented words like those of lessons, with the teacher's answers, if it has one."""
    invented = invent_words([pair.source for pair in lessons.pairs], n, seed=seed, known=known)
    try:
        return ask_teacher(teacher, map(teacher.source.writing.join, invented), jobs=jobs).pairs
    except NothingTaught:
        return ()
