"""French consonant letters: groups with h, gn, c g q before vowels, x."""

from __future__ import annotations

GROUPS = r"""
    ; 13. ch is [k] before consonants and in Greek words (écho, archange, chœur); sch is [ʃ].
    sch -> sk / _ iz                                ; schizophrène
    sch -> sk / i _ {é i}                           ; ischémie
    sch -> ʃ
    cch -> k                                        ; ecchymose
    ch -> k / _ {r, m, lor, tho}
    ch -> k / V _ t
    ch -> k / V n? _ n                              ; technique
    ch -> k / psy _ {a, o, i, éd}
    ch -> k / {ta, bra, pa} _ y
    ch -> k / W _ {œur, olé, oles, oli, ola, or, aos, aot, ald, alc, éla, élo, éno}
    ch -> k / W _ {itin, iton, iro, aris, iasm, iant, iral}
    ch -> k / {hydro, mito, anti, tétra, péri, dextro} _ {ol, or, ond, os}
    ch -> k / ar _ {aï, éo, ét, ang, ont}
    ch -> k / W or _ {e i}
    ch -> k / W é _ o ({g l s ï} | ca | END)
    ch -> k / eu _ ar
    ch -> k / caté _ u
    ch -> k / W ma _ {iav, ao}
    ch -> k / W {sto, stœ, mala} _
    ch -> k / W {tri, di} _ o
    ch -> k / {a o} _ ẕ? END                          ; krach
    ch -> k / dextro _
    ch -> k / W é _ in
    ch -> ʃ

    ; 14. Other groups with h.
    {ph, th, rh, kh, gh, wh, dh, bh, sh} -> {f, t, r, k, ɡ, w, d, b, ʃ}

    ; 15. gn is one sound, but [ɡ n] at the beginning and in some Latin and Greek words.
    gn -> ɡn / W _ {os, om, eis, ou}
    gn -> ɡn / W a _ {os, at}
    gn -> ɡn / {dia, sta, géo, physio} _ {o a é i e u}
    gn -> ɡn / W i _ {if, é}
    gn -> ɡn / W co _ it
    gn -> ɡn / W pu _ a
    gn -> ɡn / W ma _ {at, um}
    gn -> ɲ

    ; 16. u behind c g q shows that they are hard; in some words it is said.
    {cueil, gueil} -> {kœil, ɡœil}                  ; cueillir
    g -> ɡ / W ar _ u                               ; arguer
    g -> ɡ / W ai _ ui {l s z}                        ; aiguille
    g -> ɡ / lin _ uis                              ; linguiste
    gu -> ɡw / {ja, ara, W, W i} _ a                ; jaguar
    gu -> ɡw / lin _ {al, aux}
    gu -> ɡ / _ {e é è ê i î y a â o}
    qu -> ku / W é _ ila
    qu -> ku / ubi _
    qu -> kw / (W a | {adé, W é, W iné, péré}) _ a
    qu -> k / _ adrill
    qu -> kw / W _ {adr, artet, artz, arto, atuor, atern, asar, att}
    qu -> kw / s _ {al, am, aw, att, are}
    qu -> kw / lo _ ac
    qu -> kw / W a _ i f
    cqu -> k
    qu -> k
    q -> k

    ; 17. c and g are soft before front vowels; the e of pigeon is written for that alone.
    ge -> ʒ / _ {a o â ô}
    gg -> ɡʒ / su _ FRONT                           ; suggérer
    gg -> ɡ
    {cc, xc} -> kç / _ FRONT
    sc -> çç / e _ FRONT                            ; adolescent
    sc -> ç / _ FRONT
    c -> ɡ / W se _ ond
    c -> ç / _ '                                    ; c'est
    c -> k / _ œ u                                  ; cœur
    ce -> ç / _ {â o}                               ; douceâtre
    {c g} -> {ç ʒ} / _ FRONT
    c -> ∅ / _ k
    {c g} -> {k ɡ}
    e -> ə / W {b c ç d f g k l m n p r s t v z ʃ ʒ}* _ E    ; le, que
    e -> ᵊ / _ E
    œ -> é / _ (ANY - {u i})                        ; œdème

    ; 18. x is voiced in ex- before vowels, and at the beginning.
    x -> ɡz / W _
    x -> ɡz / (W (in | ko | pré | ré | dés | non)? | h) e _ h? V
    x -> z / W (deu | si | di) _ i                  ; deuxième
    x -> ç / W {soi, bru, au} _ {ant, ell, err, onn}
    x -> kç
"""
