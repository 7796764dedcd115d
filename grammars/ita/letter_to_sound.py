"""Italian: orthography to broad phonemic transcription, without stress.

Letters and sounds follow P. Fiorelli in B. Migliorini, C. Tagliavini and P. Fiorelli, *DOP:
Dizionario d'ortografia e di pronunzia* (2010); L. Canepari, *Manuale di pronuncia italiana* (1999);
and P. M. Bertinetto and M. Loporcaro, "The sound pattern of Standard Italian", *Journal of the
International Phonetic Association* 35 (2005).

- A long consonant is written twice, an affricate as [t t͡s d d͡z t t͡ʃ d d͡ʒ]. Between vowels ʃ ɲ ʎ
  and the affricates of single z are long by themselves: pesce [p e ʃ ʃ e], bagno [b a ɲ ɲ o].
- s between vowels is z, as in most of the north and in the model of today; behind a prefix and at
  the seam of a compound it is s (risalire, trentasei). Before voiced consonants it is z (sbaglio).
- z at the beginning of a word is d͡z, as most young speakers have it; elsewhere it is t͡s but in
  -izzare and in stems that are known to have d͡z (mezzo, azzurro, pranzo).
- n is m before p b m; [ŋ ɱ] are left out, for they are allophones.
- Glides are j w: piano, uomo; aula, solai. Both are vowels where a suffix or prefix says so
  (see `_hiatus.py`): allegria [i a], riavere [i a].
- ɛ ɔ are predicted from suffixes and from what follows (see `_vowels.py`): the spelling has them
  only in a final è ò, and no rule can know all of them.
- A letter alone is called by its name. Words are parted by `|`, for a space or a hyphen; an
  apostrophe joins, as the two words are said as one.

Left out: stress, which is only written on final vowels; doubling between words (a casa [akkasa]);
foreign words that are not said as they are written, beyond those of `respelling.tsv`.

>>> from glyphone.fst.rules.interpreter import run
>>> " ".join(run(ITALIAN, tuple("gli gnocchi"))[0].output)
'ʎ i | ɲ ɔ k k i'
"""

from __future__ import annotations

from pathlib import Path

from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import cascade, respelling
from glyphone.grammars.ita._hiatus import HIATUS
from glyphone.grammars.ita._vowels import VOWELS

WRITING = Writing(case="lower")

# The alphabet with the five letters of foreign words, and the accents that names bring along.
LETTERS = [*"abcdefghijklmnopqrstuvwxyz", *"àèéìíòóùúáâêîôûäëïöüãõåæøœñçßčćšžđșț", *"’' -.,"]
PHONES = "a e ɛ i o ɔ u j w p b t d k ɡ f v s z t͡s d͡z t͡ʃ d͡ʒ ʃ m n ɲ l ʎ r |"
MARKS = "ś"  # s that stays voiceless between vowels

RESPELLING = respelling(Path(__file__).with_name("respelling.tsv"), source=WRITING)

CLASSES = r"""
    VOWEL = {a e i o u à è é ì ï ò ó ù}
    CONS = {b c d f g h k l m n p q r s t v x z ś ɡ ɲ ʎ ʃ t͡ʃ d͡ʒ t͡s d͡z}
    FRONT = {e i è é ì}
    DARK = {a o u à ò ó ù}
    W = # | \  | \-
"""

FOREIGN_LETTERS = r"""
    ; 1. Letters and accents from elsewhere, and apostrophes, which join what they stand between.
    {á â ä ã å} -> {à a e a o}
    {ê ë æ} -> {è e e}
    {í î} -> {ì i}
    {ô õ} -> {ò o}
    {ö ø œ} -> e
    {ú û ü} -> {ù u u}
    {ñ, ß} -> {g n, s s}
    {č ć} -> c i / _ VOWEL
    {č ć} -> c
    {š ș ž} -> {s s z}
    {ç ț} -> {s z}
    đ -> d
    {., \,} -> \  / _                              ; A. Manzoni
    {’, '} -> ∅

    ; 2. A letter alone is called by its name; vowels are words.
    {b, c, d, f} -> {b i, c i, d i, è f f e} / W _ W
    {g, h, j, k} -> {g i, a c c a, i l u n g a, c a p p a} / W _ W
    {l, m, n, p} -> {è l l e, è m m e, è n n e, p i} / W _ W
    {q, r, s, t} -> {c u, è r r e, è s s e, t i} / W _ W
    {v, w, x, y, z} -> {v u, d ó p p i a v u, i c s, i p s i l o n, z è t a} / W _ W
"""

SEAMS = r"""
    ; 7. s keeps its voicelessness behind prefixes and at the beginning of second members.
    LATINPREFIX = r i | t r a | e s t r a | s e m i | a n t i | m i l l i | v i d e o | r a d i o
    GREEKPREFIX = p o l i | m o n o | f o t o | n e u r o | m i c r o | m a c r o | n a n o | t r i
    SECONDS = a u t o | e m i | e t e r o | p s i c o | v i s c o | m e z z o | c a p {i o}
    s -> ś / W (LATINPREFIX | GREEKPREFIX | SECONDS) _ VOWEL
    NUMBER = {e t t e W, e t t a n t a, e t t e s i m, e t t i m, e i W, e i m, e i e s}
    s -> ś / {t a, n t i, t o} _ NUMBER             ; trentasei
    SCIENCE = {a c c a r, i l l a b, e s s u a l, o m i c, o l f, i m m e t r, e m a n t, i s t e m}
    COMMON = {e m i t, i s m i c, o s p, e c o n d, a n g u e, o l e W, o p r a n, o l l e v}
    s -> ś / VOWEL _ (SCIENCE | COMMON)             ; asimmetria, girasole
"""

CONSONANTS = r"""
    ; 14. c and g are soft before e and i; h parts them from these, and q is always before u.
    s c h -> s k
    {c h, g h, p h} -> {k, ɡ, f}
    c k -> k k
    {s h, t h} -> {ʃ, t}
    c c -> k k / _ (CONS | DARK | W)
    c q -> k q
    {q k} -> k
    x -> k s

    ; 15. i is only a sign of softness before another vowel, unless it has the stress (farmacia).
    s c i -> ʃ / _ (DARK | {e è} {n t})             ; scienza
    s c -> ʃ / _ FRONT
    c c i -> t t͡ʃ / _ DARK
    g g i -> d d͡ʒ / _ DARK
    {c i, g i} -> {t͡ʃ, d͡ʒ} / _ (DARK | {e è é})     ; cielo, ciliegie
    {c c, g g} -> {t t͡ʃ, d d͡ʒ} / _ FRONT
    {c g} -> {t͡ʃ d͡ʒ} / _ (FRONT | ï)
    g l i -> ʎ / _ {a e o u à è é ò ó ù}
    g l -> ʎ / (VOWEL | W) _ i W                    ; gli, figli
    g l -> ʎ / VOWEL _ ì
    g l -> ʎ / VOWEL _ i (CONS - c)                 ; taglino; but glicine
    g n i -> ɲ / _ a m                              ; sogniamo
    g n -> ɲ
    {c g} -> {k ɡ}

    ; 16. j w y are glides or vowels; h is silent.
    j -> d͡ʒ / W _ (DARK | e)                        ; jazz
    w -> v / W _ {a e}                              ; water
    h -> ∅
    w -> u / _ (CONS | W)                           ; newton
    {j y} -> i

    ; 17. z: voiced in some stems and in -izzare, which has two consonants or more before it.
    z z -> d d͡z / {a, m e, m è} _ u r r             ; azzurro
    HALF = {m e, m è, b a t t e, b r e, b r è, ɡ r e, ɡ r è, o r e, o r i, d i r o, d o, z u}
    z z -> d d͡z / (HALF | W {r o, b i, s b i, l e, o l e}) _                       ; mezzo, bizzarro
    z z -> d d͡z / (W | m a) ɡ a _                   ; gazzella, magazzino
    z z -> d d͡z / W a _ {a e è i}                   ; azzardo
    z z -> d d͡z / l a _ a r                         ; lazzaro
    RIGHT = {d r, v v, k u, W s t, W s k, W s k u, W p, W s p, W r, W l, d i r}
    z z -> t t͡s / RIGHT i _                         ; drizzare, stizza, pizza
    z z -> d d͡z / VOWEL CONS+ i _ VOWEL             ; realizzare, realizzazione
    z z -> t t͡s
    z -> d d͡z / a _ (i {e è} n d | i m)             ; azienda
    z -> t t͡s / VOWEL _ {i ì ï} (VOWEL | W)         ; grazia, spazi
    z -> d d͡z / VOWEL _ VOWEL                       ; ozono
    z -> d͡z / W _
    BRONZE = {b r o n, d o n, p r a n, r o m a n, m a n, g o n, p e n, p è n, r o n, r i n}
    BENZENE = {b e n, b è n, d͡z a n, d͡z e n, d͡z è n, ɡ a r, W o r, W a r, v e r, b a r}
    z -> d͡z / (BRONZE | BENZENE) _ {o, ò, e, è, a, i l, i n, i ɡ o}
    z -> d͡z / e n _ i m                             ; enzima
    z -> t͡s

    ; 18. s is voiced before voiced consonants and between vowels.
    s -> z / _ {b d ɡ v m n l r d͡ʒ ɲ}
    s -> z / VOWEL _ VOWEL
    ś -> s

    ; 19. n is labial before p b m.
    n -> m / _ {p b m}
"""

GLIDES = r"""
    ; 20. u and i before a vowel are glides, u only behind k ɡ and in stressed uo.
    u -> w / {k ɡ} _ VOWEL
    i -> j / _ VOWEL
    u -> w / _ ò
    u -> w / CONS _ o {k d ɡ i l m n p r t v}       ; buonissimo; but lussuoso

    ; 21. Behind a vowel too, but at the seam of a prefix and in suffixes that begin with a vowel.
    OPENPREFIX = r e | a u t o | k o | s o v r a | f r a | k o n t r o | n e u r o | n è u r o
    i -> ï / W (OPENPREFIX | e l è t t r o) _ (CONS - v)                    ; reinventare
    i -> ï / {a e è o ò} _ (n {a e i o} W | s m | s t | r e | t a W)          ; eroina, ateismo
    i -> ï / v e _ k o l
    i -> ï / k a _ n
    i -> ï / o n a _ W
    i -> j / {à a e è o ò} _ CONS                     ; laico, asteroide
    i -> j / a _ W                                  ; andai
    i -> j / ({a e} r {e è} | s {e è} | W {d l s t}? {e è}) _ W ; sei, lei, parlerei
    i -> j / (W {p v n} | {u w}) {o ò} _ W          ; poi, noi, suoi
    i -> j / {f l t} u _ W                          ; fui, lui
    u -> w / {a e è} _ (CONS | W)                   ; aula, Europa

    ; 22. ʃ ɲ ʎ are long between vowels.
    {ʃ ɲ ʎ} -> {ʃ ʃ, ɲ ɲ, ʎ ʎ} / VOWEL _ (VOWEL | j | w)
    {à è é ì ï ò ó ù} -> {a ɛ e i i ɔ o u}

    ; 23. Words are parted by one bar.
    {\ , \-} -> \|
    \| -> ∅ / (# | \|) _
    \| -> ∅ / _ #
"""

ITALIAN = cascade(
    letters=LETTERS,
    phones=PHONES,
    marks=MARKS,
    rules=[
        RESPELLING,
        CLASSES,
        FOREIGN_LETTERS,
        HIATUS,
        SEAMS,
        *VOWELS,
        CONSONANTS,
        GLIDES,
    ],
    source=WRITING,
)
