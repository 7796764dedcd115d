"""Messages of a fixed structure: greeting, caller phrase, body with telephone numbers, closing.

    [greeting][caller phrase] body sentences, distractors and numbers [closing]

The distributions follow the totals and entropies of the corpus of Jansche and Abney (EMNLP 2002).
All words but names and months are in small letters.

>>> from glyphone.voicemail.generator.draws import Draws
>>> from glyphone.voicemail.generator.templates import MessageTemplates
>>> whole, phrase, name = draw_message(Draws("d"), MessageTemplates("train"))
>>> " ".join(whole.words[slice(*phrase)]), " ".join(whole.words[slice(*name)])
('it is Jennifer Powell', 'Jennifer Powell')
"""

from __future__ import annotations

from itertools import cycle, islice

from glyphone.voicemail.generator.draws import Draws
from glyphone.voicemail.generator.numbers import draw_telephone, repeat_number
from glyphone.voicemail.generator.pieces import Piece, join_pieces
from glyphone.voicemail.generator.templates import FILLERS, MessageTemplates
from glyphone.voicemail.records.messages import Span

# Greetings of up to so many words have templates of their own; longer ones are filled up.
SHORT_GREETING = 2


def draw_message(
    draws: Draws, templates: MessageTemplates
) -> tuple[Piece, Span | None, Span | None]:
    """A message, its caller phrase and its caller's name; all may be empty."""
    if draws.chance("message.empty"):
        return Piece(), None, None
    if draws.chance("message.caller"):
        start = draw_greeting(draws, templates, draws.count("start"))
        phrase, name = draw_caller(draws, templates)
    else:
        start = draw_greeting(draws, templates, draws.count("no_caller"))
        phrase, name = Piece(), None
    rest = draw_body(draws, templates)
    if draws.chance("message.closing"):
        rest += templates.draw(draws, "closing").mark("closing")
    begin = len(start.words)
    return (
        start + phrase + rest,
        (begin, begin + len(phrase.words)) if phrase.words else None,
        None if name is None else (begin + name[0], begin + name[1]),
    )


def draw_greeting(draws: Draws, templates: MessageTemplates, length: int) -> Piece:
    if length == 0:
        return Piece()
    if length <= SHORT_GREETING:
        return templates.draw(draws, f"greeting.{length}").mark("greeting")
    opening = templates.draw_words(draws, "greeting.long", length)
    rest = templates.draw_words(draws, "body", length - len(opening.words))
    return (opening + rest).mark("greeting")


def draw_caller(draws: Draws, templates: MessageTemplates) -> tuple[Piece, Span | None]:
    """A caller phrase, and the span of the name in it, None if it has none."""
    if not draws.chance("phrase.named"):
        length = draws.count("phrase.nameless")
        return templates.draw(draws, f"nameless.{length}"), None
    before = draws.count("phrase.prefix")
    prefix = templates.draw(draws, f"prefix.{before}") if before else Piece()
    name = Piece.of(templates.people.draw_name(draws, draws.count("phrase.name")))
    suffix = templates.draw_words(draws, "suffix", draws.count("phrase.suffix"))
    return prefix + name + suffix, (before, before + len(name.words))


def draw_body(draws: Draws, templates: MessageTemplates) -> Piece:
    """Sentences and distractors in random order, with numbers between them, mostly late."""
    segments = [add_hesitations(draws, piece) for piece in draw_sentences(draws, templates)]
    for _ in range(draws.distractor_count()):
        segments.append(templates.draw(draws, f"distractor.{draws.word('distractor')}"))
    segments = draws.shuffle(segments)
    numbers: list[list[Piece]] = [[] for _ in range(len(segments) + 1)]
    for _ in range(draws.count("message.numbers")):
        numbers[draws.number_place(len(segments))].append(draw_introduced_number(draws, templates))
    return join_pieces(
        piece
        for before, segment in zip(numbers, [*segments, Piece()], strict=True)
        for piece in (*before, segment)
    )


def draw_sentences(draws: Draws, templates: MessageTemplates) -> list[Piece]:
    """Sentences without repetition, unless the templates run out."""
    order = draws.shuffle(templates.kinds["body"])
    chosen = islice(cycle(order), draws.sentence_count())
    return [templates.fill(draws, template) for template in chosen]


def add_hesitations(draws: Draws, piece: Piece) -> Piece:
    if draws.chance("body.repeated"):
        place = draws.between(0, len(piece.words) - 1)
        piece = piece.insert(place, [piece.words[place]], "repeated")
    if draws.chance("body.filler"):
        place = draws.between(0, len(piece.words))
        piece = piece.insert(place, [draws.one_of(FILLERS)], "filler")
    return piece


def draw_introduced_number(draws: Draws, templates: MessageTemplates) -> Piece:
    """A number, perhaps with words that introduce it; some numbers are repeated."""
    lead = Piece()
    if draws.chance("message.lead"):
        lead = templates.draw(draws, "lead").mark("lead")
    piece = draw_telephone(draws, templates)
    whole = lead + piece
    if piece.numbers[0].digits is not None and draws.chance("message.again"):
        whole += repeat_number(draws, templates, piece)
    return whole
