"""Finnish: orthography to phones, with primary and approximate secondary stress.

Sounds, syllables and stress follow A. Hakulinen et al., *Iso suomen kielioppi* (2004), its part on
phonology; F. Karlsson, *Suomen kielen äänne- ja muotorakenne* (1983); and K. Suomi, J. Toivanen and
R. Ylitalo, *Finnish Sound Structure* (2008).

- A long sound is written as two short ones, as the orthography does and as Karlsson analyses it:
  tuuli [t u u l i], kukka [k u k k ɑ].
- nk is [ŋ k]; ng is [ŋ ŋ] before a vowel and [ŋ] elsewhere (kengät, englanti); gn behind a vowel
  is [ŋ n] (magneetti). v and w are ʋ, a is ɑ, å is [o o].
- Loan letters: c q x z are k (s before e i y), k, k s, t s; š is ʃ and ž ʒ; b d f g keep their
  sounds. Other foreign letters take those of the nearest Finnish ones.
- `ˈ` stands before the first syllable. `ˌ` stands before every second syllable behind a stress,
  but one later where that syllable is light and the next one heavy; never before the last. A
  hyphen parts the members of a compound: the later ones begin with ˌ. A space is `|`. Without the
  tokens `ˈ` and `ˌ` the rest is the segmental transcription.
- A letter alone is read by its name (J. V. Snellman, A-luokka).

Left out: boundary gemination (tule tänne [tulettænne]), which the word does not show;
assimilation of n to p and m between words and members (kunpa); compounds without a hyphen, whose
later members really begin with secondary stress, and would need a lexicon; and foreign names
that are not said as they are written (Shakespeare).

>>> from glyphone.fst.rules.interpreter import run
>>> " ".join(run(FINNISH, tuple("kaupunginvaltuusto"))[0].output)
'ˈ k ɑ u p u ŋ ˌ ŋ i n ʋ ɑ l ˌ t u u s t o'
"""

from __future__ import annotations

from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import cascade

# The alphabet with å ä ö, the š ž of loanwords, and the accents that names bring along.
LETTERS = [*"abcdefghijklmnopqrstuvwxyzåäö", *"šžéèêëáàâãíìîïóòôõúùûüýñçæøœßčćđðþ", *"'’ -.,"]
PHONES = "ɑ e i o u y æ ø p t k b d ɡ f s ʃ ʒ h ʋ m n ŋ l r j ˈ ˌ |"
# · parts syllables, ‿ joins the two halves of a long vowel or a diphthong, ⁀ members of a compound.
MARKS = "· ‿ ⁀"

CLASSES = r"""
    V = {a e i o u y ä ö}
    C = {b c d f g h j k l m n p q r s t v w x z š ž ŋ}
    W = # | \  | ⁀
    LONG = {a a, e e, i i, o o, u u, y y, ä ä, ö ö}
"""

FOREIGN_LETTERS = r"""
    ; 1. Letters and accents from elsewhere.
    {é è ê ë œ} -> e
    {á à â ã} -> a
    {í ì î ï} -> i
    {ó ò ô} -> o
    {ú ù û} -> u
    {ü ý} -> y
    {õ ø} -> ö
    æ -> ä
    å -> o o                                        ; Åbo
    {ñ, ç, ß} -> {n j, s, s s}
    {č ć} -> t š
    {đ ð} -> d
    þ -> t
    ’ -> '
    {., \,} -> \  / _                              ; J. V. Snellman
"""

HYPHENS_AND_INITIALS = r"""
    ; 2. A hyphen parts members of a compound. Those at the edges of an item or word are not said,
    ; nor are apostrophes there and beside hyphens.
    ' -> ∅ / (# | \  | \-) '* _
    ' -> ∅ / _ '* (# | \  | \-)
    \- -> ⁀
    ⁀ -> ∅ / (# | \  | ⁀) _
    ⁀ -> ∅ / _ (# | \ )

    ; 3. A letter alone is called by its name; no Finnish word has one letter.
    V -> LONG / W _ W
    {b, c, d, g, p, t, v} -> {b e e, s e e, d e e, g e e, p e e, t e e, v e e} / W _ W
    {f, l, m, n, r, s} -> {ä f, ä l, ä m, ä n, ä r, ä s} / W _ W
    {h, j, k, q} -> {h o o, j i i, k o o, k u u} / W _ W
    {w, x, z} -> {k a k s o i s v e e, ä k s, t s e t} / W _ W
    {š, ž} -> {h a t t u ä s, h a t t u t s e t} / W _ W
"""

LOAN_SPELLINGS = r"""
    ; 4. Spellings of names and loanwords. th and sh inside a word are t+h, s+h of a compound.
    s c h -> š
    c h -> t š
    p h -> f / (W | V) _
    t h -> t / W _
    s h -> š / W _
    c k -> k k / V _ V
    c -> ∅ / _ k
    q u -> k v / _ V
    c -> s / _ {e i y}
    {c q} -> k
    {z z, t z} -> z
    {x, z} -> {k s, t s}
    w -> v
"""

NASALS = r"""
    ; 5. n is velar before k; written ng is long between vowels. g before n becomes nasal.
    n -> ŋ / _ k
    n g -> ŋ ŋ / _ V
    n g -> ŋ
    g -> ŋ / V _ n
"""

SYLLABLES = r"""
    ; 6. Nuclei of two vowels, joined from the left: long vowels, and diphthongs that close to i, to
    ; u y, or open. ie before a final n is mostly a plural genitive, in two syllables (koti.en).
    ; Behind the first syllable iu is two syllables, and so are endings like -aus: ka.li.um,
    ; va.pa.us.
    S = C | V | ‿
    ∅ -> · / V S* C i _ {u y}
    ∅ -> · / V S* C {a e o ä ö} _ {u y} s W
    i e -> i ‿ e / W C* _
    i e -> i ‿ e / C _ (W | V | C - n | n (V | C))
    TOI = {a i, e i, o i, u i, y i, ä i, ö i}
    TOU = {a u, e u, i u, o u, e y, i y, ä y, ö y}
    OPENING = {u o, y ö}
    LONG1 = {a ‿ a, e ‿ e, i ‿ i, o ‿ o, u ‿ u, y ‿ y, ä ‿ ä, ö ‿ ö}
    TOI1 = {a ‿ i, e ‿ i, o ‿ i, u ‿ i, y ‿ i, ä ‿ i, ö ‿ i}
    TOU1 = {a ‿ u, e ‿ u, i ‿ u, o ‿ u, e ‿ y, i ‿ y, ä ‿ y, ö ‿ y}
    OPENING1 = {u ‿ o, y ‿ ö}
    PAIR = LONG | TOI | TOU | OPENING
    JOINED = LONG1 | TOI1 | TOU1 | OPENING1
    PAIR -> JOINED / (# | ANY - ‿) _

    ; 7. A syllable begins with the last consonant before a vowel, or between vowels not joined.
    ' -> · / V _ V                                  ; vaa'an
    ' -> ∅
    ∅ -> · / V _ V
    ∅ -> · / V C* _ C V
"""

STRESS = r"""
    LIGHT = C* V
    HEAVY = C* V (‿ V C* | C+)

    ; 8. Primary stress on the first syllable of a word, secondary on that of a later member.
    ∅ -> ˈ / (# | \ ) _ C* V
    ∅ -> ˌ / ⁀ _ C* V

    ; 9. Secondary stress two syllables behind a stress, or three, to pass a light syllable before a
    ; heavy one. The last syllable takes no stress, and does not count as heavy.
    · -> ˌ / {ˈ ˌ} S+ · S+ (· LIGHT)? _ (HEAVY · | LIGHT · LIGHT · | LIGHT · S+ W)
"""

PHONES_OF_LETTERS = r"""
    ; 10. The phones.
    {a ä ö} -> {ɑ æ ø}
    {v g š ž} -> {ʋ ɡ ʃ ʒ}
    {· ‿ ⁀} -> ∅
    \  -> \|
    \| -> ∅ / (# | \|) _
    \| -> ∅ / _ #
"""

FINNISH = cascade(
    letters=LETTERS,
    phones=PHONES,
    marks=MARKS,
    rules=[
        CLASSES,
        FOREIGN_LETTERS,
        HYPHENS_AND_INITIALS,
        LOAN_SPELLINGS,
        NASALS,
        SYLLABLES,
        STRESS,
        PHONES_OF_LETTERS,
    ],
    source=Writing(case="lower"),
)
