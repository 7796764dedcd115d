"""Messages of the part `varied`, with more forms and places of caller phrases.

    [greeting][remark][caller][opener] sentences, distractors and numbers [closing], or the caller
    late or last

Callers have titles and trades, call for firms, or are somebody's mother; their phrases are never
cut to a length. Openers are the sentences behind a caller, made of clauses in thousands of
combinations: the begin of an opener is evidence of the end of a phrase. One message in four has
figures, as recognisers write them. The distributions are chosen for variety alone: a model of the
part `train` alone relies on its few structures too much.

>>> from glyphone.voicemail.generator.templates import MessageTemplates
>>> whole, phrase, name = draw_varied(Draws("e"), MessageTemplates("varied"))
>>> phrase[0] <= name[0] < name[1] <= phrase[1] <= len(whole.words)
True
"""

from __future__ import annotations

from dataclasses import replace

from glyphone.voicemail.generator.draws import Draws
from glyphone.voicemail.generator.messages import draw_body
from glyphone.voicemail.generator.pieces import Piece
from glyphone.voicemail.generator.templates import NAME, MessageTemplates
from glyphone.voicemail.records.messages import Span


def draw_varied(
    draws: Draws, templates: MessageTemplates
) -> tuple[Piece, Span | None, Span | None]:
    """A message, its caller phrase and its caller's name; all may be empty."""
    if draws.chance("message.empty"):
        return Piece(), None, None
    draws.figures = draws.chance("varied.figures")
    start = templates.draw(draws, "greeting").mark("greeting")
    if draws.chance("varied.remark"):
        start += templates.draw(draws, "remark")
    before, caller, rest = Piece(), Piece(), draw_body(draws, templates)
    where = draws.word("varied.caller")
    if where != "nowhere":
        caller, name = split_name(templates.draw(draws, f"caller.{where}"))
    if where == "late":
        before, rest = rest + templates.draw(draws, "aside"), templates.draw(draws, "body")
    elif where == "last":
        farewell = templates.draw(draws, "farewell").mark("closing")
        before, rest = rest + farewell + templates.draw(draws, "aside"), Piece()
    else:
        if draws.chance("varied.opener"):
            rest = templates.draw(draws, "opener") + rest
        if draws.chance("message.closing"):
            rest += templates.draw(draws, "closing").mark("closing")
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
    """A piece without the mark of the name, and the span of the name, None without a mark."""
    names = [(mark.begin, mark.end) for mark in piece.marks if mark.kind == NAME]
    others = tuple(mark for mark in piece.marks if mark.kind != NAME)
    return replace(piece, marks=others), names[0] if names else None
