"""The templates that messages are made of, and what is drawn into their slots.

A template is a line of `data/voicemail/templates.tsv`: part, kind, text. {first} and {last} are
names of people; {month}, {day}, {hour}, {clock} and {hello} are words of their sort; {2-99} is a
number, {#5,6} are as many single digits. [Brackets] are around numbers that are no telephone
numbers, and are marked so.

>>> from glyphone.voicemail.generator_draws import Draws
>>> price = Template.read("distractor.price", "about [{2-20} thousand] dollars")
>>> piece = Templates("train").filled(Draws("b"), price)
>>> " ".join(piece.words), piece.marks
('about fifteen thousand dollars', (Phrase(begin=1, end=3, kind='distractor.price'),))
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache

from glyphone.data.lexicon import read_table
from glyphone.voicemail.generator_digits import cardinal, ordinal, said_plain
from glyphone.voicemail.generator_draws import FOLDER, Draws
from glyphone.voicemail.generator_people import Lists, Part, people
from glyphone.voicemail.generator_pieces import Piece, joined

# Which lines belong to a part.
LINES: dict[Part, tuple[str, ...]] = {
    "train": ("both", "paper", "train"),
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
OUTSIDE, INSIDE, OTHER = "", "distractor.", "distractor.word"

_MARKED = re.compile(r"\[([^]]*)\]")
_RANGE = re.compile(r"\{(\d+)-(\d+)\}")
_LENGTHS = re.compile(r"\{#([\d,]+)\}")


@dataclass(frozen=True)
class Template:
    """Words and slots in runs, with what each run is marked as."""

    runs: tuple[tuple[tuple[str, ...], str], ...]

    @classmethod
    def read(cls, kind: str, text: str) -> Template:
        mark = kind if kind.startswith(INSIDE) else OTHER
        parts = enumerate(_MARKED.split(text))  # every other one was in brackets
        runs = ((tuple(part.split()), mark if place % 2 else OUTSIDE) for place, part in parts)
        return cls(tuple((words, kind) for words, kind in runs if words))

    def __len__(self) -> int:
        """Words, where every slot has one."""
        return sum(len(words) for words, _ in self.runs)

    @property
    def words(self) -> list[str]:
        """The words that stand in it as they are."""
        return [word for words, _ in self.runs for word in words if "{" not in word]


class Templates:
    """Those of one part of the corpus, with its people."""

    def __init__(self, part: Part, lists: Lists = "own") -> None:
        self.part = part
        self.people = people(part, lists)
        self.kinds: dict[str, list[Template]] = defaultdict(list)
        for row_part, kind, text in rows():
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
        return joined(
            Piece.of((word for slot in words for word in self.words(draws, slot)), kind)
            for words, kind in template.runs
        )

    def words(self, draws: Draws, slot: str) -> tuple[str, ...]:
        """A word as it is, or what is drawn for a slot."""
        if "{" not in slot:
            return (slot,)
        if bounds := _RANGE.fullmatch(slot):
            return cardinal(draws.between(int(bounds[1]), int(bounds[2])))
        if lengths := _LENGTHS.fullmatch(slot):
            length = int(draws.one_of(lengths[1].split(",")))
            zero = "oh" if draws.chance("number.oh") else "zero"
            return said_plain("".join(str(draws.between(0, 9)) for _ in range(length)), zero=zero)
        match slot:
            case "{first}":
                return (self.people.first.draw(draws.stream),)
            case "{last}":
                return (self.people.last.draw(draws.stream),)
            case "{hello}":
                return (draws.one_of(HELLOS),)
            case "{month}":
                return (draws.one_of(MONTHS),)
            case "{day}":
                return draws.one_of((cardinal, ordinal))(draws.between(1, 31))
            case "{hour}":
                return cardinal(draws.between(1, 12))
            case "{clock}":
                minutes = draws.one_of((None, *MINUTES))
                hour = cardinal(draws.between(1, 12))
                return hour if minutes is None else hour + cardinal(minutes)
        raise AssertionError(slot)


@cache
def rows() -> list[tuple[str, ...]]:
    """The lines of the file: part, kind, text."""
    return read_table(FOLDER / "templates.tsv", columns=3)
