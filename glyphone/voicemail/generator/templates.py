"""Templates of messages, and random words for their slots.

A template is a line of `data/voicemail/templates.tsv`: part, kind, text. {first} and {last} are
names of people; {month}, {day}, {hour}, {clock} and {hello} are words of their sort; {2-99} is a
number from 2 to 99, {#5,6} are 5 or 6 single digits; {role} is a piece of that kind. One of
(one|the other) is drawn. [Brackets] mark numbers that are no telephone numbers; <angle brackets>
mark the name of a caller.

>>> from glyphone.voicemail.generator.draws import Draws
>>> price = Template.read("distractor.price", "about [{2-20} thousand] dollars")
>>> piece = MessageTemplates("train").fill(Draws("b"), price)
>>> " ".join(piece.words), piece.marks
('about fifteen thousand dollars', (Phrase(begin=1, end=3, kind='distractor.price'),))
>>> template_variants("(my|our (home|cell)) number is")
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
from glyphone.voicemail.generator.digits import cardinal_words, digit_words, ordinal_words
from glyphone.voicemail.generator.draws import Draws
from glyphone.voicemail.generator.people import CorpusPart, NameLists, people_of
from glyphone.voicemail.generator.pieces import Piece, join_pieces
from glyphone.voicemail.records.lists import FOLDER

# The parts of lines that each part of the corpus uses.
LINES: dict[CorpusPart, tuple[str, ...]] = {
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
    """Words and slots in runs, with the mark of each run; `text` may have choices."""

    kind: str
    text: str
    runs: tuple[tuple[tuple[str, ...], str], ...]

    @classmethod
    def read(cls, kind: str, text: str) -> Template:
        mark = kind if kind.startswith(INSIDE) else OTHER
        # Outside, in square brackets, in angle brackets, outside ...
        parts = zip(_MARKED.split(text), cycle((OUTSIDE, mark, NAME)), strict=False)
        runs = ((tuple((part or "").split()), part_mark) for part, part_mark in parts)
        return cls(kind, text, tuple((words, part_mark) for words, part_mark in runs if words))

    @property
    def words(self) -> list[str]:
        """The words of the text outside slots."""
        plain = re.sub(r"[][<>(|)]", " ", self.text)
        return [word for word in plain.split() if "{" not in word]

    def choose(self, draws: Draws) -> Template:
        """The template with an alternative drawn for each choice, inner choices first."""
        if "(" not in self.text:
            return self
        text, left = self.text, 1
        while left:
            text, left = _CHOICE.subn(lambda match: draws.one_of(match[1].split("|")), text)
        return Template.read(self.kind, text)


def template_variants(text: str) -> list[str]:
    """All texts that choices in a text allow, each once."""
    return [*dict.fromkeys(expand_choices(text))]  # inner choices come as often as outer ones


def expand_choices(text: str) -> Iterator[str]:
    choice = _CHOICE.search(text)
    if choice is None:
        yield " ".join(text.split())
        return
    for alternative in choice[1].split("|"):
        yield from expand_choices(text[: choice.start()] + alternative + text[choice.end() :])


class MessageTemplates:
    """The templates and the people of one part of the corpus."""

    def __init__(self, part: CorpusPart, lists: NameLists = "own") -> None:
        self.part = part
        self.people = people_of(part, lists)
        self.kinds: dict[str, list[Template]] = defaultdict(list)
        for row_part, kind, text in template_rows():
            if row_part in LINES[part]:
                self.kinds[kind].append(Template.read(kind, text))

    def draw(self, draws: Draws, kind: str) -> Piece:
        return self.fill(draws, draws.one_of(self.kinds[kind]))

    def draw_words(self, draws: Draws, kind: str, length: int) -> Piece:
        """A piece of `length` words: templates in a row, the last one cut."""
        piece = Piece()
        while len(piece.words) < length:
            piece += self.draw(draws, kind)
        return piece[:length]

    def fill(self, draws: Draws, template: Template) -> Piece:
        return join_pieces(
            Piece.of((word for slot in words for word in self.slot_words(draws, slot)), kind)
            for words, kind in template.choose(draws).runs
        )

    def slot_words(self, draws: Draws, slot: str) -> tuple[str, ...]:
        """The words of a slot, drawn at random; a plain word itself."""
        if "{" not in slot:
            return (slot,)
        if not slot.endswith("}"):  # {first}'s
            *before, last = self.slot_words(draws, slot[: slot.index("}") + 1])
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
                return self.people.draw_name(draws, draws.count("phrase.name"))
            case "{day}":
                way = draws.one_of((cardinal_words, ordinal_words))
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
                return written if draws.figures else cardinal_words(hour) + cardinal_words(minutes)
        return self.draw(draws, slot.strip("{}")).words


def count_words(draws: Draws, number: int) -> tuple[str, ...]:
    """A number in words, or in figures in a message with figures."""
    return (str(number),) if draws.figures else cardinal_words(number)


@cache
def template_rows() -> list[tuple[str, ...]]:
    """The lines of the file: part, kind, text."""
    return read_table(FOLDER / "templates.tsv", columns=3)
