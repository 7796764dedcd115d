"""Answers of a teacher to words: lessons for a student, and the words without an answer.

>>> from glyphone.fst.transducers.model import TransducerModel
>>> from glyphone.fst.rules.cascade import cascade
>>> teacher = TransducerModel.of(cascade(letters="a b", phones="x y", rules=["a -> x", "b -> y"]))
>>> lessons = ask_teacher(teacher, ["ab", "ba", "ab", "zz"])
>>> [(item.text, *item.references) for item in lessons.items], lessons.repeated
([('ab', ('x', 'y')), ('ba', ('y', 'x'))], 1)
>>> [(silence.number, silence.text) for silence in lessons.silent]
[(3, 'zz')]
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.lexicons.named import named_lines
from glyphone.data.lexicons.splits import point_of_word
from glyphone.data.lines import first_column, read_lines
from glyphone.data.records import Pair, Symbols
from glyphone.data.writing import Writing
from glyphone.evaluation.verdicts import Item, answer_items
from glyphone.fst.interface.model import Model

Words = str | os.PathLike[str] | Iterable[str]


class NothingTaught(GlyphoneError):
    """There is no word that the teacher has an answer to."""


@dataclass(frozen=True)
class Silence:
    """A word without an answer, its number among those given (from 0), and why."""

    number: int
    text: str
    error: ItemError


@dataclass(frozen=True, eq=False)
class Lessons:
    """Words, each with the teacher's answer for its one reference and its number among those given.

    `pairs` are the same in symbols. `repeated` counts words that the teacher reads as an earlier
    one, `truncated` answers that a budget cut short.
    """

    items: tuple[Item, ...]
    pairs: tuple[Pair, ...]
    silent: tuple[Silence, ...]
    repeated: int = 0
    truncated: int = 0

    @cached_property
    def words(self) -> frozenset[Symbols]:
        """The words in symbols."""
        return frozenset(pair.source for pair in self.pairs)

    def split(self, held_out: float, *, seed: int) -> tuple[Lessons, Lessons]:
        """The words to learn and those that are held out: see
        `glyphone.data.lexicons.splits`."""
        kept = [point_of_word(pair.source, seed=seed) < 1 - held_out for pair in self.pairs]
        learnt, held = (
            Lessons(
                tuple(item for item, one in zip(self.items, kept, strict=True) if one == wanted),
                tuple(pair for pair, one in zip(self.pairs, kept, strict=True) if one == wanted),
                (),
            )
            for wanted in (True, False)
        )
        for part, how in ((held, "held out"), (learnt, "left to learn from")):
            if not part.items:
                raise GlyphoneError(
                    f"of {len(self.items)} words none is {how}",
                    # The first parts of named lexicons are what seed 0 does not hold out.
                    remedy=f"give more words, another share than {held_out:g}, or another seed",
                )
        return learnt, held


def ask_teacher(teacher: Model, words: Iterable[str], *, jobs: int | None = None) -> Lessons:
    """The teacher's best answer to each word; words that it reads alike are asked once."""
    writing = teacher.source.writing
    asked: dict[Symbols, Item] = {}
    silent = []
    repeated = 0
    for number, text in enumerate(words):
        key = read_as(text, writing)
        if not key:
            error = ItemError("the word is empty", item=text, remedy="leave it out")
            silent.append(Silence(number, text, error))
        elif key in asked:
            repeated += 1
        else:
            asked[key] = Item(text, (), (number,))
    items, pairs, truncated = [], [], 0
    answers = answer_items(teacher, tuple(asked.values()), 1, jobs)
    for (word, item), answer in zip(asked.items(), answers, strict=True):
        if answer.error is not None or answer.output is None:
            error = answer.error or ItemError("no answer", item=item.text, stage=teacher.name)
            silent.append(Silence(item.pairs[0], item.text, error))
            continue
        items.append(Item(item.text, (answer.output,), item.pairs))
        pairs.append(Pair(word, answer.output))
        truncated += answer.truncated
    silent.sort(key=lambda silence: silence.number)
    if not items:
        raise nothing_taught(teacher, silent)
    return Lessons(tuple(items), tuple(pairs), tuple(silent), repeated, truncated)


def read_as(text: str, writing: Writing) -> Symbols:
    """A word as a model reads it; words that it refuses stay as they are, for its own error."""
    try:
        return writing.split(text).symbols
    except ItemError:
        return (text,)


def nothing_taught(teacher: Model, silent: Sequence[Silence]) -> NothingTaught:
    if not silent:
        return NothingTaught("there are no words", remedy="give one or more, without answers")
    first = silent[0].error
    return NothingTaught(
        f"{first.message}; none of {len(silent)} words has an answer",
        item=silent[0].text,
        stage=teacher.name,
        symbol=first.symbol,
        offset=first.offset,
        remedy=first.remedy or "give words in the writing that it reads",
    )


def numbered_words(path: str | os.PathLike[str]) -> list[tuple[int, str]]:
    """The words of a file, one a line, with their lines; `-`, `.gz`, and `cmudict:train` too.

    Text behind a tab is ignored, and empty lines are skipped.
    """
    lines = named_lines(path) or read_lines(path)
    return [(number, word) for number, line in lines if (word := first_column(line))]
