"""English: consonant letters to consonants, after Venezky 1970 and Carney 1994."""

from __future__ import annotations

CONSONANTS = r"""
    ; 15. Silent letters at the edges of words.
    know -> nō / D _
    {kn, gn, pn, mn} -> n / D _
    {wr, rh} -> r / D _
    psych -> sīk / D _
    ps -> s / D _
    pt -> t / D _
    who -> ho / D _ l
    who -> hu / D _
    wh -> w
    h -> ∅ / D _ (our | onest | onor | eir)
    {mb, mn} -> m / _ (W | · {b z d} | ·ɨŋ)
    b -> ∅ / _ t (D | əl)                           ; debt, subtle
    {aign, eign} -> ān / D C* _ D                   ; reign
    {aign, eign} -> {ān, ən} / _ D                  ; campaign, foreign
    ign -> īn / _ D                                 ; sign
    st -> ss / V _ l·                               ; wrestling
    ften -> fən / _ D

    ; 16. gh: f in a few words, else silent behind a vowel, with which it is a vowel sign.
    {aught, ought} -> ɔt
    {laugh, draugh} -> {læf, dræf} / D _
    through -> θɹū
    {rough, tough, nough} -> {rʌf, tʌf, nʌf}
    {cough, trough} -> {kɔf, trɔf}
    {though, dough, ough} -> {ðō, dō, ō}
    eight -> īt / D (h | sl) _
    {eigh, igh, aigh} -> {ā, ī, ā}
    gh -> ɡ

    ; 17. ch is t͡ʃ, but k in Greek words and before consonants; ʃ in French ones.
    tch -> t t͡ʃ
    sch -> ʃ / D _ {l m n w r}
    ch -> k / _ (l | r | n | m | t)
    ch -> k / s _
    ch -> k / {te, y, me, psy, li, ra, ro, ri, a} _ ({o i y} | n | ĭ | əl | `)
    ch -> k / D ar _ {a e i} {i n t a e}
    ch -> k / D _ {aos, arac, aris, asm, em, imer, ir, itin}    ; charisma
    ch -> k / D _ {ole, oli, or, oir, ond, amae}    ; chorus
    ch -> k / D {a, e, stoma, an, or, patriar, monar, mon} _ {e o a i ə ō ĭ}
    ch -> ʃ / D (ma | para | bro | qui | ca) _ {i e u}
    ch -> ʃ / D _ (ef D | ic D | amp | ateau | auf | ande | arlot | icago)
    ch -> t͡ʃ

    ; 18. Other groups with h.
    sh -> ʃ
    ph -> f
    th -> ð / D _ {e, is, at, en, us, y, ey, an} D  ; the words of grammar: the, this
    th -> ð / D _ {ə, em, ere, ese, ō, eir, ose}    ; them, those
    th -> ð / {a e o i} _ (·ɚ | ɚ | e D | er)       ; mother, breathe
    th -> ð / r _ (·ɚ | er | y D | ĭ)
    th -> t / D _ {yme, om, ames, ai}
    th -> θ
    {rrh, rh} -> {rr, r}
    cz -> t͡ʃ

    ; 19. s is z between vowels in many words; soft c is always s.
    s -> z / (C | W) {i o u} _ e (W | ·z)                  ; rose, use, advise
    s -> z / {oi, au, oo, ui, ai, ee} _ (e | ·ɚ | ·ɨŋ | ən | əl)
    s -> z / (D | pl | t | D dis) ea _ e
    z -> s / {c ṡ m} i _ e D                        ; precise
    s -> z / vi _ {a i u ɚ}                          ; supervisor
    s -> z / D re _ i                               ; resignation
    s -> z / V _ (m | b | d | g | it | `ɨt | `əb | ´ĭəm)
    s -> z / D pre _ id                             ; president
    s -> z / D C* {i o u} _ · {d ɨ ɚ}
    m -> əm / {θ ð} _ D                                 ; algorithm
    s -> z / {e a o i} _ ən
    s -> z / D C* {o e a i} _ {ən, əl, ĭ}
    {sc, ck} -> {sk, kk}
    {c ṡ} -> {k s}

    ; 20. x, j, y, and g.
    x -> z / D _
    x -> ɡz / D e _ h? {a e i o u}
    x -> ks
    ġ -> d͡ʒ
    y -> j / {n l} _ {a o u}                        ; canyon
    y -> j / D _ V
    y -> j / V _ {a o u}
    n -> ŋ / {a o u y ɔ} _ {k ɡ}
    n -> ŋ / {i e} _ {k ɡ} (D | ə)
    n -> ŋ / C {i e} _ {k ɡ}
    ng -> ŋ / _ D
    ng -> ŋ / _ (b | d | f | p | s | t | θ | m | n)
    ng -> ŋɡ
    g -> ɡ
    h -> ∅ / V _ (D | C)
    r -> ɹ
"""
