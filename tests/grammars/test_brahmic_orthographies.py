"""Well-formed strings in eight scripts of India, defined a second time.

The letters are ranges of the code charts of Unicode and the words are regular expressions; nothing
here comes from the tables of the grammars.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from glyphone.data.lexicons.tsv import read_table

JOINER = "\u200d"
NEVER = "(?!)"
PLAIN = "{c}(?:{d}?{n}?{b}?|{v}(?!{i}))|{i}{n}?{b}?|{o}"
BEHIND_LETTER = "(?<=[^ {alone}-])"


def expanded(ranges: str) -> list[str]:
    """The strings of a list, ranges of assigned code points among them.

    >>> expanded("ક-ગ ક઼")
    ['ક', 'ખ', 'ગ', 'ક઼']
    """
    found: list[str] = []
    for part in ranges.split():
        if len(part) == 3 and part[1] == "-":
            points = map(chr, range(ord(part[0]), ord(part[2]) + 1))
            found += [point for point in points if unicodedata.category(point) != "Cn"]
        else:
            found.append(part)
    return found


@dataclass(frozen=True, kw_only=True)
class Orthography:
    """The letters of a script and the shape of its words.

    In `syllable`, {c} is a consonant, {d} a dependent vowel, {i} an independent one, {v} the
    virama, {n} a nasal, {b} a breath, {o} what stands alone. `few` has letters of every kind.
    """

    consonants: str
    dependent: str
    independent: str
    virama: str
    nasals: str = ""
    breaths: str = ""
    others: str = ""
    nukta: str = ""
    syllable: str = PLAIN
    few: str

    @cached_property
    def word(self) -> re.Pattern[str]:
        others = [" ", "-", *expanded(self.others)]
        parts = {
            "c": f"(?:{one_of(expanded(self.consonants))}{f'(?!{self.nukta})' * bool(self.nukta)})",
            "d": one_of(expanded(self.dependent)),
            "i": one_of(expanded(self.independent)),
            "n": one_of(expanded(self.nasals)),
            "b": one_of(expanded(self.breaths)),
            "v": self.virama,
            "o": one_of(others),
            "alone": "".join(expanded(self.others)),
        }
        return re.compile(f"(?:{self.syllable.format(**parts)})*")


def one_of(strings: list[str]) -> str:
    longest = sorted(strings, key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, longest)) or NEVER})"


ORTHOGRAPHIES = {
    "tam.tamil": Orthography(
        consonants="க-ஹ ஃப ஃஜ",
        dependent="ா-ௌ",
        independent="அ-ஔ",
        virama="்",
        breaths="ஃ",
        others="௦-௯ ௐ",
        syllable="{c}(?:{d}?(?:{b}(?![பஜ]))?|{v}(?!{i}))|{i}(?:{b}(?![பஜ]))?|{o}",
        few="கபஃஅா் ",
    ),
    "kan.kannada": Orthography(
        consonants="ಕ-ಹ ೞ ಫ಼ ಜ಼",
        dependent="ಾ-ೌ ೢ ೣ",
        independent="ಅ-ಔ ೠ ೡ",
        virama="್",
        nasals="ಁ ಂ",
        breaths="ಃ",
        others="೦-೯ ಽ",
        nukta="಼",
        few="ಫ಼ಅಾ್ಂಃ ",
    ),
    "ben.bengali": Orthography(
        consonants="ক-হ ড় ঢ় য়",
        dependent="া-ৌ ৢ ৣ",
        independent="অ-ঔ ৠ ৡ অ্যা",
        virama="্",
        nasals="ঁ ং",
        breaths="ঃ",
        others="০-৯ ঽ । ॥",
        nukta="়",
        syllable=f"র{JOINER}{{v}}(?=য)|{PLAIN}|{BEHIND_LETTER}(?<!ৎ)ৎ",
        few=f"রযঅা্ংৎ{JOINER} ",
    ),
    "tel.telugu": Orthography(
        consonants="క-హ ౘ ౙ",
        dependent="ా-ౌ ౢ ౣ",
        independent="అ-ఔ ౠ ౡ",
        virama="్",
        nasals="ఁ ం",
        breaths="ః",
        others="౦-౯ ఽ",
        few="కఅా్ంః ",
    ),
    "mal.malayalam": Orthography(
        consonants="ക-ഺ",
        dependent="ാ-ൈ ൊ ോ ൗ ൢ ൣ",
        independent="അ-ഔ ൠ ൡ",
        virama="്",
        nasals="ഁ ം",
        breaths="ഃ",
        others="൦-൯ ഽ",
        syllable=f"{PLAIN}|{BEHIND_LETTER}(?<![ൺ-ൿ])[ൺ-ൿ]",
        few="നറഅാ്ംൻ ",
    ),
    "guj.gujarati": Orthography(
        consonants="ક-હ ૹ ક઼ ખ઼ ગ઼ જ઼ ફ઼ ડ઼ ઢ઼",
        dependent="ા-ૌ ૢ ૣ",
        independent="અ-ઔ ૠ ૡ",
        virama="્",
        nasals="ઁ ં",
        breaths="ઃ",
        others="૦-૯ ઽ । ॥ ૐ",
        nukta="઼",
        few="ક઼અા્ંઃ ",
    ),
    "pan.gurmukhi": Orthography(
        consonants="ਕ-ਲ ਵ ਸ ਹ ੜ ਸ਼ ਖ਼ ਗ਼ ਜ਼ ਫ਼ ਲ਼ ਕ਼",
        dependent="ਾ-ੌ",
        independent="ਅ-ਔ",
        virama="੍",
        nasals="ਁ ਂ ੰ",
        breaths="ਃ",
        others="੦-੯ । ॥",
        nukta="਼",
        syllable="(?:{c}[ਿੁੂ]?|[ਅਇ])(?:[ਁੰ]?{b}?|ੱ(?={c}))|(?:{c}(?![ਿੁੂ]){d}|(?![ਅਇ]){i})"
        "(?:[ਁਂ]?{b}?|ੱ(?={c}))|{c}{v}(?!{i})|{o}",
        few="ਕ਼ਅਾਿ੍ਂੰੱ",
    ),
    "sin.sinhala": Orthography(
        consonants="ක-ෆ",
        dependent="ා-ෟ ෲ ෳ",
        independent="අ-ඖ",
        virama="්",
        nasals="ං ඁ",
        breaths="ඃ",
        others="෦-෯",
        syllable=f"{PLAIN}|{{c}}{{v}}{JOINER}(?={{c}})",
        few=f"කරඅා්ංඃ{JOINER}",
    ),
}

MALFORMED = {
    "tam.tamil": ["ா", "காி", "க்ா", "்", "அா", "கஃஃ", "ஃக", "க்அ"],
    "kan.kannada": ["ಾ", "ಕಾಿ", "ಕ್ಾ", "್", "ಅಾ", "ಕ್ಂ", "ಕಃಂ", "ಕ಼", "ಕ್ಅ"],
    "ben.bengali": ["া", "কাি", "ক্া", "্", "অা", "ক্ং", "ক়", "ৎ", " ৎ", "ক্অ", "অ্য", "ক্অ্যা", "ৎা"],
    "tel.telugu": ["ా", "కాి", "క్ా", "్", "అా", "క్ం", "కఃం", "క్అ"],
    "mal.malayalam": ["ാ", "കാി", "ക്ാ", "്", "അാ", "ക്ം", "ൻ", " ൻ", "അൻാ", "അ്", "ക്അ", "അൻം"],
    "guj.gujarati": ["ા", "કાિ", "ક્ા", "્", "અા", "ક્ં", "કઃં", "ન઼", "ક્અ"],
    "pan.gurmukhi": ["ਾ", "ਕਾਿ", "ਕ੍ਾ", "੍", "ਅਾ", "ਕ੍ੰ", "ਕੱ", "ੱਕ", "ਕੱੱਕ", "ਕੱ ਕ", "ਨ਼", "ਕ੍ਅ"],
    "sin.sinhala": ["ා", "කාි", "ක්ා", "්", "අා", "ක්ං", "කඃං", "ක්අ"],
}


@pytest.mark.parametrize("grammar", ORTHOGRAPHIES)
def test_golden_words_are_well_formed_and_malformed_ones_are_not(grammar):
    path = Path(__file__).parent / "golden" / f"{grammar}.TO_PHONES.tsv"
    word = ORTHOGRAPHIES[grammar].word
    cases = [row[0] for row in read_table(path, columns=2)]
    assert len(cases) >= 60
    assert [case for case in cases if not word.fullmatch(case)] == []
    assert [case for case in MALFORMED[grammar] if word.fullmatch(case)] == []
