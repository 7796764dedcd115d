"""German vowels: which e is schwa, which vowels are long, tense or lax.

Length follows Duden's *Aussprachewörterbuch* and T. A. Hall, *Phonologie* (2011): a vowel is long
under stress in an open syllable, and before one final consonant; it is lax in closed syllables,
and short but tense in open ones without stress. Stress itself is not written: it falls on the last
syllable that is not an ending (R. Wiese, *The Phonology of German*, 1996, chapter 8), so the rules
name the endings.
"""

SYLLABLES = r"""
    V = {a e i o u ä ö ü}
    LONG = {aː eː iː oː uː ɛː øː yː}
    NUC = V | LONG | {ə ɪ ɛ ɔ ʊ œ ʏ ă ɪ̯ ʊ̯ y ø}
    L1 = {b d f g j k l m n p r s ß t w t͡s}        ; one of these may follow a long vowel
    K = L1 | {h p͡f t͡ʃ ʃ ʒ ç ŋ}
    IN = NUC K*                                     ; behind a vowel of the same member
"""

SPELLINGS = r"""
    PAIR = {aa, ee, oo, ie, eau, ou, ai, ei, au, äu, eu}
    SOUND = {aː, eː, oː, iː, oː, u, a ɪ̯, a ɪ̯, a ʊ̯, ɔ ɪ̯, ɔ ɪ̯}
    ; 13. Two letters, or three, for one vowel; h lengthens.
    eur -> öhr / CONS _ (W | in)                    ; Friseur
    eu -> eː ʊ / _ {s m} W                          ; Museum
    PAIR -> SOUND
    {ah, eh, ih, oh} -> {aː eː iː oː} / _ (CONS | W | e | ung | ig | is)
    {uh, äh, öh, üh} -> {uː ɛː øː yː} / _ (CONS | W | e | ung | ig | is)
    h -> ∅ / iː _                                   ; Vieh, ziehen
"""

SCHWA = r"""
    ; 16. The vowels of prefixes, which are members by themselves now.
    e -> ə / W {b g} _ ⁀
    e -> ɛ / W {f t͡s}? _ r ⁀
    u -> uː / W t͡s _ W                             ; zu
    e -> ə / W ç _ n W                              ; -chen

    ; 17. e is schwa in endings, one or two of them, and before suffixes like -ung.
    END1 = {n, l, r, m, s, st, ns, ls, rs, nd, rn, ln, lt, rt, nds, rns, lns, rts}
    END2 = {lst, rst, tst, rnd, lnd}
    E2 = {n, l, r, nd, st, rt, lt, rnd, lnd, rst}
    e -> ə / IN _ (END1 | END2)? W
    e -> ə / IN _ E2 {e ə} {n, m, r, s, st, ns}? W
    e -> ə / IN ({t d} | K {n m}) _ t ({e ə} {n, r, s, st}?)? W ; wartet, not Paket
    e -> ə / IN _ {r l n} {uŋ, in, iʃ, ig, aɪ̯}
"""

LENGTH = r"""
    ; 18. Suffixes that are lax and have no stress.
    u -> ʊ / IN _ ŋ                                 ; -ung
    ; -isch, -ing, -innen, -ig
    i -> ɪ / IN _ ({ʃ, ŋ, n n} | g (W | ʊ ŋ | in | {e ə s t k}))
    i -> ɪ / IN {r t d g f n w ç b l s k} _ n W     ; -in
    i -> ɪ / IN _ ({s k} W | k ə)                   ; -is, -ik, -iker
    u -> ʊ / IN _ {s m} W                           ; -us, -um
    a -> ă / IN _ s W                               ; -as
    o -> oː / IN _ r W                              ; -or
    LIGHT = ə | ʊ ŋ | ɪ {ʃ, g, ŋ, n, k ə}

    ; 19. Long before one consonant, or a stop and a liquid, and a schwa or a suffix: Nebel, Adler;
    ; and before -bt, -gt of verbs.
    ∅ -> ː / V _ (L1 | {b d g p t k} {l r} | {b d g} n) LIGHT
    ∅ -> ː / V _ {b g} s? t (ə {n s r m}?)? W

    ; 20. Long before one consonant at the end, and the genitive of that: Weg, Tags, Kanals.
    ∅ -> ː / V _ L1 W
    ∅ -> ː / V _ {b d g t} s W
    ∅ -> ː / IN {a o u ä ö ü} _ {l r n m} s W
    ∅ -> ː / j o _ n s W

    ; 21. Long before the unstressed endings of loanwords: Drama, Logik, Studium.
    ∅ -> ː / V _ (L1 | {b d g} r) (V | ʊ {s m} | ɪ {s k} | ă s | oː r) W
    ∅ -> ː / V _ L1 i (ʊ {s m} | V s? | ə n?) W

    ; 22. Long before ß, and u and ü before ch: Fuß, Buch, but Bruch.
    ∅ -> ː / V _ ß (W | NUC | {t l})
    ∅ -> ː / (# | ANY - r) u _ ç (W | V | ə | ʊ)
    ∅ -> ː / {b t} ü _ ç (ə | W)
    {a ː, e ː, i ː, o ː, u ː, ä ː, ö ː, ü ː} -> {aː eː iː oː uː ɛː øː yː}

    ; 23. Elsewhere lax in closed syllables, tense in open ones.
    CLOSED = {ʃ ŋ p͡f t͡ʃ} | ç (K | W | LIGHT) | K W | {h j l m n r s ß w t͡s ç} K
    {e i o u ä ö ü} -> {ɛ ɪ ɔ ʊ ɛ œ ʏ} / _ (CLOSED | {b d f g k p t} (K - {l r w}))
    {ä ö ü ă} -> {ɛː ø y a}
"""
