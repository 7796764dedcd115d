"""Rules for the scripts of India, made from tables: letters to and from phones, one for one.

The scripts that descend from Brahmi are written alike: a consonant letter stands for its consonant
and an inherent vowel; a dependent sign puts another vowel in its place, a virama removes it, and a
vowel that follows no consonant has an independent letter. A script is thus a table of its
consonants, its vowels, the signs that follow a vowel, and the letters that stand alone, and the
rules here are the same for all. They are the rules of ISO 15919:2001, with phones in place of Latin
letters: each letter is one phone, and the inherent vowel is explicit.

Well-formed strings are the repetitions of these parts:

    of letters                                             of phones
    consonant dependent? nasal? breath?                    consonant vowel nasal? breath?
    consonant virama, no independent vowel behind it       consonant, no vowel behind it
    independent nasal? breath?                             vowel nasal? breath?
    other                                                  other

The rules give no output for anything else (two vowel signs on a consonant, a vowel sign at the
beginning, an anusvara behind a virama), and between the well-formed strings they are one-to-one:
a vowel behind a consonant is a dependent sign, any other is an independent letter, and a consonant
with no vowel behind it has a virama. A virama before an independent vowel is kept out because it
would be a second spelling of the dependent sign.

A script has a few spellings of its own besides. `links` and `written` are its rules for them: their
letters become phones before the common rules apply, and they hold in both directions.

Joiners (U+200C, U+200D) choose between shapes of the same letters. They are dropped, so that a
word that holds one comes back without it, but where a script tells words apart by them: there the
rules of `links` make of a joiner the phone ‿.

>>> from glyphone.fst.rules.interpreter import run
>>> vowels = vowel_table("अ ə क  इ ɪ कि")
>>> tiny = BrahmicScript(consonants=letter_table("क k"), vowels=vowels, virama="्")
>>> [" ".join(run(tiny.to_phones(), tuple(word))[0].output) for word in ("कइ", "क्कि")]
['k ə ɪ', 'k k ɪ']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from glyphone.fst.rules.cascade import Cascade, cascade
from glyphone.grammars.notation import symbol_set

NONJOINER, JOINER = "\u200c", "\u200d"
LINK = "‿"
BETWEEN = {" ": "|", "-": "-"}

RULES = """
; 1. A letter with a nukta is one consonant, a letter without it another.
DOTTED -> DOTTEDPHONE
PLAIN -> PLAINPHONE

; 2. A consonant without dependent vowel and virama has the inherent vowel.
∅ -> INHERENT / CONSONANT _ (# | ANY - {DEPENDENT VIRAMA})

; 3. A dependent vowel is the vowel of its consonant.
DEPENDENT -> DEPENDENTPHONE / CONSONANT _

; 4. A virama only says that there is no vowel. It stays, and so the word has no output, where
;    there is one after all or where there is no consonant to take it from.
VIRAMA -> ∅ / CONSONANT _ (# | ANY - {INDEPENDENT VOWEL}) [simultaneous]

; 5. An independent vowel is a syllable of its own.
INDEPENDENT -> INDEPENDENTPHONE

; 6. A nasal and a breath follow a vowel, in this order.
NASAL -> NASALPHONE / VOWEL _
BREATH -> BREATHPHONE / (VOWEL | NASALPHONE) _

; 7. Digits, punctuation and other signs stand by themselves.
OTHER -> OTHERPHONE
"""


class Vowel(NamedTuple):
    independent: str
    phone: str
    dependent: str


def letter_table(text: str) -> dict[str, str]:
    """A table of letters and phones in turn.

    >>> letter_table("क k  ख kʰ")
    {'क': 'k', 'ख': 'kʰ'}
    """
    columns = text.split()
    return dict(zip(columns[::2], columns[1::2], strict=True))


def vowel_table(text: str) -> list[Vowel]:
    """A table of vowels: independent letter, phone, and any consonant carrying the dependent sign.

    A consonant alone is for the inherent vowel; - for one that is never dependent, or never
    independent.
    """
    columns = text.split()
    rows = zip(columns[::3], columns[1::3], columns[2::3], strict=True)
    return [Vowel(letter.strip("-"), phone, carried[1:]) for letter, phone, carried in rows]


def digit_table(zero: str) -> dict[str, str]:
    """The ten digits of a script, in the order of Unicode, by the first of them.

    >>> digit_table("०")["९"]
    '9'
    """
    return {chr(ord(zero) + number): str(number) for number in range(10)}


@dataclass(frozen=True, kw_only=True)
class BrahmicScript:
    """The tables of one script, letters to phones; the first vowel is the inherent one.

    A consonant may be two code points, a letter and its nukta, where NFC leaves them apart.
    `respelt` has rules for spellings that are read as others, `links` rules for joiners that are
    not dropped, `written` rules that are particular to the script. `letters` and `phones` are the
    symbols of `links` and `written` outside the tables, `older` the letters of `respelt` alone. All
    rules can use the names of `definitions`.
    """

    consonants: Mapping[str, str]
    vowels: Sequence[Vowel]
    virama: str
    nasals: Mapping[str, str] = field(default_factory=dict)
    breaths: Mapping[str, str] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)
    respelt: str = ""
    links: str = ""
    written: str = ""
    letters: Sequence[str] = ()
    phones: Sequence[str] = ()
    older: Sequence[str] = ()

    def to_phones(self) -> Cascade:
        joiners = [NONJOINER, JOINER]
        dropped = f"{symbol_set(joiners)} -> ∅"
        rules = [self.respelt, self.links, dropped, self.written]
        return self.make_cascade(rules, [*self.older, *joiners])

    def from_phones(self) -> Cascade:
        """The inverse of `to_phones` on letters that are neither respelt nor dropped."""
        return self.make_cascade([self.links, self.written], []).inverse(partial=True)

    def make_cascade(self, first: list[str], extra: list[str]) -> Cascade:
        """The common rules behind the `first` ones; `extra` are letters of these."""
        changes = self.changes()
        phones = [phone for change in changes.values() for phone in change.values()]
        code_points = [point for change in changes.values() for point in "".join(change)]
        return cascade(
            letters=dict.fromkeys([*code_points, self.virama, *self.letters, *extra]),
            phones=dict.fromkeys([*phones, *(v.phone for v in self.vowels), *self.phones]),
            rules=[self.definitions(), *first, self.rules()],
            partial=True,
        )

    def changes(self) -> dict[str, dict[str, str]]:
        """Phones of letters, by the names of the classes of letters in the rules."""
        dotted = {letters: phone for letters, phone in self.consonants.items() if len(letters) > 1}
        return {
            "PLAIN": {c: phone for c, phone in self.consonants.items() if c not in dotted},
            "DOTTED": dotted,
            "INDEPENDENT": {v.independent: v.phone for v in self.vowels if v.independent},
            "DEPENDENT": {v.dependent: v.phone for v in self.vowels if v.dependent},
            "NASAL": dict(self.nasals),
            "BREATH": dict(self.breaths),
            "OTHER": dict(self.others),
        }

    def definitions(self) -> str:
        syllabic = [c for name, change in self.changes().items() if name != "OTHER" for c in change]
        lines = [
            f"SYLLABIC = {symbol_set(dict.fromkeys([*''.join(syllabic), self.virama]))}",
            f"CONSONANT = {symbol_set((phone,) for phone in self.consonants.values())}",
            f"VOWEL = {symbol_set((vowel.phone,) for vowel in self.vowels)}",
            f"INHERENT = {symbol_set([(self.vowels[0].phone,)])}",
            f"VIRAMA = {symbol_set([self.virama])}",
        ]
        for name, change in self.changes().items():
            lines.append(f"{name} = {symbol_set(change)}")
            lines.append(f"{name}PHONE = {symbol_set((phone,) for phone in change.values())}")
        return "\n".join(lines)

    def rules(self) -> str:
        """The common rules, without rules for classes of letters that the script lacks."""
        absent = {name for name, change in self.changes().items() if not change}
        return "\n".join(rule for rule in RULES.split("\n") if rule.partition(" ")[0] not in absent)
