"""The templates that messages are made of, and what is drawn into their slots.

A template is a line of `data/voicemail/templates.tsv`: part, kind, text. {first} and {last} are
names of people; {month}, {day}, {hour}, {clock} and {hello} are words of their sort; {2-99} is a
number, {#5,6} are as many single digits; {role} is a piece of that kind. Of (one|the other) one is
taken. [Brackets] are around numbers that are no telephone numbers, and are marked so; <these> are
around a caller's name.

>>> from glyphone.voicemail.generator.draws import Draws
>>> price = Template.read("distractor.price", "about [{2-20} thousand] dollars")
>>> piece = Templates("train").filled(Draws("b"), price)
>>> " ".join(piece.words), piece.marks
('about fifteen thousand dollars', (Phrase(begin=1, end=3, kind='distractor.price'),))
>>> variants("(my|our (home|cell)) number is")
['my number is', 'our home number is', 'our cell number is']
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import cycle

from glyphone.data.lexicons.tsv import read_table
from glyphone.voicemail.generator.digits import cardinal, digit_words, ordinal
from glyphone.voicemail.generator.draws import Draws
from glyphone.voicemail.generator.people import NameLists, Part, people_of
from glyphone.voicemail.generator.pieces import Piece, join_pieces
from glyphone.voicemail.records.lists import FOLDER

# Which lines belong to a part.
LINES: dict[Part, tuple[str, ...]] = {
    "train": ("both", "paper", "train"),
    "varied": ("both", "paper", "train", "varied"),
    "test": ("both", "test"),
    "paper": ("both", "paper"),
}
FILLERS = ("uh", "um")
HELLOS = ("hi", "hello", "hey", "yeah", "yes", "good", "okay")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
MINUTES = (10, 15, 20, 30, 45)
OUTSIDE, INSIDE, OTHER, NAME = "", "distractor.", "distractor.word", "name"

_MARKED = re.compile(r"\[([^]]*)\]|<([^>]*)>")
_CHOICE = re.compile(r"\(([^()]*)\)")
_RANGE = re.compile(r"\{(\d+)-(\d+)\}")
_LENGTHS = re.compile(r"\{#([\d,]+)\}")


@dataclass(frozen=True)
class Template:
    """Words and slots in runs, with what each run is marked as; or a text with choices in it."""

    kind: str
    text: str
    runs: tuple[tuple[tuple[str, ...], str], ...]

    @classmethod
    def read(cls, kind: str, text: str) -> Template:
        mark = kind if kind.startswith(INSIDE) else OTHER
        # Outside, in square brackets, in angle brackets, outside ...
        parts = zip(_MARKED.split(text), cycle((OUTSIDE, mark, NAME)), strict=False)
        runs = ((tuple((part or "").split()), told) for part, told in parts)
        return cls(kind, text, tuple((words, told) for words, told in runs if words))

    @property
    def words(self) -> list[str]:
        """The words that stand in it as they are."""
        plain = re.sub(r"[][<>(|)]", " ", self.text)
        return [word for word in plain.split() if "{" not in word]

    def chosen(self, draws: Draws) -> Template:
        """It with a choice made wherever there is one, the inner ones first."""
        if "(" not in self.text:
            return self
        text, left = self.text, 1
        while left:
            text, left = _CHOICE.subn(lambda found: draws.one_of(found[1].split("|")), text)
        return Template.read(self.kind, text)


def variants(text: str) -> list[str]:
    """All that may be chosen of a text."""
    return [*dict.fromkeys(expand_choices(text))]  # inner choices come as often as outer ones


def expand_choices(text: str) -> Iterator[str]:
    found = _CHOICE.search(text)
    if found is None:
        yield " ".join(text.split())
        return
    for one in found[1].split("|"):
        yield from expand_choices(text[: found.start()] + one + text[found.end() :])


class Templates:
    """Those of one part of the corpus, with its people."""

    def __init__(self, part: Part, lists: NameLists = "own") -> None:
        self.part = part
        self.people = people_of(part, lists)
        self.kinds: dict[str, list[Template]] = defaultdict(list)
        for row_part, kind, text in template_rows():
            if row_part in LINES[part]:
                self.kinds[kind].append(Template.read(kind, text))

    def drawn(self, draws: Draws, kind: str) -> Piece:
        return self.filled(draws, draws.one_of(self.kinds[kind]))

    def fitted(self, draws: Draws, kind: str, length: int) -> Piece:
        """So many words: templates one behind the other, cut to them."""
        piece = Piece()
        while len(piece.words) < length:
            piece += self.drawn(draws, kind)
        return piece[:length]

    def filled(self, draws: Draws, template: Template) -> Piece:
        return join_pieces(
            Piece.of((word for slot in words for word in self.words(draws, slot)), kind)
            for words, kind in template.chosen(draws).runs
        )

    def words(self, draws: Draws, slot: str) -> tuple[str, ...]:
        """A word as it is, or what is drawn for a slot."""
        if "{" not in slot:
            return (slot,)
        if not slot.endswith("}"):  # {first}'s
            *before, last = self.words(draws, slot[: slot.index("}") + 1])
            return (*before, last + slot[slot.index("}") + 1 :])
        if bounds := _RANGE.fullmatch(slot):
            return count_words(draws, draws.between(int(bounds[1]), int(bounds[2])))
        if lengths := _LENGTHS.fullmatch(slot):
            length = int(draws.one_of(lengths[1].split(",")))
            zero = "oh" if draws.chance("number.oh") else "zero"
            digits = "".join(str(draws.between(0, 9)) for _ in range(length))
            return (digits,) if draws.figures else digit_words(digits, zero=zero)
        match slot:
            case "{first}":
                return (self.people.first.draw(draws.stream),)
            case "{last}":
                return (self.people.last.draw(draws.stream),)
            case "{hello}":
                return (draws.one_of(HELLOS),)
            case "{month}":
                return (draws.one_of(MONTHS),)
            case "{name}":
                return self.people.name(draws, draws.count("phrase.name"))
            case "{day}":
                way = draws.one_of((cardinal, ordinal))
                day = draws.between(1, 31)
                return (str(day),) if draws.figures else way(day)
            case "{hour}":
                return count_words(draws, draws.between(1, 12))
            case "{clock}":
                minutes = draws.one_of((None, *MINUTES))
                hour = draws.between(1, 12)
                if minutes is None:
                    return count_words(draws, hour)
                written = (f"{hour}:{minutes}",)
                return written if draws.figures else cardinal(hour) + cardinal(minutes)
        return self.drawn(draws, slot.strip("{}")).words


def count_words(draws: Draws, number: int) -> tuple[str, ...]:
    """A number in words, or in figures where the message is written with them."""
    return (str(number),) if draws.figures else cardinal(number)


@cache
def template_rows() -> list[tuple[str, ...]]:
    """The lines of the file: part, kind, text."""
    return read_table(FOLDER / "templates.tsv", columns=3)
