"""Rules of Italian for open and closed e and o, which the orthography does not tell apart.

Only stressed vowels can be open; unstressed ones, and stressed ones before most clusters with a
nasal, are closed. Which stressed vowels are open depends on their history, Latin short e o against
long e o and short i u, and shows in suffixes and in the consonants that follow: -ello, -enza,
-iere, -orio are open, -etto, -ese, -one, -oso are closed (B. Migliorini, C. Tagliavini and P.
Fiorelli, *DOP: Dizionario d'ortografia e di pronunzia*; A. Camilli, *Pronuncia e grafia
dell'italiano*, 1965). As the place of the stress is not written either, these rules look for the
end of the word: è ò are open, é ó closed against a later rule.
"""

from __future__ import annotations

ENDINGS = r"""
    ; What may follow a stem: endings of nouns and adjectives, and those of unstressed verb forms.
    NOUN = {a, e, i, o, h e, h i} W
    FORM = {a, e, i, o, a n o, o n o} W
    VERB = {a, e, i, o, h e, h i, a n o, i n o, o n o, h i n o} W
    INFINITIVE = {e é} r {e, s i} W
    IC = i c {o, a, i, h e} W
"""

CLOSED = r"""
    ; 8. Closed e, where the rules below would open it.
    e -> é / v _ {n d, n n} (VERB | INFINITIVE)     ; vendere, venne
    e -> é / {v, c r} _ d (VERB | VOWEL)            ; vedere, credo
    e -> é / {v s d n t m c} _ l a W                ; vela, candela, mela
    e -> é / {n g, o f, o t} _ l NOUN               ; angelo, Aristotele
    e -> é / (q u | W n | W d | W c a p) _ l l NOUN ; quello, nello, capello
    e -> é / s t _ l l {a e} W                      ; stella
    e -> é / m _ n t                                ; -mente, -mento
    e -> é / m _ t t INFINITIVE                     ; mettere
    e -> é / {n, a c, v, r r, o r, u r, e r, m m, c l} _ {e i o} W          ; ferreo, terraneo
    e -> é / n _ a W
    e -> é / {e r, i r, s s} _ m o W                ; saremo
    e -> é / g l i _ r e W                          ; cogliere

    ; 9. Closed o.
    o -> ó / ({n d i o e W} d | W s | h i | W r | r r) _ t t {a e i o} W    ; condotto, sotto, rotto
    o -> ó / b _ t t e W
    o -> ó / c i _ l VOWEL W                        ; nocciolo
    o -> ó / f _ b VOWEL W
    o -> ó / _ t r i c {e i} W                      ; attrice, motrice
    o -> ó / W {d r} _ m a n                        ; domani, romano
    o -> ó / (W r | l r | W t) _ s s VOWEL          ; rosso, tosse
    o -> ó / {b p s} _ l l VOWEL W                  ; pollo, bolla
    o -> ó / W c _ r t                              ; corto
    o -> ó / W p r _ f i l
    o -> ó / t _ r b i d
"""

LEARNED = r"""
    ; 10. First members of compounds that keep an open vowel under their secondary stress.
    e -> è / W e l _ t t r o (CONS - {d f g l})     ; elettrotecnica
    e -> è / n _ u r o (CONS - {b l})               ; neurochirurgo
    e -> è / {a s} _ u {r o, d o}                   ; pseudonimo, centaurei
    o -> ò / W p _ r t a ((CONS - {t l r}) VOWEL | VOWEL | CONS CONS)       ; portabandiera
    e -> è / W c _ n t o CONS VOWEL                 ; centomila
    e -> è / W m _ z z {a o}                        ; mezzogiorno

    ; 11. Learned words are stressed on the last syllable but two, and open there.
    {e o} -> {è ò} / _ CONS* IC                     ; poetico, storico, eroico
    e -> è / _ u CONS+ IC                           ; terapeutico
    {e o} -> {è ò} / _ CONS+ {u l, i d} {a e i o} W ; regola, solido
    {e o} -> {è ò} / _ {r t, d, l l, m p l, n d} i c {e i} W                ; codice, vertice
    GREEK = {g e n, l o g, l o g h, g r a f, f a g, f a g h, m e t r, f o n, t r o p, f i l, m a n}
    GREEKS = {n o m, p o l, f o b, f ó b, d r o m, t r o f, n i m, f a n, p a t, f o r, c r a t}
    HELLENIC = {s c o p, s o f, g o n, v o r, m a l, b o l}
    o -> ò / _ (GREEK | GREEKS | HELLENIC) NOUN     ; geologo, fotografo, termometro, metropoli
    LATINO = {p e r, b i l, l i d, m p u t, c e r, t t o l, c c o l, c o l, p u l, s i t, v e r}
    LATINOS = {t t e r, t i l, g o l, t o l, n a c, d e r, t t i m, s s i m, p p o l, l l e r}
    o -> ò / _ (LATINO | LATINOS) NOUN              ; opera, mobile, popolo, ottimo, monaco
    o -> ò / s _ l i t NOUN                         ; solito
    LATINE = {f a l, r m i n, d i t, n t o l, c u p l, p u t, b i t, c o l, n d o l, b i l, l a g}
    LATINES = {d u, d o l, f o n, t a l, f i r, g o n, s s e r, s i m, c i m, r t o l, t t i l}
    e -> è / _ (LATINE | LATINES) NOUN              ; termine, debito, secolo, telefono
    e -> è / g _ {m i n, n e r, n e s} NOUN         ; genere
    e -> è / m _ r i t NOUN                         ; merito
"""

OPEN_E = r"""
    ; 12. Open e, by what follows the stressed vowel.
    e -> è / _ n z {a, e, i, o, i a, i o, i e, a n o, i n o} W              ; scienza
    LIQUIDE = {l l, l, r n, r g, r t, r p, r v, r b, s t r, l t, l s, d r, b r, b b r}
    STOPE = {n d, c, m, d, b b, n s, f f, f, g i, m p, c t, n g, q u}
    e -> è / _ (LIQUIDE | STOPE) VERB               ; bello, verde, tempo, greco
    e -> è / _ n t FORM                             ; gente, lento; -entino is closed
    e -> è / _ {l l, n d, r g, r v, r n, t t, d} INFINITIVE                 ; prendere
    e -> è / {i j} _ {c, d, m, n, r, t, v, t r} NOUN ; piede, ieri, bandiera, pietra
    JE = {l i, r r, v i, d i, b, b i, n n i, n d i, s s i, r i, n i, z i, s c i, c i, l l i}
    JOTE = {r b i, r g i, r c i, r v i}
    e -> è / _ (JE | JOTE) NOUN                     ; terra, serio, genio, specie
    e -> è / {b, v, s p} _ c c h i NOUN             ; vecchio, specchio
    e -> è / {l, g r, b r, o} _ v VERB              ; leva, breve
    e -> è / (g r | l l) _ g VERB                   ; allega
    e -> è / {m, p, p r} _ z z VERB                 ; mezzo, pezzo
    TT = {e f f, W a f f, i f, r f, s p, o g g, d i r, o r r, n c, c c}
    e -> è / TT _ t t VERB                          ; effetto, perfetto, aspetto, oggetto
    e -> è / s _ t t e W                            ; sette
    e -> è / ({o n e u c W} c | g r | p r | f l | p l | n n | f | d | v) _ s s VERB ; processo
    e -> è / {l r t} _ g g {o, a, e r e, o n o, a n o} W                    ; leggere
    e -> è / {r r, o t, W l} _ g g i W
    e -> è / (ANY - {d t u}) _ s t {a o} W          ; festa; but questo
    e -> è / (W {f g l r t v} | r e | m o l | o n | n t | r o t | n f | c e l | p r) _ s t {e i} W
    e -> è / {c v} _ n t r VERB                     ; centro, ventre
    e -> è / _ {n n, m m} {a e} W                   ; gemma, penna
    e -> è / {m p v} _ r s {a e i o} W              ; verso, perso
    e -> è / {d g p} _ r m VERB                     ; germe
    e -> è / {g m p} _ r l VERB                     ; perla
    e -> è / {b c g i l o p} _ t VERB               ; poeta, atleta
    e -> è / {c, z, s s} _ n FORM                   ; scena
    e -> è / s f _ r NOUN                           ; atmosfera
    e -> è / (W m | r r) _ t r VERB                 ; metro
    e -> è / i _ s i W
    e -> è / _ {a e i o} W                          ; idea, museo
"""

OPEN_O = r"""
    ; 13. Open o.
    STOPO = {r f, l g, g l i, c c, c c i, t, r t, b, b b, b i, r b, l v, c c h i, s s, p p, f f}
    o -> ò / _ (STOPO | r p | r z | l i | r g i | s c i) VERB   ; porta, nota, foglia, olio
    o -> ò / {b n} _ s c VERB                       ; bosco
    o -> ò / ({i l p s} | W {m n} | {b f} r) _ d VERB                       ; modo, chiodo
    o -> ò / _ {r d, v, l g, l v, g l i, r c} INFINITIVE                    ; mordere, muovere
    JO = {t t, r i, l l, s t, d i, p i, n i, z i, s i, s t r, m i, i d}
    o -> ò / _ JO NOUN                              ; otto, storia, collo, costa, odio, negozio
    o -> ò / _ i a W                                ; gioia
    o -> ò / ({i r} | W n | n n) _ v NOUN           ; nove, prova
    o -> ò / {d g m n} _ n n NOUN                   ; donna
    o -> ò / {b, t r, r r} _ z z VERB               ; carrozza
    o -> ò / {f p} _ r g VERB
    U = {b c d f h i j l m n p r s t v} | W
    o -> ò / U u _ {c d g i l m n p r t v} VERB     ; buono, fuoco, uomo
    o -> ò / {i j ï} _ l VERB                       ; viola
    o -> ò / {b f g i l n p s t} _ c {o, a, h e, h i, a n o, h i n o} W     ; poco, gioco
    o -> ò / {b d f n p s} _ c i {a e o} W          ; socio
    o -> ò / g _ g {o, a, h e, h i} W
    o -> ò / _ m a W                                ; idioma
    o -> ò / {r s} _ m {i o} W
    o -> ò / c _ r {d n p} VERB                     ; corpo, ricordo, corno
    o -> ò / {v, t, i, c c} _ l t VERB              ; volta, raccolto
    o -> ò / W {c r} _ s a W                        ; cosa, rosa
    o -> ò / {r f, p t, m b, c r, r c, c l e r} _ s i W                     ; trombosi
    o -> ò / _ {a e i o} W
"""

VOWELS = [ENDINGS, CLOSED, LEARNED, OPEN_E, OPEN_O]
