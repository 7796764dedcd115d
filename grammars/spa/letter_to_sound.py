"""Spanish: orthography to broad phonemic transcription, with stress.

Letters and stress follow Real Academia Española and ASALE, *Ortografía de la lengua española*
(2010), chapters I (letters) and II (accents); phonemes and neutralisations follow the same, *Nueva
gramática de la lengua española: Fonética y fonología* (2011), and J. I. Hualde, *The Sounds of
Spanish* (2005). Three rules are offered:

- CASTILIAN distinguishes /θ/ from /s/ and merges ll with y in /ʝ/, as most of Spain does now.
- TRADITIONAL is CASTILIAN with /ʎ/ for ll.
- LATIN_AMERICAN has /s/ for c and z, and /ʝ/ for ll and y.

What is written, and why:

- Stops do not contrast in voice before another consonant and are then written b d ɡ: acto
  [a ɡ t o], apto [a b t o], ritmo [r i d m o]; so x is [ɡ s]. The contrast stays before liquids, at
  the end of the word, and for t before s. Nasals before labials are m.
- Glides before a vowel are j w (bien, agua); the second half of a falling diphthong is written as
  the vowel i u (rey [r e i]). Diphthongs are those of the orthography: guion and viaje have one,
  and so do criar and cliente, where many speakers have a hiatus. Initial hue- is [w e].
- `ˈ` stands before the onset of the stressed syllable, the longest that Spanish allows, tl among
  them. A word has at most one: adverbs in -mente have it on -men-, and their weaker stress on the
  adjective is left out. Articles, clitics, short prepositions and conjunctions have none. Without
  the token `ˈ` the rest is the segmental transcription.
- Words are parted by `|`, for a space, a hyphen, a comma or a full stop. A consonant alone is read
  by its name (Juan C. Pérez).

Left out: allophones (spirants, aspiration, [ŋ], glottal h of loanwords); foreign words that their
spelling does not reveal, beyond the whole items of `respelling.tsv`; abbreviations that have to be
spelt out (DVD); unstressed titles (don, san).

>>> from glyphone.fst.rules.interpreter import run
>>> " ".join(run(CASTILIAN, tuple("guerra civil"))[0].output)
'ˈ ɡ e r a | θ i ˈ b i l'
"""

from __future__ import annotations

from pathlib import Path

from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import Cascade, cascade, respelling

WRITING = Writing(case="lower")

# The alphabet, the accents of the languages of the peninsula, and those that names bring along.
LETTERS = [
    *"abcdefghijklmnñopqrstuvwxyz",
    *"áéíóúýüàèìòùâêîôûãõäëïöåæøœç",
    *"ºª·'’ -.,",
]
PHONES = [*"aeiou", "t͡ʃ", *"pbtdkɡfθsxmnɲlʎɾrʝʃjwˈ|"]
# R: long r; ĭ ŭ: second halves of falling diphthongs; ¨: hiatus; °: word without stress.
MARKS = "Rĭŭ¨°"

RESPELLING = respelling(Path(__file__).with_name("respelling.tsv"), source=WRITING)

CLASSES = r"""
    V = {a e i o u}
    ACUTE = {á é í ó ú}
    VOWEL = {a e i o u á é í ó ú}
    FRONT = {e i é í}
    W = # | \  | \-
    CONS = {b c ç d f g h j k l m n ñ p q r s t v x z ɡ θ t͡ʃ ʃ ɲ ʎ ʝ ɾ}
    ; Articles, clitics, possessives, prepositions, conjunctions, as they look when rule 12 comes.
    ARTICLE = {e l, l a, l o, l a s, l o s, a l, d e l}
    CLITIC = {m e, t e, s e, l e, l e s, n o s, o s, m i, m i s, t u, t u s, s u, s u s}
    PARTICLE = {a, d e, e n, k o n, p o ɾ, s i n, k e, i, e, o, u, n i, s i}
    ATONIC = ARTICLE | CLITIC | PARTICLE
"""

FOREIGN_LETTERS = r"""
    ; 1. Letters and accents from elsewhere. Grave and circumflex stand on stressed vowels in the
    ; neighbouring languages (Solà, Antônio); two dots part vowels (Raül, naïf).
    {à è ì ò ù} -> {á é í ó ú}
    {â ê î ô û} -> {á é í ó ú}
    {ã e, ã o, õ e} -> {á e, á o, ó e} / _ s? W     ; João, Guimarães
    {ã ä å} -> a
    {õ ö ø} -> o
    {æ œ} -> e
    {ë ï} -> {¨ e, ¨ i}
    ý -> í
    {º ª} -> {o a}
    l · l -> l                                      ; Gal·la
    {·, ’} -> {∅, '}
    {., \,} -> \  / _                              ; Juan C. Pérez
"""

LETTER_NAMES = r"""
    ; 2. A letter alone is called by its name; vowels and y are words.
    {b, c, d, f} -> {b é, c é, d é, e f e} / W _ W
    {g, h, j, k} -> {g é, h a c h e, j o t a, k a} / W _ W
    {l, m, n, ñ} -> {e l e, e m e, e n e, e ñ e} / W _ W
    {p, q, r, s} -> {p é, c u, e r r e, e s e} / W _ W
    {t, v, w, x, z} -> {t é, u v e, u v e d o b l e, e q u i s, z e t a} / W _ W
"""

CONSONANT_LETTERS = r"""
    ; 3. The old x for the sound of j, in names that keep it.
    x -> j / W m e _ i c                            ; México, mexicano
    x -> j / W m é _ i c
    x -> j / W t e _ a {s n}                        ; Texas, texano
    x -> j / W o a _ a c                            ; Oaxaca
    x -> j / W _ {a v i e, i m é n, i m e n}        ; Xavier, Ximénez

    ; 4. Groups with h, which is silent by itself.
    {c h, t c h} -> t͡ʃ / _ VOWEL
    s c h -> ʃ / W _                                ; Schmidt
    {s c h, t c h} -> {ʃ t͡ʃ} / _ W                 ; kitsch
    c h -> t͡ʃ
    h i -> ʝ / W d e s _ {e é}                      ; deshielo
    h -> ∅ / W (d e | t r a n?) s _                 ; deshacer, trashumar have no /ʃ/
    s h -> ʃ
    p h -> f
    h -> ∅ / {t r k w} _
    g h -> ɡ

    ; 5. Doubled letters that stand for one sound; nn is long (innato), ll and rr are letters.
    {b b, d d, f f, g g, k k, m m, p p, s s, t t, v v, z z} -> {b d f g k m p s t v z}
    l l -> l / _ (CONS | W)                         ; Sabadell
    l l -> ʎ
    r r -> R

    ; 6. r is a tap behind vowels and in onsets, else a trill: at the beginning, behind n l s.
    r -> R / W s u b _ VOWEL                        ; subrayar
    r -> R / W a b _ {o ó} g                        ; abrogar
    r -> ɾ / {a e i o u á é í ó ú ü y p b t d c k g ɡ f v} _
    R -> r

    ; 7. x is two sounds, but one at the beginning; Basque tx is ch.
    t x -> t͡ʃ
    x -> s / W _
    x -> k s

    ; 8. c and g are soft before e and i; a u parts them from these vowels, ü sounds.
    q u -> k / _ FRONT
    {g u, g ü, q ü} -> {ɡ, ɡ u, k u} / _ FRONT
    c -> ∅ / _ {k q}                                ; rockero
    c c -> c / _ (CONS | {a o u á ó ú})             ; Boccadoro
    {c g} -> {θ x} / _ FRONT
    {c q} -> k
    {ç z} -> θ
    g -> ɡ
    ɡ -> ∅ / n _ s? W                               ; camping
    ü -> ¨ u                                        ; Müller, Raül

    ; 9. y is a consonant before vowels, but a glide behind most consonants (Bryan); elsewhere it is
    ; a vowel. At the end behind a vowel it stays y for a while: there it counts as a consonant.
    y -> i / W CONS _ VOWEL
    y -> i / {p t k ɡ f m r ɾ} _ VOWEL
    y -> ʝ / _ VOWEL
    y -> i / (W | CONS) _
    y -> i / _ CONS

    ; 10. h before a rising diphthong is heard as its consonant (hueso, hielo), else it is silent.
    h u -> w / _ VOWEL
    h? i -> ʝ / W _ {a e o á é ó}                   ; hielo, iatrogenia
    {h, '} -> ∅
    {j v ñ} -> {x b ɲ}
    w -> u / VOWEL _ (CONS | W)                     ; Newton
"""

VOWELS_AND_STRESS = r"""
    N = CONS | V | {j w ĭ ŭ ¨ y}                    ; anything in a word but accents
    K = CONS | {j w ĭ ŭ ¨ y}                        ; anything in a word but nuclei

    ; 11. Diphthongs: an unaccented i or u beside another vowel.
    i -> j / _ {a e o u á é ó ú}
    u -> w / _ {a e o i á é ó í}
    {i u} -> {ĭ ŭ} / {a e o á é í ó ú} _

    ; 12. Words that lean on the next one have no stress.
    ∅ -> ° / W _ ATONIC W

    ; 13. A word has one accent: the first that is written, but adverbs in -mente have it there.
    ACUTE -> V / ACUTE N* _
    ACUTE -> V / _ N* m e n t e W

    ; 14. The accent that the orthography does not write: on the last syllable but one before a
    ; final vowel, or n or s behind a vowel; otherwise on the last.
    V -> ACUTE / W N* _ K* V {ĭ ŭ}? {n s}? W
    V -> ACUTE / W N* _ K* W
"""

SOUNDS_IN_CONTACT = r"""
    ; 15. Groups that no Spanish word begins with.
    {p m ɡ} -> ∅ / W _ n                            ; gnomo
    p -> ∅ / W _ {s t}                              ; psicología
    ∅ -> e / W _ s (CONS - j)                       ; stop

    ; 16. No contrast of voice in stops, and of place in nasals, before consonants.
    {p k} -> {b ɡ} / _ {p b t d k ɡ f θ s x t͡ʃ ʃ m n ɲ ʝ ʎ r}
    t -> d / _ {p b d k ɡ f x m n ɲ r}
    n -> m / _ {p b m}

    ; 17. Words are parted by one bar.
    {\ , \-} -> \|
    \| -> ∅ / (# | \|) _
    \| -> ∅ / _ #
    {° ¨} -> ∅
"""

YEISMO = "ʎ -> ʝ  ; as the majority on both sides of the ocean has it"
SESEO = """
    θ -> s
    s -> ∅ / s _                                    ; escena, excelente
"""

SYLLABLE = r"""
    OBSTRUENT = {p b t d k ɡ f}
    ONSET = {p b t d k ɡ f θ s x t͡ʃ m n ɲ ʝ ʎ r ʃ}
    LIQUID = {l ɾ}
    G = {j w}

    ; 18. The stress mark stands before the longest onset; d is the only stop without an l (Adler).
    ∅ -> ˈ / _ (OBSTRUENT ɾ | {p b t k ɡ f} l) G* ACUTE
    ∅ -> ˈ / _ ONSET G* ACUTE
    ∅ -> ˈ / (# | ANY - OBSTRUENT) _ ɾ G* ACUTE
    ∅ -> ˈ / (# | ANY - {p b t k ɡ f}) _ l G* ACUTE
    ∅ -> ˈ / (# | V | {ĭ ŭ \|}) _ G+ ACUTE
    ∅ -> ˈ / (# | V | {ĭ ŭ \|}) _ ACUTE
    ∅ -> ˈ / (# | \|) _ (ONSET | LIQUID | G)+ ˈ     ; Dniéper
    ˈ -> ∅ / ˈ (ONSET | LIQUID | G)+ _
    ACUTE -> V
    {ĭ y} -> i
    ŭ -> u
"""


def spanish_cascade(*last: str, without: str = "") -> Cascade:
    """The shared rules, then the rules of a variety, which lacks some phones."""
    return cascade(
        letters=LETTERS,
        phones=[phone for phone in PHONES if phone not in without],
        marks=[*MARKS, *without],
        rules=[
            RESPELLING,
            CLASSES,
            FOREIGN_LETTERS,
            LETTER_NAMES,
            CONSONANT_LETTERS,
            VOWELS_AND_STRESS,
            SOUNDS_IN_CONTACT,
            *last,
            SYLLABLE,
        ],
        source=WRITING,
    )


TRADITIONAL = spanish_cascade()
CASTILIAN = spanish_cascade(YEISMO, without="ʎ")
LATIN_AMERICAN = spanish_cascade(YEISMO, SESEO, without="ʎθ")
