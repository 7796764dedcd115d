"""One message: greeting, caller phrase, what it is about, telephone numbers, closing.

    [greeting][caller phrase] body sentences, distractors and numbers [closing]

after the corpus of Jansche and Abney (EMNLP 2002), whose totals and entropies the distributions
follow. Everything but names and months is in small letters.

>>> from glyphone.voicemail.generator.draws import Draws
>>> from glyphone.voicemail.generator.templates import Templates
>>> whole, phrase, name = message(Draws("d"), Templates("train"))
>>> " ".join(whole.words[slice(*phrase)]), " ".join(whole.words[slice(*name)])
('it is Jennifer Powell', 'Jennifer Powell')
"""

from __future__ import annotations

from itertools import cycle, islice

from glyphone.voicemail.generator.draws import Draws
from glyphone.voicemail.generator.numbers import again, telephone
from glyphone.voicemail.generator.pieces import Piece, joined
from glyphone.voicemail.generator.templates import FILLERS, Templates
from glyphone.voicemail.records.messages import Span

# Greetings up to here have templates of their own; those of more words are filled up.
SHORT_GREETING = 2


def message(draws: Draws, templates: Templates) -> tuple[Piece, Span | None, Span | None]:
    """A message, its caller phrase and its caller's name; all may be empty."""
    if draws.chance("message.empty"):
        return Piece(), None, None
    if draws.chance("message.caller"):
        start = greeting(draws, templates, draws.count("start"))
        phrase, name = caller(draws, templates)
    else:
        start = greeting(draws, templates, draws.count("no_caller"))
        phrase, name = Piece(), None
    rest = about(draws, templates)
    if draws.chance("message.closing"):
        rest += templates.drawn(draws, "closing").marked("closing")
    begin = len(start.words)
    return (
        start + phrase + rest,
        (begin, begin + len(phrase.words)) if phrase.words else None,
        None if name is None else (begin + name[0], begin + name[1]),
    )


def greeting(draws: Draws, templates: Templates, length: int) -> Piece:
    if length == 0:
        return Piece()
    if length <= SHORT_GREETING:
        return templates.drawn(draws, f"greeting.{length}").marked("greeting")
    opening = templates.fitted(draws, "greeting.long", length)
    rest = templates.fitted(draws, "body", length - len(opening.words))
    return (opening + rest).marked("greeting")


def caller(draws: Draws, templates: Templates) -> tuple[Piece, Span | None]:
    """The phrase, and where in it the name is."""
    if not draws.chance("phrase.named"):
        length = draws.count("phrase.nameless")
        return templates.drawn(draws, f"nameless.{length}"), None
    before = draws.count("phrase.prefix")
    prefix = templates.drawn(draws, f"prefix.{before}") if before else Piece()
    name = Piece.of(templates.people.name(draws, draws.count("phrase.name")))
    suffix = templates.fitted(draws, "suffix", draws.count("phrase.suffix"))
    return prefix + name + suffix, (before, before + len(name.words))


def about(draws: Draws, templates: Templates) -> Piece:
    """Sentences and distractors in any order, with numbers between them, mostly late."""
    segments = [hesitant(draws, piece) for piece in sentences(draws, templates)]
    for _ in range(draws.distractors()):
        segments.append(templates.drawn(draws, f"distractor.{draws.word('distractor')}"))
    segments = draws.shuffled(segments)
    numbers: list[list[Piece]] = [[] for _ in range(len(segments) + 1)]
    for _ in range(draws.count("message.numbers")):
        numbers[draws.place(len(segments))].append(introduced(draws, templates))
    return joined(
        piece
        for before, segment in zip(numbers, [*segments, Piece()], strict=True)
        for piece in (*before, segment)
    )


def sentences(draws: Draws, templates: Templates) -> list[Piece]:
    """None twice, as long as there are others."""
    order = draws.shuffled(templates.kinds["body"])
    chosen = islice(cycle(order), draws.sentences())
    return [templates.filled(draws, template) for template in chosen]


def hesitant(draws: Draws, piece: Piece) -> Piece:
    if draws.chance("body.repeated"):
        place = draws.between(0, len(piece.words) - 1)
        piece = piece.inserted(place, [piece.words[place]], "repeated")
    if draws.chance("body.filler"):
        place = draws.between(0, len(piece.words))
        piece = piece.inserted(place, [draws.one_of(FILLERS)], "filler")
    return piece


def introduced(draws: Draws, templates: Templates) -> Piece:
    """A number with what leads in to it; some are said again."""
    lead = Piece()
    if draws.chance("message.lead"):
        lead = templates.drawn(draws, "lead").marked("lead")
    piece = telephone(draws, templates)
    whole = lead + piece
    if piece.numbers[0].digits is not None and draws.chance("message.again"):
        whole += again(draws, templates, piece)
    return whole
