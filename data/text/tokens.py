"""Tokens of running text: words, numbers, addresses and marks, with offsets.

Words are those of Unicode Standard Annex 29, with the hyphens between their parts. Numbers keep
their separators, addresses of the web and of mail are whole, and an abbreviation has its dot. In
languages that write clitics with an apostrophe, these are tokens: do n't, l' arbre, dell' arte.

>>> [token.text for token in tokens_of_text("Dr. Smith didn't pay $3,500.50 (in U.S. money)...")]
['Dr.', 'Smith', "didn't", 'pay', '$', '3,500.50', '(', 'in', 'U.S.', 'money', ')', '...']
>>> [token.text for token in tokens_of_text("I can't, it's Ann's", "eng")]
['I', 'ca', "n't", ',', 'it', "'s", 'Ann', "'s"]
>>> [token.text for token in tokens_of_text("aujourd'hui l'arbre", "fra")]
["aujourd'hui", "l'", 'arbre']
>>> tokens_of_text("см. www.x.ru.", "rus")[1]
Token(text='www.x.ru', begin=4, end=12, kind='address')

A token is a word, number, address, mark or abbreviation. Between tokens stand white space, control
characters and invisible ones, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import regex

from glyphone.data.text.abbreviations import (
    NUMBER,
    Abbreviations,
    check_language,
    read_abbreviations,
)

WORD, MARK, ABBREVIATION = "word", "mark", "abbreviation"

# An address of the web ends before punctuation that would end a sentence or bracket it; the part of
# one of mail before the @ has 64 letters at most (RFC 5321).
_URL = r"(?:(?:https?|ftp)://|www\.)[^\s<>\"«»“”]*[^\s<>\"«»“”\p{P}]/?"
_MAIL = r"[\w.+%-]{1,64}+@\w[\w-]*+(?:\.\w[\w-]*+)+"
# Numbers in a row are cut, or a long one would be read again and again.
_NUMBER = r"(?>\d+(?:(?:[.,:/'’-]|[\u00a0\u202f](?=\d{3}\b))\d+){0,16})(?![\p{L}\p{M}_]|[-‐‑]\p{L})"
# A segment between boundaries of words, the first letter of which is one of a word.
_SEGMENT = r"[\p{L}\p{M}\p{N}_].*?\b"
_WORD = rf"{_SEGMENT}(?:\.?[-‐‑]{_SEGMENT})*"
# Clitics that stand alone: Dutch 's avonds, English 'em, and 's where a text has been cut before.
_CLITIC = r"(?<!\w)['’](?i:[stnkmdr]|ll|re|ve|em|tis|twas)\b(?!['’])"
_TOKEN = regex.compile(
    rf"(?V1ws)(?P<address>{_URL}|{_MAIL})|(?P<number>{_NUMBER})|(?P<word>{_CLITIC}|{_WORD})"
    r"|(?P<mark>([.\-–—*=_~#])\5+|[!?]+|(?![\s\p{Cc}\p{Cf}])\X)"
)
# Where the words of a language are cut: before clitics, or behind those that lose a vowel.
_CUTS = {
    "eng": regex.compile(r"(?i)(?<=\w)(?:(?=n['’]t$)|(?=['’](?:s|ll|re|ve|m|d)$))"),
    "fra": regex.compile(r"(?i)(?<=^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu)['’])(?=\w)"),
    "ita": regex.compile(r"(?<=^\p{L}+['’])(?=\w)"),
}
_NO_CUTS = regex.compile("(?!)")
_NUMBER_NEXT = regex.compile(r"\s*(?:\d|[IVXLCDM]+\b)")


@dataclass(frozen=True)
class Token:
    """A token, where it stands in the text, and what it is."""

    text: str
    begin: int
    end: int
    kind: str = WORD


def tokens_of_text(
    text: str, language: str = "", *, abbreviations: Abbreviations | None = None
) -> list[Token]:
    """The tokens of a text in a language (ISO 639-3), with its abbreviations or those given."""
    check_language(language)
    known = abbreviations or read_abbreviations(language)
    cuts = _CUTS.get(language, _NO_CUTS)
    found: list[Token] = []
    place = 0
    while match := _TOKEN.search(text, place):
        begin, place = match.span()
        kind = match.lastgroup
        if kind != WORD:
            found.append(Token(match[0], begin, place, kind))
            continue
        found += cut_word(match[0], begin, cuts)
        begin = found[-1].begin
        if has_dot(text, begin, place, known):
            place += 1
            found[-1] = Token(text[begin:place], begin, place, ABBREVIATION)
    return found


def has_dot(text: str, begin: int, end: int, known: Abbreviations) -> bool:
    """Whether a word is an abbreviation, and a dot that is no ellipsis follows it."""
    if text[end : end + 1] != "." or text[end + 1 : end + 2] == ".":
        return False
    kind = known.kind_of(text[begin:end])
    if kind == NUMBER and not _NUMBER_NEXT.match(text, end + 1):
        return end - begin == 1 and text[begin].isupper()
    return kind is not None


def cut_word(word: str, begin: int, cuts: regex.Pattern[str]) -> list[Token]:
    """A word that begins at a place, cut where its language cuts it."""
    bounds = [0, *(match.start() for match in cuts.finditer(word)), len(word)]
    return [Token(word[a:b], begin + a, begin + b) for a, b in pairwise(bounds)]
