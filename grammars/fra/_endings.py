"""French endings: silent and sounding letters at the end of words.

The end of a French word shows its grammar rather than its sound: -ent is a silent person of verbs
and a nasal vowel of nouns, -tions a noun or an imperfect, -er an infinitive or [ɛʁ]. Where the
spelling is ambiguous, the larger class is the rule and the smaller one is listed.
"""

from __future__ import annotations

ENT = r"""
    ; 4. -ent. It is that of bien in tient and vient and in what is made of them.
    TIENT = W (re | ob | con | main | dé | abs | appar | sou | entre)?
    VIENT = W (re | con | par | pré | de | inter | sub | sur | pro | sou | ad | contre | discon)?
    en -> in / (TIENT t | VIENT v) i _ t END

    ; 5. In plural nouns (serpents) and in words of one syllable it is nasal; ¨ says so.
    ent -> en ¨ t / W C* _ END                        ; dent

    ; 6. Behind m it is silent after stems of verbs in -mer and -mir (aiment, dorment), and nasal
    ; in nouns and adverbs.
    MER = W ai | {essai, désai, ô, â, î, bau, chau, gra, nfla, cla, ffa, tra, éta, bra, sla, phè}
    MER = MER | W (p | im | com | sup | ré | dé | op | ex | é | re) p? ri | {sti, egri, bri, cri}
    MER = MER | W {ani, réani, mi, li, ri} | {subli, enveni, légiti, inti, déci, péri, arri}
    MER = MER | W {fu, pari} | {plu, xhu, inhu, llu, résu, assu, nsu, présu, parfu, enrhu, écu}
    MER = MER | {mbru, costu} | W {for, dor, nor, ar, fer, fil, nom} | {mfor, ffor, éfor, nsfor}
    MER = MER | {refor, nfor, rfor, ndor, char, alar, désar, ffir, nfir, ger, refer, enfer, cal}
    MER = MER | {refil, som, gom, gram, flam, renom, énom, urnom, pom}
    ent -> e ṯ / MER m _ END
    ent -> en ¨ t / m _ END

    ; 7. Elsewhere it is silent, but for listed nouns and adjectives.
    ent -> en ¨ t / W (in | im | co | pré | sub | sous | super | omni | équi)? NOUN _ END
    ent -> e ṯ / _ END
    ¨ -> ∅
"""

TI = r"""
    ; 8. s is voiced between vowels, but not at the beginning of the second part of a word.
    FIRST = {anti, para, mono, poly, hydro, micro, électro, photo, radio, néo, ultra, infra, auto}
    FIRST = FIRST | {hétéro, homo, tourne, entre, contre, aéro, méta, télé, géo, pseudo, bio, neuro}
    FIRST = FIRST | {socio, psycho, vrai, gyro, thermo, uni, co, cosinu, demi, macro}
    s -> ç / W FIRST _ V
    s -> ç / W pré _ {up, éan}                      ; présupposer
    s -> z / V _ V
    s -> z / W dé _ h V                             ; déshabiller
    s -> z / W (in)? tran _ (h V | {a â é i})             ; transaction

    ; 9. t before i is [s] in learned words (nation, initial, patience), but not behind s and x.
    ; -tions is a noun with [s], or an imperfect with [t] behind what only stems of verbs end in.
    t -> ç / W (men | no | mo | émo | po | lo) _ ions END
    INVEN = {tten, nten, nven, rven, éven, bven, sten, éten, bten, por, sser, nser, éser, cré, plé}
    t -> ç / INVEN _ ions END
    t -> t ¨ / ({t ô â ê î û é n r o l} | {ai, oi, ou, eu, omp}) _ ions END
    t -> t ¨ / W {habi, hési, évi, méri, imi, limi, invi, profi, réci, ci, exci, qui} _ ions END
    t -> t ¨ / {bri, fri, agi, cili, mili, gravi, palpi, irri, visi, débi, lici, dépi} _ ions END
    t -> t ¨ / {scu, réfu, W bu, débu, cru, percu, mpu, hu, ju} _ ions END
    t -> t ¨ / W {da, ra, consta, dila, épa, écla, hydra, bla, ma, ga, colma} _ ions END
    t -> ç / (ANY - {s x ¨}) _ {ion, iel, ieux, ieuz, ial, iaux, iair, ium, ius, iane, ience}
    t -> ç / (W (im)? pa | quo) _ ien t
    t -> t ¨ / (TIENT | chré | an) _ ien
    t -> ç / {a é i ï u r p n è y} _ ien (n | s? END)   ; martien
    t -> ç / ({a é u} | {io, cra, iner, inep, calvi, minu, onto}) _ ie s? END
    t -> ç / ({ini, balbu, insa, propi} | W sa) _ i V ; initié
    ¨ -> ∅
"""

FINAL = r"""
    ; 10. -ing; -er as in parler, but with r that sounds in monosyllables and in -vers; les; pied.
    ing -> iŋ / C _ s? END
    er -> é ṟ / V INNER* _ END
    er -> é ṟ / V INNER* (INNER - v) _ s END
    ez -> é ẕ / _ END
    e -> é / W C _ s END
    e -> é / i _ d s? END
    e -> è / _ t s? END                               ; effet

    ; 11. A final s sounds in Greek and Latin words (virus, oasis, cosmos, Agnès), but is silent in
    ; plurals, persons of verbs and -us of participles and adjectives.
    SILENT = {ab, mb, rb, éc, nc, nd, ard, ord, erd, sid, vid, od, ff, nf, of, tif, ig, eg, tig}
    SILENT = SILENT | {ch, ʒ, l, nn, en, rn, omp, rep, rap, ipp, our, par, cr, is, es, os, ss, tt}
    SILENT = SILENT | {êt, int, rt, obt, v, ç, qu, e, tr, br, o, a, ain, ép}
    SILENT = SILENT | W {d, n, p, r, s, t, m, c, b, f, l, v}
    s -> ç / {all, mul, gul, rul, dal, col, rol, aul, cul, bul, yl} u _ END
    s -> ẕ / SILENT u _ END
    s -> ç / V INNER* C u _ END
    s -> ç / {i é ï} u _ END
    s -> ç / {ps, ax, ox, as, os, rs, pol, phil, yll, oz, ys, phyl, ex} i _ END
    s -> ç / {tm, oln, ern, rin, ouan, hron, lb, rm} o _ END
    PROGRES = W {d, l, pl, tr, gr} | {pr, ucc, roc, acc, exc, bc, éc, ogr, ongr} | aup
    s -> ẕ / PROGRES è _ END
    s -> ç / V INNER* è _ END
    s -> ç / W C è _ END
    s -> ẕ / _ END

    ; 12. Other final consonants that are silent, alone or before this s: t and d, but not behind c
    ; and s; p behind m and ou; g behind n, b behind m; the c of blanc; x behind u and oi ai.
    x -> ẕ / {a e o œ} u _ END
    x -> ẕ / {oi, ai, flu} _ END
    c -> ḵ / {an, er, on} _ ẕ? END
    ect -> èṯ / sp _ ẕ? END                            ; respect
    ct -> ṯ / {tin, cin} _ ẕ? END                     ; instinct
    {t d} -> ṯ / ({V n r} | {aul, ul, ng, mp}) _ ẕ? END
    p -> p̱ / (m | ou) _ (ẕ | ṯ | END)
    p -> p̱ / r _ ẕ END
    g -> ḵ / {n, our} _ (ẕ | ṯ | END)
    b -> p̱ / m _ ẕ? END
    g -> ∅ / n _ {t c k}                             ; vingtaine
    l -> ∅ / au _ ṯ
    p -> ∅ / W ba _ t                               ; baptême
    p -> ∅ / l _ t                                  ; sculpter
    t -> ∅ / W mon _ ({p b c f g l m s v q} | r {éa, oug, eui}) ; Montmartre
"""
