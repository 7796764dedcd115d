"""Pieces of a message: words, and the telephone numbers and other parts that are marked in them.

>>> piece = Piece.of(["the", "file"]) + Piece.of(["room", "two"], "distractor.room", begin=1)
>>> piece = piece.inserted(3, ["uh"], "filler")
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
        """Words, those from `begin` on marked if there is a kind and any of them."""
        words = tuple(words)
        marked = bool(kind) and begin < len(words)
        return cls(words, marks=(Phrase(begin, len(words), kind),) if marked else ())

    def marked(self, kind: str) -> Piece:
        """It with all of its words marked."""
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
        """Words of it, with what is marked wholly within them."""
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

    def inserted(self, place: int, words: Sequence[str], kind: str) -> Piece:
        """It with marked words put before one of its own; parts on both sides grow by them."""
        by = len(words)

        def moved(begin: int, end: int) -> tuple[int, int]:
            return begin + by * (begin >= place), end + by * (end > place)

        numbers = [(n, moved(n.begin, n.end)) for n in self.numbers]
        return Piece(
            (*self.words[:place], *words, *self.words[place:]),
            tuple(replace(n, begin=begin, end=end) for n, (begin, end) in numbers),
            (
                Phrase(place, place + by, kind),
                *(Phrase(*moved(m.begin, m.end), m.kind) for m in self.marks),
            ),
        )


def join_pieces(pieces: Iterable[Piece]) -> Piece:
    """Pieces one behind the other."""
    whole = Piece()
    for piece in pieces:
        whole += piece
    return whole
