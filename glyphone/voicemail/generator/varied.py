"""Messages of the part `draw_varied`, which keep to no plan: more ways to say who calls, and where.

    [greeting][remark][caller][opener] sentences, distractors and numbers [closing], or the caller
    late or last

Callers have titles and trades, call for firms, or are somebody's mother; their phrases are whole
ones, never cut to a length. Openers are what is said next, put together from clauses, so that there
are thousands: where a phrase ends is told by what begins behind it. One message in four is written
with figures, as recognisers do. How often what happens is chosen here and stands for nothing but
variety: what is learnt from the part `train` alone knows its few structures too well.

>>> from glyphone.voicemail.generator.templates import Templates
>>> whole, phrase, name = draw_varied(Draws("e"), Templates("varied"))
>>> phrase[0] <= name[0] < name[1] <= phrase[1] <= len(whole.words)
True
"""

from __future__ import annotations

from dataclasses import replace

from glyphone.voicemail.generator.draws import Draws
from glyphone.voicemail.generator.messages import draw_body
from glyphone.voicemail.generator.pieces import Piece
from glyphone.voicemail.generator.templates import NAME, Templates
from glyphone.voicemail.records.messages import Span


def draw_varied(draws: Draws, templates: Templates) -> tuple[Piece, Span | None, Span | None]:
    """A message, its caller phrase and its caller's name; all may be empty."""
    if draws.chance("message.empty"):
        return Piece(), None, None
    draws.figures = draws.chance("varied.figures")
    start = templates.drawn(draws, "greeting").marked("greeting")
    if draws.chance("varied.remark"):
        start += templates.drawn(draws, "remark")
    before, caller, rest = Piece(), Piece(), draw_body(draws, templates)
    where = draws.word("varied.caller")
    if where != "nowhere":
        caller, name = split_name(templates.drawn(draws, f"caller.{where}"))
    if where == "late":
        before, rest = rest + templates.drawn(draws, "aside"), templates.drawn(draws, "body")
    elif where == "last":
        farewell = templates.drawn(draws, "farewell").marked("closing")
        before, rest = rest + farewell + templates.drawn(draws, "aside"), Piece()
    else:
        if draws.chance("varied.opener"):
            rest = templates.drawn(draws, "opener") + rest
        if draws.chance("message.closing"):
            rest += templates.drawn(draws, "closing").marked("closing")
    opening = start + before
    begin = len(opening.words)
    if where == "nowhere":
        return opening + rest, None, None
    return (
        opening + caller + rest,
        (begin, begin + len(caller.words)),
        None if name is None else (begin + name[0], begin + name[1]),
    )


def split_name(piece: Piece) -> tuple[Piece, Span | None]:
    """A piece without the mark of the name, and where that was."""
    names = [(mark.begin, mark.end) for mark in piece.marks if mark.kind == NAME]
    others = tuple(mark for mark in piece.marks if mark.kind != NAME)
    return replace(piece, marks=others), names[0] if names else None
