"""Keys of Japanese names: one spelling for all that kana and romaji write of one reading.

Names are typed in Hepburn, in kunrei and nihon-shiki (Cabinet Notification 1 of 1954, ISO 3602),
and as passports have them: Hepburn without long vowels, with OH for a long o where people ask for
it. The surname 大塚 is Ōtsuka, Ôtuka, Otsuka, Ohtsuka, Ootsuka and おおつか. A model that restores
kanji has to find all of them, so it knows readings by their keys only:

- small letters of ASCII, and Hepburn's consonants;
- no vowel length: macrons and circumflexes are dropped, and ou, oo, uu are o and u, whatever the
  number of the vowels, and so are oh and uh where no vowel follows. That is more than length where
  two characters meet: Inoue is inoe, Koura (小浦) is kora, Hiroo is hiro;
- n for ン before any letter, so without apostrophe: Jun'ichi and Junnichi have keys of their own,
  but Jun'ichi and Junichi have one. Homma is honma, Shimbun shinbun.

Length that is written with two vowels stays otherwise: Niigata, Saaya, Keiko. In ohya the h is of
a long o (Ohya, Tohyama), for names with hya in this place are few; in ohyo it stays (兵衛 hyoe).

Old spellings are read, too: Inouye, Uyeda, Yedo, Kwansei, Kadzuo, Kudzu. Kana that is only in
loanwords is folded as kunrei would be: ティ is ti, and so chi; トゥ is tsu, ディ is ji, ドゥ is zu.

KEY reads kana of any width, and Latin letters of any width and case, composed or not. Latin
letters that spell no Japanese pass (Valdez, valdez); `romaji_objection` of
`glyphone.data.scripts.romaji` finds them. Kana that is written in no regular way (ッ at the end)
has no output. Refused because they are not in the alphabet: kanji, digits and spaces; names are
cut into parts before they come here.

MODERN gives the characters of 1946 and 1949 (tōyō kanji jitaihyō) for those of before, and for
variants of names (髙 﨑 栁 𠮷), as old_forms.tsv has them, one for one in place; all other kanji,
kana and iteration marks stay. A character that only Unicode's compatibility block has (神 U+FA19)
is made modern by NFC. Names that the law distinguishes become equal: 渡邊 is another family
name than 渡辺, and both 龍 and 竜 may be given to children.

>>> from glyphone.fst.rules.interpreter import run
>>> ["".join(run(KEY, KEY.source.split(name).symbols)[0].output)
...  for name in ("Ôtuka", "OHTSUKA", "おおつか", "ｵｵﾂｶ", "Shin-ichirō")]
['otsuka', 'otsuka', 'otsuka', 'otsuka', 'shinichiro']
"""

from __future__ import annotations

from pathlib import Path

from glyphone.data.lexicons.tsv import read_table
from glyphone.data.scripts.romaji import SIGNS
from glyphone.fst.rules.cascade import Table, cascade, table_of
from glyphone.grammars.jpn.romaji import (
    FROM_KATAKANA,
    HIRAGANA_LETTERS,
    ITERATION,
    KATAKANA_LETTERS,
    ROMAJI,
    SMALL,
    SPECIAL,
    TEXT,
    to_hiragana,
)

# ---------------------------------------------------------------------------------------------
# Kana to romaji as in jpn.romaji, by way of katakana; Latin letters and signs pass.

PARTS = " -=゠・"
KATAKANA = [kana for kana in KATAKANA_LETTERS if kana not in PARTS]
HIRAGANA = {to_hiragana(kana): kana for kana in KATAKANA if to_hiragana(kana) in HIRAGANA_LETTERS}
LONG = dict(zip("āīūēōâîûêô", "aiueoaiueo", strict=True))
LATIN = "abcdefghijklmnopqrstuvwxyz"
TYPED = [*LATIN, *LONG, *SIGNS]

KANA_TO_ROMAJI: list[str | Table] = [
    table_of(HIRAGANA, kept=[kana for kana in KATAKANA if kana not in HIRAGANA] + TYPED),
    ITERATION,
    table_of(FROM_KATAKANA, kept=[*"ンッー", *SMALL, *TYPED]),
    SPECIAL,
    table_of(LONG | dict.fromkeys(SIGNS, ""), kept=LATIN),
]

# ---------------------------------------------------------------------------------------------
# Romaji to keys.

SPELLING = """
VOWEL = {a i u e o}
CONSONANT = {b c d f g h j k l m n p q r s t v w x y z}

; 1. Old books: Kadzuo, Fudji, Kwansei, Inouye, and ゐ ゑ を
{dz, dj} -> {z, j}
{kw, gw} -> {k, g} / _ a
w -> ∅ / (# | VOWEL | n) _ {i e o}
y -> ∅ / (# | VOWEL | n) _ e

; 2. Moraic n: before lips (Homma), and doubled before a consonant as typists do
m -> n / _ {b m p}
n -> ∅ / n _ n* (CONSONANT - {n y} | #)

; 3. Consonants of kunrei and nihon-shiki
{sy, ty, cy, zy, dy, jy} -> {sh, ch, ch, j, j, j} / _ {a u e o}
s -> sh / _ i
t -> ch / _ i
t -> ts / _ u
{z d} -> j / _ i
d -> z / _ u
h -> f / (# | VOWEL | n) _ u
{z d} -> j / _ j   ; what is doubled: itizzi
d -> z / _ z
c -> t / _ ch

; 4. Vowel length
h -> ∅ / {o u} _ (CONSONANT - {y} | ya | #)   ; Ohno, Ohyama, Satoh
{o u} -> ∅ / o _
u -> ∅ / u _
"""

KEY = cascade(
    letters=[*KATAKANA, *(kana for kana in HIRAGANA if kana not in KATAKANA), *TYPED],
    phones=[*LATIN],
    source=ROMAJI,
    target=TEXT,
    rules=[*KANA_TO_ROMAJI, SPELLING],
    partial=True,
)


# ---------------------------------------------------------------------------------------------
# Old forms of kanji.

OLD_FORMS = Path(__file__).with_name("old_forms.tsv")
OLD = {row[0]: row[1] for row in read_table(OLD_FORMS, columns=2)}
KANJI = [chr(code) for code in (*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000))]
KEPT = [one for one in dict.fromkeys([*KANJI, *"々〻〆", *KATAKANA, *HIRAGANA]) if one not in OLD]

MODERN = cascade(
    letters=[*KEPT, *OLD],
    phones=KEPT,
    target=TEXT,
    rules=Table(tuple(((one,), (OLD.get(one, one),)) for one in [*KEPT, *OLD]), OLD_FORMS),
)
