"""Spaces between the words of a sentence in CoNLL-U, and in another order of its words.

In another order of words SpaceAfter=No stays between words that stay together, and where there is
punctuation that had no space on that side.

>>> from glyphone.data.treebanks.dependencies import Word
>>> forms = [("Ann", "_"), ("sees", "_"), ("it", "SpaceAfter=No"), ("!", "_")]
>>> words = (Word(form, misc=misc, upos="PUNCT" if form == "!" else "X") for form, misc in forms)
>>> sentence = Sentence(tuple(words))
>>> spaces_of(sentence, [1, 2, 0, 3])
[True, True, False, True]
>>> text_of(sentence)
'Ann sees it!'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from glyphone.data.records import Symbols
from glyphone.data.treebanks.dependencies import COLUMNS, NOTHING, PUNCTUATION, Sentence

_MISC = COLUMNS.index("misc")
_TOGETHER = "SpaceAfter=No"


def spaces_of(sentence: Sentence, order: Sequence[int]) -> list[bool]:
    """Whether a space follows each word in the new order."""
    written = [word.misc for word in sentence.words]
    for token in sentence.multiword:
        written[token.first - 1 : token.last] = [NOTHING] * (token.last - token.first)
        written.insert(token.last - 1, token.columns[_MISC])
    joined = [_TOGETHER in misc.split("|") for misc in written]
    dots = [word.upos == PUNCTUATION for word in sentence.words]
    found = []
    for here, there in zip(order, [*order[1:], None], strict=True):
        if there is None or there == here + 1 or (dots[here] and not dots[there]):
            found.append(not joined[here])
        else:
            found.append(not (dots[there] and there and joined[there - 1]))
    return found


def with_spaces(sentence: Sentence, spaces: Sequence[bool]) -> Sentence:
    """The sentence with SpaceAfter=No where no space follows, and only there."""
    inside = {n for token in sentence.multiword for n in range(token.first, token.last + 1)}
    words = (
        word if number in inside else replace(word, misc=_space_misc(word.misc, space=space))
        for number, (word, space) in enumerate(zip(sentence.words, spaces, strict=True), 1)
    )
    multiword = (
        replace(token, columns=_space_columns(token.columns, space=spaces[token.last - 1]))
        for token in sentence.multiword
    )
    return replace(sentence, words=tuple(words), multiword=tuple(multiword))


def _space_columns(columns: Symbols, *, space: bool) -> Symbols:
    return (*columns[:_MISC], _space_misc(columns[_MISC], space=space), *columns[_MISC + 1 :])


def _space_misc(misc: str, *, space: bool) -> str:
    parts = [part for part in misc.split("|") if part not in (_TOGETHER, NOTHING)]
    if (_TOGETHER in misc.split("|")) != space:
        return misc
    return "|".join(parts if space else [*parts, _TOGETHER]) or NOTHING


def text_of(sentence: Sentence) -> str:
    """The text of a sentence, by its multiword tokens and spaces."""
    starts = {token.first: token for token in sentence.multiword}
    pieces, covered = [], 0
    for number, word in enumerate(sentence.words, 1):
        if number <= covered:
            continue
        form, misc = word.form, word.misc
        if token := starts.get(number):
            form, misc, covered = token.columns[0], token.columns[_MISC], token.last
        pieces.append(form if _TOGETHER in misc.split("|") else form + " ")
    return "".join(pieces).strip()


def with_text(sentence: Sentence) -> Sentence:
    if not sentence.comment("text"):
        return sentence
    line = f"# text = {text_of(sentence)}"
    return replace(
        sentence,
        comments=tuple(
            line if Sentence((), (comment,)).comment("text") else comment
            for comment in sentence.comments
        ),
    )
