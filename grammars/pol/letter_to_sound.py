"""Polish: orthography to broad phonemic transcription, with stress.

For letters, sounds and assimilation see M. Wiśniewski, *Zarys fonetyki i fonologii współczesnego
języka polskiego* (2007); E. Gussmann, *The Phonology of Polish* (2007); and W. Jassem, "Polish", in
the *Journal of the International Phonetic Association* 33 (2003); for prescribed stress M. Karaś
and M. Madejowa, *Słownik wymowy polskiej PWN* (1977).

- Labials, velars and other consonants before i are written plain, and i before a vowel is j behind
  them: piasek [p j a s ɛ k], kino [k i n ɔ]. Only ɕ ʑ t͡ɕ d͡ʑ ɲ are soft phonemes.
- cz is the affricate t͡ʂ, trz two sounds t ʂ (czy, trzy); so are d͡ʐ and d ʐ (dżem, drzewo).
- ę and ą have a nasal glide w̃ before spirants (język, książka); before stops and affricates they
  end in their nasal (ząb, ręka), before soft spirants in ɲ (gęś), before l ł in nothing. At the
  end ą has the glide and ę has lost it. n is ŋ before k and g, whatever boundary parts them.
- Groups of obstruents agree in voice with their last member (prośba, wtedy), but w and rz take the
  voice of what stands before them (twarz, krzak). An obstruent at the end has none (chleb).
- `ˈ` stands before the onset of the last syllable but one. The endings of the conditional and of
  the plural preterite do not count (robiłby, robiliśmy). Inside a word the onset is one consonant,
  with an obstruent before a liquid, w or rz, and with j. Prepositions and other words that lean on
  the next one have no stress. Without the token `ˈ` the rest is the segmental transcription.
- Words are parted by `|`, for a space, a hyphen, a comma or a full stop; each is said as if it
  stood alone. A consonant alone, and a word without vowels, is read by the names of its letters
  (PKP), but w and z without a full stop are prepositions.

Left out: allophones (nasal glides for n before spirants, palatalised labials and velars, voiced
[ɣ]); voice across words; the stress on the last syllable but two that careful speakers have in
learned words such as fizyka, for it needs a lexicon (patyka, spotyka have none); and foreign words
whose spelling nothing betrays, beyond the stems of rules 3 and 7 and the items of `respelling.tsv`.

>>> from glyphone.fst.rules.interpreter import run
>>> " ".join(run(POLISH, tuple("chrząszcz brzmi w trzcinie"))[0].output)
'ˈ x ʂ ɔ w̃ ʂ t͡ʂ | ˈ b ʐ m i | v | ˈ t ʂ t͡ɕ i ɲ ɛ'
"""

from __future__ import annotations

from pathlib import Path

from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import cascade, respelling

WRITING = Writing(case="lower")

# The alphabet, three letters of foreign words, and the accents that names bring along.
LETTERS = [
    *"aąbcćdeęfghijklłmnńoóprsśtuwyzźż",
    *"qvx",
    *"áàâãåäāčçďđéèêëěíìîïľňñôõōöőøœæřšşßťţúùûůüűýžƶ",
    *"'’ -.,",
]
PHONES = [
    *"aɛiɔuɨ",
    *"pbtdkɡfvszʂʐɕʑx",
    *"t͡s d͡z t͡ʂ d͡ʐ t͡ɕ d͡ʑ".split(),
    *"mnɲŋlrwj",
    *"w̃ ˈ |".split(),
]
# ·: letters that belong to different sounds or syllables; ⁿ: nasality of the vowel before it;
# R: the sound of rz before its voice is known; °: a letter to be named, later the end of what the
# stress counts, or a word without stress.
MARKS = [*"·ⁿR°"]

RESPELLING = respelling(Path(__file__).with_name("respelling.tsv"), source=WRITING)

CLASSES = r"""
    V = {a ą e ę i o ó u y}
    C = {b c ć d f g h j k l ł m n ń p q r s ś t v w x z ź ż}
    W = # | \  | \-
"""

FOREIGN_LETTERS = r"""
    ; 1. Letters and accents from elsewhere; front rounded vowels lose their rounding.
    e -> ∅ / C _ {' ’} V                            ; Verne'a
    {' ’} -> ∅
    {á à â ã å ā} -> a
    {é è ê ë ä ö ő ø œ æ} -> e                      ; Görlitz
    ě -> i e
    {í ì î ï ü ű} -> i                              ; volapük
    {ô õ ō} -> o
    {ú ù û ů} -> u
    ý -> y
    {č š ž ƶ} -> {c z, s z, ż, ż}
    {ş ţ ç} -> {s z, c, s}
    {ď đ ť ľ} -> {d d t l}
    {ň ñ ř} -> {ń, ń, r z}
    ß -> s s
"""

LETTER_NAMES = r"""
    ; 2. Letters without a vowel are called by their names, with stress on the last; w and z alone
    ; are prepositions, but not with a full stop.
    {w, z} -> {w u, z e t} / W _ .                  ; W. Szymborska
    {., \,} -> \  / _                              ; J. Słowacki
    ∅ -> ° / W _ (C - {w z}) W
    ∅ -> ° / W _ C C+ W
    ∅ -> ° / ° C _ C
    ∅ -> ˈ / _ ° C W
    {b, c, ć, d, f, g} -> {b e, c e, c i e, d e, e f, g i e} / ° _
    {h, j, k, l, ł, m} -> {h a, j o t, k a, e l, e ł, e m} / ° _
    {n, ń, p, q, r, s, ś} -> {e n, e ń, p e, k u, e r, e s, e ś} / ° _
    {t, v, w, x, z, ź, ż} -> {t e, f a u, w u, i k s, z e t, z i e t, ż e t} / ° _
    ° -> ∅
"""

FOREIGN_SPELLINGS = r"""
    ; 3. Letters of names and loanwords.
    d u b b i n g -> d a b i n g
    w e e k e n d -> ł i k e n d
    g o o g l -> g u g l
    t w e e t -> t ł i t
    z z -> c / W p i _                              ; pizza
    t z -> c / _ W                                  ; Görlitz
    ∅ -> · / {h i, W} p _ h {o p, e n i}            ; hiphop, Phenian
    ∅ -> · / {e k s, d y s, f i s} _ h              ; ekshumacja
    h -> ∅ / W {b d g k l r} _                      ; Bhutan, Khmer
    {p h, t h, s h} -> {f, t, s z}
    s c h -> s z / W _ m i {d t}                    ; Schmidt
    c h -> c z / W _ i {l i, l e, p}                ; Chile, chip
    d -> ∅ / _ t W                                  ; Humboldt
    q u -> k w / _ V
    {q v} -> {k w}
    x -> k s
    c -> k / W _ {a n t o, a s t, a s u, a t e r, o n s, o r r, o t a n g, o v i, o w i d}
    c -> k / V _ t o r                              ; Victoria
    c -> k / _ r
    y -> j / W _ V
    y -> j / {a e o u} _                            ; Woytowicz
"""

BOUNDARIES = r"""
    ; 4. Behind a prefix, z ż i u begin something new: odzew, nadżerka, bezideowy, nauka.
    NEG = (n a j)? (n i e)?
    ∅ -> · / W NEG {o d, p o d} _ z (C | V - {i})
    ∅ -> · / W NEG n a d _ z (C | {a e o ó u})      ; but nadzy
    ∅ -> · / W NEG p r z e d _ z {a m, a w a, i m}
    ∅ -> · / W NEG {o d, p o d, n a d, b u d} _ ż
    ∅ -> · / W NEG {p o d, n a d, ś r ó d} _ z i e m
    ∅ -> · / W NEG {b e z, r o z} _ i {d e, g l, g r, m i e n, n, r, s k}
    ∅ -> · / W (d e)? z _ i {d e n, d i o, g n, l u s, n d, n f, n s, n t, n w, r o n, r y t}
    ∅ -> · / W NEG {n a, n i e, p o z a, p r z e, z a} _ u
    · -> ∅ / {n a, z a} _ u t {o y}                 ; zautomatyzować, nautyczny
    ∅ -> · / n a _ u {c z, k}                       ; unaukowić
"""

LETTERS_APART = r"""
    ; 5. r z that is no digraph.
    ∅ -> · / m a r _ z {ł l n}                      ; marznąć
    ∅ -> · / {o b, o d, p o, p r z y, r o z, w y, z a} m a r _ z a
    ∅ -> · / m i e r _ z {i ł l n}                  ; mierzić
    ∅ -> · / W (p r z e)? r _ z n                   ; rznąć
    ∅ -> · / W {t a, e, m u, b o, f o} r _ z {a o}  ; Tarzan, erzac

    ; 6. Vowels apart: muzeum, Mateusz, Seul, Aleuty, klient; elsewhere au and eu are diphthongs.
    ∅ -> · / e _ u {m W, s z}
    ∅ -> · / {s, W a l} e _ u {c l t}
    {a u, e u} -> {a ł, e ł}
    ∅ -> · / {k l i, p o l i} _ e {n s}

    ; 7. Loanwords with s z hard before i, and with n j, where ni belongs to the ending.
    ∅ -> · / s _ i {g m, k h, l i k, l o s, n g a, n g i, n g l, n u s}
    ∅ -> · / {e l i k, e p, p l e k} s _ i {g l r}
    ∅ -> · / h e l s _ i {n ń}
    ∅ -> · / {m a k, t a k} s _ i W
    ∅ -> · / {k w a, s u a, z a n} z _ i
    ENDING = {a, ą, e, ę, o, o m, a m i, a c h} W
    i -> j / {m p, s z p, l i t, r e t, r y t, t y r, n z, l a z, i f, l b} a n _ ENDING
    i -> j / (W | o) m a n _ {a ą ę}                ; mania, kleptomania
    i -> j / {k e, W a r m e, s ł o w e, c z e c z e} n _ ENDING
    i -> j / {W l, o p, r o b, c u k, a l p, w i r g} i n _ ENDING
    i -> j / {k o l, W a r, b e g, a r g, a r a g, t a g, e o g, W a g, i r} o n _ ENDING
    i -> j / {e d, k s, e s t, t a l, l a p, W j a p, W p o l, W b o l, b i l} o n _ ENDING
    i -> j / {m a z, r y z, w s, r e m, a r m} o n _ ENDING
    i -> j / W u n _ ENDING
    i -> j / W k? a n _ o n                          ; kanion
    i -> j / e ł g e n _ u s z                      ; Eugeniusz
"""

LETTERS_TO_SOUNDS = r"""
    SOFT = {ɕ ʑ t͡ɕ d͡ʑ ɲ}

    ; 8. Digraphs and single letters; rz is not yet a sound, for its voice may come from the left.
    ł -> ∅ / j a b _ k                              ; jabłko
    {c h, c z, s z, r z} -> {x t͡ʂ ʂ R}
    {d z, d ź, d ż} -> {d͡z d͡ʑ d͡ʐ}
    {c ć ś ź ż h} -> {t͡s t͡ɕ ɕ ʑ ʐ x}
    {w g} -> {v ɡ}
    ł -> w

    ; 9. i makes s z c dz n soft, and is only their sign before another vowel; else it is j there.
    {s z t͡s d͡z n} -> SOFT / _ i
    i -> ∅ / SOFT _ (V - {i})
    i -> ∅ / {t d} _ i W                            ; partii
    i -> j / (PHONE - {a u w̃}) _ ((V - {i}) | i W)
    ń -> ɲ
    n -> ɲ / _ j                                    ; linia
    · -> ∅

    ; 10. The nasality of ę and ą takes the place of what follows; at the end ę is oral.
    {ę ą} -> {ɛ ⁿ, ɔ ⁿ}
    ⁿ -> ∅ / ɛ _ W
    ⁿ -> ∅ / _ {l w}
    ⁿ -> m / _ {p b}
    ⁿ -> n / _ {t d t͡s d͡z t͡ʂ d͡ʐ}
    ⁿ -> ɲ / _ SOFT
    ⁿ -> ŋ / _ {k ɡ}
    ⁿ -> w̃
    n -> ŋ / _ {k ɡ}
    k -> ∅ / ŋ _ k                                  ; miękki
    {e o ó y} -> {ɛ ɔ u ɨ}
"""

VOICE = r"""
    VOICED = {b d ɡ v z ʐ ʑ d͡z d͡ʐ d͡ʑ}
    VOICELESS = {p t k f s ʂ ɕ t͡s t͡ʂ t͡ɕ}
    MUTE = VOICELESS | {x}

    ; 11. w and rz lose their voice behind a voiceless sound, even across r l (trwać).
    {v R} -> {f ʂ} / MUTE {r l}? _

    ; 12. At the end of a word obstruents have no voice.
    {VOICED, R} -> {VOICELESS, ʂ} / PHONE _ W

    ; 13. Groups take the voice of the last member; r l w in between do not stop this.
    R -> ʂ / _ MUTE
    R -> ʐ
    VOICED -> VOICELESS / _ {r l w}? MUTE [right-to-left]
    VOICELESS -> VOICED / _ VOICED [right-to-left]
"""

STRESS = r"""
    N = {a ɛ i ɔ u ɨ}
    K = PHONE - N - {ˈ \|}
    HARD = MUTE | VOICED

    ; 14. What the stress does not count: śmy, ście, and by with what follows, in forms in l and ł.
    ∅ -> ° / N K* (l i | w ɨ) _ (ɕ m ɨ | ɕ t͡ɕ ɛ) W
    ∅ -> ° / N K* (l i | w | w {a ɔ ɨ}) _ b ɨ (m | ɕ | ɕ m ɨ | ɕ t͡ɕ ɛ)? W

    ; 15. Words that lean on the next or the last one.
    ∅ -> ° / W _ {d ɔ, n a, ɔ, p ɔ, u, z a, v ɛ, z ɛ, k u, p ʂ ɨ, b ɛ s, d l a, p ʂ ɛ s} W
    ∅ -> ° / W _ {ɔ t, p ɔ t, n a t, p ʂ ɛ t, i, a, ʐ ɛ, ɕ ɛ, m i, t͡ɕ i, ɡ ɔ, m u} W

    ; 16. The last syllable but one, or the only one.
    ∅ -> ˈ / _ N K* N K* °
    ∅ -> ˈ / W K* _ N K* °
    ∅ -> ˈ / W (K | N)* _ N K* N K* W
    ∅ -> ˈ / W K* _ N K* W

    ; 17. The mark stands before the onset of the syllable.
    ∅ -> ˈ / W _ K+ ˈ
    ∅ -> ˈ / N K* _ (HARD {r l w v f ʂ ʐ} | K) j? ˈ
    ˈ -> ∅ / ˈ K+ _
    ° -> ∅

    ; 18. Words are parted by one bar.
    {\ , \-} -> \|
    \| -> ∅ / (# | \|) _
    \| -> ∅ / _ #
"""

POLISH = cascade(
    letters=LETTERS,
    phones=PHONES,
    marks=MARKS,
    rules=[
        RESPELLING,
        CLASSES,
        FOREIGN_LETTERS,
        LETTER_NAMES,
        FOREIGN_SPELLINGS,
        BOUNDARIES,
        LETTERS_APART,
        LETTERS_TO_SOUNDS,
        VOICE,
        STRESS,
    ],
    source=WRITING,
)
