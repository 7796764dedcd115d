"""Telephone numbers in the words of callers, with their digits.

A number is spoken, in number words alone; worded, with "area code" or "extension"; or messy: with a
hesitation inside, with a wrong group of digits and its correction, with a fragment of a word, or
given up halfway. The digits follow the North American plan as numbers of real callers do.

>>> from glyphone.voicemail.generator.draws import Draws
>>> from glyphone.voicemail.generator.templates import MessageTemplates
>>> piece = draw_telephone(Draws("c"), MessageTemplates("train"))
>>> " ".join(piece.words), piece.numbers[0].digits, piece.numbers[0].manner
('eight five eight two two one three seven eight two', '8582213782', 'plain')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from glyphone.voicemail.generator.digits import group_words
from glyphone.voicemail.generator.draws import Draws
from glyphone.voicemail.generator.pieces import Piece, join_pieces
from glyphone.voicemail.generator.templates import FILLERS, MessageTemplates
from glyphone.voicemail.records.messages import Number, NumberKind

GROUPS = {4: (4,), 5: (5,), 6: (3, 3), 7: (3, 4), 10: (3, 3, 4)}
# The number of groups, area code and exchange, whose first digit is neither 0 nor 1.
FROM_TWO = {7: 1, 10: 2}
EXTENSION = 4
TOLL_FREE = "800"
WHOLE = slice(None)


@dataclass(frozen=True)
class DigitGroups:
    """Digits in groups, with the style of their words; `written` numbers are in figures."""

    digits: tuple[str, ...]
    style: str
    zero: str
    eight_hundred: bool = False
    written: bool = False

    def words(self, part: slice = WHOLE) -> tuple[str, ...]:
        if self.written:
            return self.digits[part]
        return tuple(word for group in self.digits[part] for word in self.say_group(group))

    def say_group(self, group: str) -> tuple[str, ...]:
        hundred = self.eight_hundred and group == TOLL_FREE
        return group_words(group, "hundred" if hundred else self.style, zero=self.zero)


def draw_telephone(draws: Draws, templates: MessageTemplates) -> Piece:
    """A number in words or figures, with the words behind it if it is given up."""
    kind = draws.word("number.kind")
    if kind == "worded":
        return draw_worded(draws)
    groups = draw_groups(draws, draws.count("number.length"))
    if kind == "messy":
        return draw_messy(draws, templates, groups)
    if draws.figures:
        return write_figures(draws, groups)
    return number_piece(groups.words(), groups.digits, kind="spoken", manner=groups.style)


def number_piece(
    words: Sequence[str],
    digits: Sequence[str] | None,
    *,
    kind: NumberKind,
    manner: str,
    extension: str = "",
) -> Piece:
    whole = None if digits is None else "".join(digits)
    record = Number(
        begin=0, end=len(words), digits=whole, extension=extension, kind=kind, manner=manner
    )
    return Piece(tuple(words), (record,))


def draw_groups(draws: Draws, length: int) -> DigitGroups:
    zero = "oh" if draws.chance("number.oh") else "zero"
    if length == 11:
        toll_free = draws.word("number.toll_free")
        rest = draw_groups(draws, 7)
        hundred = draws.chance("number.eight_hundred")
        return DigitGroups(("1", toll_free, *rest.digits), rest.style, zero, hundred)
    digits = tuple(
        draw_group(draws, size, first=2 if place < FROM_TWO.get(length, 0) else 0)
        for place, size in enumerate(GROUPS[length])
    )
    style = draws.word("number.style")
    digits, possible = fit_style(draws, digits, style)
    return DigitGroups(digits, style if possible else "plain", zero)


def draw_group(draws: Draws, size: int, *, first: int = 0) -> str:
    return "".join(str(draws.between(first if k == 0 else 0, 9)) for k in range(size))


def fit_style(draws: Draws, digits: tuple[str, ...], style: str) -> tuple[tuple[str, ...], bool]:
    """Digits changed so that their last group fits a style, and whether that is possible."""
    *others, last = digits
    head = str(draws.between(2, 9))
    if style == "hundred" and len(last) in (3, 4):
        round_ = (f"{head}000", f"{head}{draws.between(1, 9)}00")
        last = f"{head}00" if len(last) == 3 else draws.one_of(round_)
    elif style == "pairs" and len(last) == 4:
        last = "".join(f"{draws.between(10, 99)}" for _ in range(2))
    elif style == "double":
        last = last[:-2] + last[-2] * 2
    else:
        return digits, style == "plain"
    return (*others, last), True


def write_figures(draws: Draws, groups: DigitGroups) -> Piece:
    """A number in figures, as one word or a word for each group; some end in number words."""
    if draws.chance("varied.joined"):
        words = [draws.one_of(("-", "-", ".", "")).join(groups.digits)]
    elif len(groups.digits) > 1 and draws.chance("varied.mixed"):
        words = [*groups.digits[:-1], *groups.words(slice(-1, None))]
    else:
        words = [*groups.digits]
        if len(words) > 2 and draws.chance("varied.bracketed"):
            words[-3] = f"({words[-3]})"
    return number_piece(words, groups.digits, kind="written", manner="plain")


def draw_worded(draws: Draws) -> Piece:
    length = draws.count("number.worded_length")
    groups = replace(draw_groups(draws, length), written=draws.figures)
    words = groups.words()
    extended = length == 7 or (length == 10 and draws.chance("number.extension"))
    extension = replace(groups, digits=(draw_group(draws, EXTENSION),) if extended else ())
    opening = {10: ("area", "code"), EXTENSION: ("extension",)}.get(length, ())
    if extended:
        words = (*words, "extension", *extension.words())
    return number_piece(
        (*opening, *words),
        groups.digits,
        kind="worded",
        manner=groups.style,
        extension="".join(extension.digits),
    )


def draw_messy(draws: Draws, templates: MessageTemplates, groups: DigitGroups) -> Piece:
    mess = draws.word("number.mess")
    words = groups.words()
    whole = number_piece(words, groups.digits, kind="messy", manner=mess)
    if mess == "corrected":
        return draw_corrected(draws, templates, groups)
    inside = draws.between(1, len(words) - 1)
    if mess == "filler":
        return whole.insert(inside, [draws.one_of(FILLERS)], mess)
    if mess == "fragment":
        return whole.insert(inside, [words[inside][:2] + "-"], mess)
    half = number_piece(words[: (len(words) + 1) // 2], None, kind="messy", manner=mess)
    return half + templates.draw(draws, mess).mark(mess)


def draw_corrected(draws: Draws, templates: MessageTemplates, groups: DigitGroups) -> Piece:
    """A number in which a group has one wrong digit and is corrected behind a word of regret."""
    # Nobody corrects the 1 in front.
    at = draws.between(int(len(groups.digits[0]) == 1), len(groups.digits) - 1)
    right = groups.digits[at]
    place = draws.between(0, len(right) - 1)
    other = str((int(right[place]) + draws.between(1, 9)) % 10)
    wrong = replace(groups, digits=(right[:place] + other + right[place + 1 :],)).words()
    withdrawn = (*wrong, *templates.draw(draws, "correction").words)
    before = groups.words(slice(at))
    whole = join_pieces(
        [
            Piece.of(before),
            Piece.of(withdrawn, "correction"),
            Piece.of(groups.words(slice(at, None))),
        ]
    )
    marked = number_piece(whole.words, groups.digits, kind="messy", manner="corrected")
    return replace(marked, marks=whole.marks)


def repeat_number(draws: Draws, templates: MessageTemplates, said_before: Piece) -> Piece:
    """A number repeated without its mess, behind words such as "again"."""
    (before,) = said_before.numbers
    assert before.digits is not None
    if before.kind == "messy":
        plain = DigitGroups((before.digits,), "plain", "zero").words()
        said_again = number_piece(plain, [before.digits], kind="spoken", manner="plain")
    else:
        said_again = said_before
    (same,) = said_again.numbers
    repeated = Piece(said_again.words, (replace(same, again=True),))
    return templates.draw(draws, "again").mark("again") + repeated
