"""Hindi: Devanagari to the phones of standard Hindi, broadly transcribed.

The script is read letter by letter as in `glyphone.grammars.hin.devanagari`; then the rules here
do what Hindi does with the reading. Phones are those of M. Ohala, "Hindi" (Handbook of the
International Phonetic Association, 1999), nasal vowels as phones of their own.

The heart of it is the deletion of schwa (M. Ohala, Aspects of Hindi Phonology, 1983): at the end of
a word, and between single consonants with vowels on both sides,

    ə -> ∅ / V C _ C V,   from right to left,

which is what also remains when syllables are minimised under the phonotactics of the language
(M. Choudhury, A. Basu and S. Sarkar, "A diachronic approach for schwa deletion in Indo Aryan
languages", SIGPHON 2004). A homorganic nasal may stand before the first consonant; any other
cluster keeps its schwa.

Left out, because the spelling does not show it: boundaries inside words, where a schwa is lost or
kept against the rule (कालक्रम, दोपहर) and which also tell the forms of बदल from those of कमल;
the lowering of schwa beside h (कहना, बहन), which is allophonic; ऐ and औ before य and व (भैया).
Every vowel letter is long or short as it is written, but for final ɪ and ʊ, which are long. Letters
with a nukta are taken at their word, and ज without it is not z.

A hyphen is read as a space, |. Digits, punctuation, avagraha and ॐ are not read.

>>> from glyphone.fst.rules.interpreter import run
>>> " ".join(run(HINDI, tuple("मतलब"))[0].output)
'm ə t̪ l ə b'
"""

from __future__ import annotations

from dataclasses import replace

from glyphone.fst.rules.cascade import inventory
from glyphone.grammars.hin import devanagari

UNREAD = frozenset("०१२३४५६७८९।॥॰ऽॐ")

PHONES = """
    p b t̪ d̪ ʈ ɖ t͡ʃ d͡ʒ k ɡ q
    pʰ bʱ t̪ʰ d̪ʱ ʈʰ ɖʱ t͡ʃʰ d͡ʒʱ kʰ ɡʱ
    m n ɳ ŋ f s z ʂ ʃ ʒ x ɣ ɦ ɾ ɽ ɽʱ l ʋ j
    ə ɪ ʊ ɑː iː uː eː ɛː oː ɔː
    ə̃ ɪ̃ ʊ̃ ɑ̃ː ĩː ũː ẽː ɛ̃ː õː ɔ̃ː
    |
"""

PRONUNCIATION = r"""
\- -> \|
EDGE = # | \|

; 1. Letters that Hindi has only in words from Sanskrit or for other languages.
r̩ -> ɾ ɪ
r̩ː -> ɾ iː
l̩ -> l ɪ
l̩ː -> l iː
d͡ʒ ɲ -> ɡ j  ; ज्ञ
{ɲ r ɭ ɻ n̠ e̯ h} -> {n ɾ l l n j ɦ}
{æ ɒ ɛ e o} -> {ɛː ɔː ɛː eː oː}

V = {ə ɪ ʊ ɑː iː uː eː ɛː oː ɔː}
C = CONSONANT - {ɲ r ɭ ɻ n̠ e̯}
LABIAL = {p pʰ b bʱ m f ʋ}
RETROFLEX = {ʈ ʈʰ ɖ ɖʱ ɳ ɽ ɽʱ}
VELAR = {k kʰ ɡ ɡʱ ŋ q x ɣ}
VOICEDSTOP = {b bʱ d̪ d̪ʱ ɖ ɖʱ d͡ʒ d͡ʒʱ ɡ ɡʱ}

; 2. Anusvara stands for candrabindu where a vowel sign above the line leaves no room for the moon.
ɴ -> ◌̃ / {iː eː ɛː oː ɔː} _

; 3. A nasal vowel has a nasal consonant behind it before a voiced stop; an anusvara before any
;    consonant. It has the place of what follows.
◌̃ -> ɴ / _ VOICEDSTOP
ɴ -> m / _ LABIAL
ɴ -> ŋ / _ VELAR
ɴ -> ɳ / _ RETROFLEX
ɴ -> n / _ C
ɴ -> m / ə _ EDGE  ; words from Sanskrit: एवं
ɴ -> ◌̃

; 4. A long affricate is long in its closure.
{t͡ʃ d͡ʒ} -> {t̪ d̪} / _ {t͡ʃ t͡ʃʰ d͡ʒ d͡ʒʱ}

; 5. Schwa is lost at the end of a word, unless it is the only vowel,
ə -> ∅ / V (ɦ | ◌̃)? C+ _ EDGE

; 6. and between consonants, the last of a row first: the loss of one protects the one before it.
ə -> ∅ / V ({m n ɳ ŋ} | ◌̃)? C _ C V [right-to-left]

; 7. Final high vowels are long.
{ɪ ʊ} -> {iː uː} / _ EDGE

; 8. A vowel and its nasality are one phone.
{ə ◌̃, ɪ ◌̃, ʊ ◌̃, ɑː ◌̃, iː ◌̃, uː ◌̃, eː ◌̃, ɛː ◌̃, oː ◌̃, ɔː ◌̃} -> {ə̃ ɪ̃ ʊ̃ ɑ̃ː ĩː ũː ẽː ɛ̃ː õː ɔ̃ː}
"""

_SCRIPT = devanagari.TO_PHONES
READ = tuple(letter for letter in _SCRIPT.letters if letter not in UNREAD)

HINDI = replace(
    _SCRIPT,
    letters=READ,
    phones=inventory(PHONES),
    marks=tuple(symbol for symbol in _SCRIPT.alphabet if symbol not in {*READ, *PHONES.split()}),
    texts=(*_SCRIPT.texts, PRONUNCIATION),
)
