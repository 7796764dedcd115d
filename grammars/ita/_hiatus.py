"""Rules of Italian for i before a vowel: a glide, or a vowel of its own.

The orthography writes both alike: storia [j a], allegria [i a]. ì is the stressed vowel, which
suffixes betray; ï is an unstressed one, behind a prefix or behind two consonants. What is left is
a glide (L. Canepari, *Manuale di pronuncia italiana*, 1999).
"""

from __future__ import annotations

HIATUS = r"""
    ; 3. Prefixes keep their i apart (riavere, biologia, antiaereo, semiasse), and so do cr- gr-.
    PREFIX = a n t i? | s e m | t r | p l u r | m u l t | p o l | m i n | a r c h | i p e r
    BIO = o {a c d e f g i l m p s} | e n n | a {l t u} | a s s
    i -> ï / W (r | PREFIX) _ VOWEL
    i -> ï / W b _ BIO
    i -> ï / o b _ o CONS                           ; aerobiologia
    i -> ï / W m _ o                                ; miopia
    i -> ï / {b c d f} r _ {a o} CONS               ; Adriano, ubriaco
    i -> ï / t r _ (o l | o t | a r c)              ; patriota
    i -> ï / {n v, s v, v v} _ {a o}                ; from via: inviare, sviare, avviare
    i -> ï / W v _ a (g g | t i c)                  ; viaggio
    i -> ï / q u _ {a o}                            ; equiangolo

    i -> ì / W CONS+ _ {a e i o} W                  ; the only vowel of a stem: via, zio, mie
    i -> ì / W _ o W

    ; 4. Unstressed endings in -eria; elsewhere it is a suffix and has the stress (libreria).
    ERIA = {a t, r t, W s, i s, W f, b, p, a l, v} e r
    i -> j / ERIA _ {a e} W                         ; materia, miseria

    ; 5. Suffixes with stressed i: sciences, arts, diseases, states (allegria, geografia, malattia).
    LOGY = (l | t | d r | p s o | s c | r g | z | n | m) o g
    NAMES = {o g, e r, a f, a p, o m, e m, e t r, a t, a t t, u r g, e r m, i a t r, o n i m, o f}
    SIA = {a s, e s, i s, o s, e s s, a s t}
    NIA = {f o n, t o n, r o n, r m o n, a g o n, l c o n, o m a n, W m a n, g e n, r e n, p e n}
    FEAR = {f o b, f a g, r r a g, m a g, p e d, r o d, l o d, g a m, c e f a l, m e g a l, f i l}
    POWER = {c r a z, o b a z, e m a z, o m a z, n a r c h, t a r c h, t r a r c h}
    CRAFT = {a t t o r, e g o r, r t o r, n o m a l, d a s c a l, m a n z, p u l i z, b u g}
    WORK = {e l e g, W r e g, s i n e r g, l l e r g, n e r g, s c o p, r o p, t o p, i o p}
    i -> ì / (LOGY | NAMES | SIA | NIA | FEAR | POWER | CRAFT | WORK) _ {a e} W

    ; 6. Nouns of repeated action in -io, from verbs (mormorio, brontolio, calpestio).
    ACTION = {i o l, c o l, t o l, g o l, z o l, s o l, m o l, e l l, o l l, u l l, a z z, i c h}
    ACTIONS = {o t t, e t t, i t t, e s t, i t, r m o r, v o r, i g i r, p e n d}
    i -> ì / (ACTION | ACTIONS) _ o W
"""
