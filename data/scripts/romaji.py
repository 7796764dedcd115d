"""Romaji of Japanese names: the cuts between readings of characters, and words that are no romaji.

The channel of a name (Jansche & Sproat, "Named Entity Transcription with Pair n-Gram Models", NEWS
2009, section 7) gives each kanji a stretch of romaji. Between two stretches there is always a cut:
behind a vowel, behind an n that follows a vowel, between equal consonants, and between t and ch.

>>> split_romaji("abukawa"), split_romaji("matto"), split_romaji("matcha")
(('a', 'bu', 'ka', 'wa'), ('ma', 't', 'to'), ('ma', 't', 'cha'))

Both readings of an n are left open: shin|ichi and shi|nichi are spelt alike.

>>> split_romaji("shinichi")
('shi', 'n', 'i', 'chi')

A name with other syllables than those of Japanese is no Japanese name, and most such names are
Chinese in pinyin. Chinese names that Japanese syllables can spell (Ma, Hao) are not found so: of
the 351 pinyin syllables that surnames of one kanji have, 149 are found.

>>> [romaji_objection(name) for name in ("Ohtsubo Jun'ichirô", "Homma", "sya")]
[None, None, None]
>>> print(romaji_objection("Zhang Wei"))
item 'Zhang Wei': at 0: 'zhang' U+007A U+0068 U+0061 U+006E U+0067 is no Japanese syllable, but\
 pinyin, as is the whole word (leave Chinese names out, or write their Japanese readings)
"""

from __future__ import annotations

import re
import unicodedata

from glyphone.data.errors import ItemError

# Signs within a word that are no letters: they mark a cut, as in shin'ichi, or join two names.
SIGNS = "'’‘ʼ`-‐–"
MACRON, CIRCUMFLEX = "\u0304", "\u0302"

_BEHIND_PIECE = re.compile(r"(?<=[aiueo])|(?<=[aiueo]n)|(?<=([^aiueo]))(?=\1)|(?<=t)(?=ch)")

# All spellings at once: Hepburn, kunrei and nihon-shiki (si, tya, du), those of old books (kwa,
# dzu), h for a long vowel (Ohno, Satoh), m before lips (Homma).
_NATIVE = re.compile(
    r"""
      [kgsztdnhbpmr]?[aiueo] | [kgsztdnhbpmrj]y[auo] | (?:sh|ch|j)[aiuo] | (?:ts|f)u
    | dz[aiueo] | y[auo] | w[ao] | [kg]wa
    | n | m(?=[bmp]) | ([kgsztdbpjf])(?=\1) | [tc](?=ch) | (?<=[ou])h(?=[^aiueo]|$)
    """,
    re.VERBOSE,
)
# Syllables of loanwords, which young names have, and of old books (Inouye); Chen, Fan, Wei and Ye
# have them, too.
_RARE = re.compile(r"(?:sh|ch|j)e|f[aieo]|v[aiueo]|w[ie]|ye|h(?=h)|r(?=r)")
_TO_VOWEL = re.compile(r"[^aiueo]*[aiueo]?")

_FINALS = {
    "": "a ai an ang ao e ei en eng er o ou",
    "b": "a ai an ang ao ei en eng i ian iao ie in ing o u",
    "p": "a ai an ang ao ei en eng i ian iao ie in ing o ou u",
    "m": "a ai an ang ao e ei en eng i ian iao ie in ing iu o ou u",
    "f": "a an ang ei en eng o ou u",
    "d": "a ai an ang ao e ei en eng i ia ian iao ie ing iu ong ou u uan ui un uo",
    "t": "a ai an ang ao e ei eng i ian iao ie ing ong ou u uan ui un uo",
    "n": "a ai an ang ao e ei en eng i ian iang iao ie in ing iu ong ou u uan uo ue v ve",
    "l": "a ai an ang ao e ei eng i ia ian iang iao ie in ing iu o ong ou u uan ue un uo v ve",
    "g k h": "a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo",
    "j q x": "i ia ian iang iao ie in ing iong iu u uan ue un",
    "zh": "a ai an ang ao e ei en eng i ong ou u ua uai uan uang ui un uo",
    "ch": "a ai an ang ao e en eng i ong ou u ua uai uan uang ui un uo",
    "sh": "a ai an ang ao e ei en eng i ou u ua uai uan uang ui un uo",
    "r": "an ang ao e en eng i ong ou u ua uan ui un uo",
    "z c s": "a ai an ang ao e ei en eng i ong ou u uan ui un uo",
    "y": "a an ang ao e i in ing o ong ou u uan ue un",
    "w": "a ai an ang ei en eng o u",
}
_PINYIN = frozenset(
    initial + final
    for initials, finals in _FINALS.items()
    for initial in initials.split() or [""]
    for final in finals.split()
)
_LONGEST = max(map(len, _PINYIN))


def split_romaji(key: str) -> tuple[str, ...]:
    """The pieces of a key, cut wherever the reading of a character may end."""
    return tuple(piece for piece in _BEHIND_PIECE.sub(" ", key).split(" ") if piece)


def romaji_objection(text: str) -> ItemError | None:
    """The error of a text in Latin letters that is no Japanese name in romaji, or None."""
    word, places = "", list[int]()
    for place, character in enumerate(text + " "):
        if character.isspace():
            found = _word_objection(text, word, places)
            if found is not None:
                return found
            word, places = "", []
        elif character not in SIGNS:
            for letter in unicodedata.normalize("NFKD", character).lower():
                if letter in (MACRON, CIRCUMFLEX):
                    continue
                if not "a" <= letter <= "z":
                    return _no_letter(text, character, place)
                word += letter
                places.append(place)
    return None


def _no_letter(text: str, character: str, place: int) -> ItemError:
    marked = "a" <= unicodedata.normalize("NFKD", character)[0].lower() <= "z"
    if marked or unicodedata.combining(character):
        message = "is marked as no vowel of romaji is"
        remedy = "long vowels have a macron or circumflex; other marks are of other languages"
    else:
        message, remedy = "is no letter of romaji", "write the name in Latin letters"
    return ItemError(message, item=text, symbol=character, offset=place, remedy=remedy)


def _word_objection(text: str, word: str, places: list[int]) -> ItemError | None:
    at, rare = 0, False
    while at < len(word):
        match = _NATIVE.match(word, at)
        if match is None:
            match, rare = _RARE.match(word, at), True
        if match is None:
            break
        at = match.end()
    if at == len(word) and not (rare and word in _PINYIN):
        return None
    begin = 0
    for syllable in pinyin_syllables(word):
        if begin + len(syllable) > min(at, len(word) - 1):
            message = "is no Japanese syllable, but pinyin, as is the whole word"
            remedy = "leave Chinese names out, or write their Japanese readings"
            place = places[begin]
            return ItemError(message, item=text, symbol=syllable, offset=place, remedy=remedy)
        begin += len(syllable)
    message = "is no Japanese syllable"
    remedy = "check its spelling; if it is no Japanese name, leave it out"
    symbol = _TO_VOWEL.findall(word, at)[0]
    return ItemError(message, item=text, symbol=symbol, offset=places[at], remedy=remedy)


def pinyin_syllables(word: str) -> tuple[str, ...]:
    """The pinyin syllables of a word in small letters without tones, long ones first; or ().

    >>> pinyin_syllables("xian"), pinyin_syllables("zhangwei"), pinyin_syllables("yamada")
    (('xian',), ('zhang', 'wei'), ('ya', 'ma', 'da'))
    >>> pinyin_syllables("suzuki")
    ()
    """
    # ends[at] is where the first syllable of word[at:] ends; ü is typed v.
    ends = {len(word): len(word)}
    for at in reversed(range(len(word))):
        for end in range(min(at + _LONGEST, len(word)), at, -1):
            if end in ends and word[at:end] in _PINYIN:
                ends[at] = end
                break
    if 0 not in ends:
        return ()
    syllables, at = list[str](), 0
    while at < len(word):
        syllables.append(word[at : ends[at]])
        at = ends[at]
    return tuple(syllables)
