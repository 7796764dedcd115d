"""Pieces of a message: words with marked telephone numbers and other marked parts.

>>> piece = Piece.of(["the", "file"]) + Piece.of(["room", "two"], "distractor.room", begin=1)
>>> piece = piece.insert(3, ["uh"], "filler")
>>> " ".join(piece.words), [(mark.begin, mark.end, mark.kind) for mark in piece.marks]
('the file room uh two', [(3, 4, 'filler'), (4, 5, 'distractor.room')])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from glyphone.data.treebanks.chunks import Phrase
from glyphone.voicemail.records.messages import Number


@dataclass(frozen=True)
class Piece:
    words: tuple[str, ...] = ()
    numbers: tuple[Number, ...] = ()
    marks: tuple[Phrase, ...] = ()

    @classmethod
    def of(cls, words: Iterable[str], kind: str = "", *, begin: int = 0) -> Piece:
        """A piece of words; with a kind, the words from `begin` on are marked."""
        words = tuple(words)
        marked = bool(kind) and begin < len(words)
        return cls(words, marks=(Phrase(begin, len(words), kind),) if marked else ())

    def mark(self, kind: str) -> Piece:
        """The piece with a mark on all of its words."""
        return replace(self, marks=Piece.of(self.words, kind).marks + self.marks)

    def __add__(self, other: Piece) -> Piece:
        by = len(self.words)
        return Piece(
            self.words + other.words,
            self.numbers
            + tuple(replace(n, begin=n.begin + by, end=n.end + by) for n in other.numbers),
            self.marks + tuple(Phrase(m.begin + by, m.end + by, m.kind) for m in other.marks),
        )

    def __getitem__(self, part: slice) -> Piece:
        """A slice of the words, with the marks that are wholly inside."""
        begin, end, _ = part.indices(len(self.words))
        return Piece(
            self.words[part],
            tuple(
                replace(n, begin=n.begin - begin, end=n.end - begin)
                for n in self.numbers
                if begin <= n.begin and n.end <= end
            ),
            tuple(
                Phrase(m.begin - begin, m.end - begin, m.kind)
                for m in self.marks
                if begin <= m.begin and m.end <= end
            ),
        )

    def insert(self, place: int, words: Sequence[str], kind: str) -> Piece:
        """The piece with marked words inserted before a place; marks around the place grow."""
        by = len(words)

        def move(begin: int, end: int) -> tuple[int, int]:
            return begin + by * (begin >= place), end + by * (end > place)

        numbers = [(n, move(n.begin, n.end)) for n in self.numbers]
        return Piece(
            (*self.words[:place], *words, *self.words[place:]),
            tuple(replace(n, begin=begin, end=end) for n, (begin, end) in numbers),
            (
                Phrase(place, place + by, kind),
                *(Phrase(*move(m.begin, m.end), m.kind) for m in self.marks),
            ),
        )


def join_pieces(pieces: Iterable[Piece]) -> Piece:
    """One piece of several in order."""
    whole = Piece()
    for piece in pieces:
        whole += piece
    return whole
