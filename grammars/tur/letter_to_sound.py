"""Turkish: orthography to broad transcription, without stress.

Letters and sounds follow G. Lewis, *Turkish Grammar* (2nd ed. 2000), chapter I; A. Göksel and C.
Kerslake, *Turkish: A Comprehensive Grammar* (2005), part 1; K. Zimmer and O. Orgun, "Turkish", in
the *Handbook of the International Phonetic Association* (1999); and for long vowels Türk Dil
Kurumu, *Türkçe Sözlük* (11th ed. 2011).

- a e i ɯ o ø u y are written whatever their quality: [ɑ ɛ æ œ] and the like depend on their
  neighbours, and so do [ɫ] beside l, and [ɾ̥].
- k and g are c ɟ before and behind front vowels of the same syllable, and before â û: köy [c ø j],
  kâr [c a ɾ]. With back vowels they are k ɡ.
- ğ makes the vowel before it long at the end of a syllable (dağ [d aː]). Between vowels it is
  nothing, but a glide behind e i ü (eğer [e j e ɾ]); ağa is one long vowel.
- Vowels of Arabic and Persian loans are long in open syllables, where the circumflex, a pattern or
  a list says so (see `_loans.py`): siyaset [s i j aː s e t].
- A letter without vowels beside it is called by its name, as in abbreviations (PKK). Words are
  parted by `|`, for a space or a hyphen. The apostrophe before endings of names is not heard.
- Capitals are read as Turkish pairs them: I with ı, İ with i.

Left out: stress, which is on the last syllable but for names of places, some endings and
loanwords; vowels that break up groups of consonants (spor [sɯpor]); foreign words that are not
said as they are written, beyond those of `respelling.tsv`.

>>> from glyphone.fst.rules.interpreter import run
>>> " ".join(run(TURKISH, tuple("Iğdır'da kâğıt"))[0].output)
'ɯː d ɯ ɾ d a | c a ɯ t'
"""

from __future__ import annotations

from pathlib import Path

from glyphone.fst.rules.cascade import cascade, respelling
from glyphone.grammars.tur._loans import LOANS

# The alphabet with the circumflex, q w x, the accents that names bring along, and a dot that
# programs leave over i when they make a small letter of İ.
SMALL = [*"abcçdefgğhıijklmnoöprsştuüvyzâîû", *"qwxéèêëáàäãåíìïóòôõøœæúùýñßčšž"]
CAPITALS = [*"ABCÇDEFGĞHIİJKLMNOÖPRSŞTUÜVYZÂÎÛ", *"QWXÉÈÊËÁÀÄÃÅÍÌÏÓÒÔÕØŒÆÚÙÝÑČŠŽ"]
LETTERS = [*SMALL, *CAPITALS, "\N{COMBINING DOT ABOVE}", *"’' -.,"]
PHONES = "a aː e eː i iː ɯ ɯː o oː ø øː u uː y yː p b t d k ɡ c ɟ f v s z ʃ ʒ t͡ʃ d͡ʒ h m n l ɾ j |"
# Long vowels of loans and letter names, and the palatal stops that the circumflex shows.
MARKS = "ā ē ī ū ķ ģ"

RESPELLING = respelling(Path(__file__).with_name("respelling.tsv"))

CASE = r"""
    ; 1. Turkish pairs I with ı and İ with i.
    {A B C Ç D E F G Ğ H I İ J K L M N O Ö P} -> {a b c ç d e f g ğ h ı i j k l m n o ö p}
    {R S Ş T U Ü V Y Z Â Î Û Q W X} -> {r s ş t u ü v y z â î û q w x}
    {É È Ê Ë Á À Ä Ã Å Í Ì Ï Ó Ò Ô Õ} -> {é è ê ë á à ä ã å í ì ï ó ò ô õ}
    {Ø Œ Æ Ú Ù Ý Ñ Č Š Ž} -> {ø œ æ ú ù ý ñ č š ž}
    ̇ -> ∅
"""

LETTERS_FROM_ELSEWHERE = r"""
    ; 2. Letters and accents from elsewhere.
    {é è ê ë á à ä ã å} -> {e e e e a a e a o}
    {í ì ï ó ò ô õ ø œ} -> {i i i o o o o ö ö}
    {æ ú ù ý ñ ß č š ž} -> {e u u i n s ç ş j}
    {q, w, x} -> {k, v, k s}
    {., \,} -> \  / _                              ; M. Akif
    {’, '} -> ∅

    VOWEL = {a e ı i o ö u ü â î û ā ē ī ū}
    FRONT = {e i ö ü ē ī}
    CONS = {b c ç d f g ğ h j k ķ l m n p r s ş t v y z ģ}
    EDGE = # | \  | \-

    ; 3. A word without vowels is spelt: consonants are called by adding e.
    ∅ -> ē / EDGE (CONS ē)* CONS _ CONS* EDGE
    {k g} -> {ķ ģ} / _ {â û}
    {â î û} -> {ā ī ū}
"""

SOUNDS = r"""
    ; 7. ğ has no sound: it lengthens a vowel before it, or parts two vowels.
    a ğ a -> aː                                     ; ağaç
    {a ğ, o ğ, u ğ, ı ğ} -> {aː, oː, uː, ɯː} / _ (CONS | EDGE)
    {e ğ, i ğ, ö ğ, ü ğ} -> {eː, iː, øː, yː} / _ (CONS | EDGE)
    ğ -> y / {e i ü} _ VOWEL
    ğ -> ∅

    ; 8. k and g are palatal with front vowels, and where the circumflex has said so.
    {c ç j ş} -> {d͡ʒ t͡ʃ ʒ ʃ}
    LONGFRONT = {eː iː øː yː}
    {k g} -> {c ɟ} / _ (FRONT | LONGFRONT)
    CODA = {b d f g h k l m n p r s t v y z d͡ʒ t͡ʃ ʒ ʃ}
    {k g} -> {c ɟ} / (FRONT | LONGFRONT) _ (CODA | EDGE)
    {ķ ģ} -> {c ɟ}

    ; 9. The remaining letters.
    {ā ē ī ū} -> {aː eː iː uː}
    y -> j
    {ı ö ü r g} -> {ɯ ø y ɾ ɡ}

    ; 10. Words are parted by one bar.
    {\ , \-} -> \|
    \| -> ∅ / (# | \|) _
    \| -> ∅ / _ #
"""

TURKISH = cascade(
    letters=LETTERS,
    phones=PHONES,
    marks=MARKS,
    rules=[CASE, RESPELLING, LETTERS_FROM_ELSEWHERE, LOANS, SOUNDS],
)
