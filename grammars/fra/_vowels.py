"""French vowel letters: ill and y, nasal vowels, digraphs; then the laws of e, o, eu and glides."""

from __future__ import annotations

ILL_AND_Y = r"""
    ; 19. ill is [ij], behind vowels [j]; but [il] in ville, mille, tranquille and learned words.
    ill -> ij / {ʃe, ke} v _                      ; cheville
    ill -> il / W _ V
    ill -> il / W v _
    ill -> il / v _ ({ᵊ, oi, ien, ist, ag})
    ill -> il / W (bi | tri)? m _
    ill -> il / ({rank, oç, kç, puz} | {W dist, W inst, W cyr, W l, W w}) _
    ill -> il / {baç, diç, béç, anç, tiç, niç, luç, sç, aʃ, yr} _
    ill -> il / {p, br, m} _ air                    ; capillaire
    ill -> il / (W (b | tr | kadr | kwadr | katr) | {pt, kçt, ç, non}) _ {ion, iar}
    il -> j / {a, â, e, œ, eu, ou} _ E                     ; travail
    ill -> j / {a, â, e, œ, eu, ou} _ V
    ill -> ij / _ V

    ; 20. y between vowels is two i, one for each (payer); elsewhere i.
    ay -> éi / W (dé)? p _ {ẕ z}                    ; pays
    ay -> aj / (W {k m b f c} | {pap, isc, isk, mal, sip}) _ V
    {ay, ey, oy, uy} -> {ɛj, ɛj, waj, uij} / _ V
    y -> i
"""

NASALS = r"""
    ; 21. A vowel before n or m that closes the syllable becomes nasal. en is that of bien behind
    ; i and é, but not in patient and science. Other final -en, -em, -am, -um, -im are foreign.
    K = {b d f g k l p q r s ç t v w x z ɡ ʃ ʒ ɲ ŋ ẕ ṯ ṟ p̱ ḵ}
    e -> a / _ mmenṯ END                               ; évidemment
    emm -> ɑ̃m / W r? _
    enn -> ɑ̃n / W r? _ {ui, obl, eig}
    en -> ɑ̃n / W _ {ivr, orɡ, amou}
    en -> ɑ̃ / W _ {h, E}
    un -> ɔ̃ / {av, n, f, W p} _ {k ɡ}               ; nuncupatif
    man -> mann / {r, d, by, ra, tle, ss, t} _ ẕ? END  ; barman
    en -> ɛ̃ / p _ ta                                ; pentamètre
    en -> ɛ̃ / b _ z                                 ; benzène
    {ain, ein, aim, eim} -> ɛ̃ / _ (K | E)
    oin -> wɛ̃ / _ (K | E)
    en -> ɛ̃ / {i é ï j} _ ẕ? END
    en -> ɛ̃ / i _ dr
    en -> ɛ̃ / W bi _
    {an, en} -> ɑ̃ / _ K
    an -> ɑ̃ / _ E
    {am, em} -> ɑ̃ / _ {b p f p̱}
    {in, ïn, în} -> ɛ̃ / _ (K | E)
    în -> ɛ̃ / _ m                                   ; vînmes
    im -> ɛ̃ / _ {b p f}
    on -> ɔ̃ / _ (K | E)
    om -> ɔ̃ / _ {b p f t ṯ p̱}
    om -> ɔ̃ / n _ E                                 ; nom
    eun -> œ̃ / _ E                                  ; jeun
    un -> œ̃ / (# | ANY - {o a}) _ (K | E)
    um -> œ̃ / _ {b p f}
    um -> ɔm / (ANY - {o a e œ}) _ E
    m -> ∅ / {da, auto} _ n                         ; damner
    p -> ∅ / {k, d, pr} ɔ̃ _ {t ṯ}                              ; compter
"""

DIGRAPHS = r"""
    ; 22. Vowels that are written with two or three letters. From here on ô is [o], ù [u], é [e].
    ai -> é / _ END                                   ; j'aimerai
    ai -> e / f _ z (V | ɔ̃ | ɑ̃)                              ; faisons
    au -> o / _ r                                   ; aurore
    {eau, au} -> ô
    ʒean -> ʒan                                     ; Jeannine
    {ee, eᵊ} -> i                                   ; green, bee
    ea -> i / C _ {d t m k s z}                     ; dealer
    ï -> j / {a o} _ E                              ; banzaï
    {eu, eû} -> û / W _ (E | {ss, rᵊ, mᵊ, tᵊ})            ; eu
    ê -> é / (ANY - o) _ (K | {m n}) {a i é è o â î u}                 ; by harmony: fêter
    e -> ə / W r _ h                                ; rehausser
    eû -> ø
    {œu, eu} -> œ
    oo -> o¨o / W z _
    oo -> o¨o / W k _ {p r}                     ; coopérer
    {ou, où, oû, oo} -> ù
    {ai, aî, ei, eî, ae, aë} -> {ɛ, ɛ, ɛ, ɛ, é, aɛ}
    e -> ∅ / _ oi
    {oi, oî, oê} -> wa
    ë -> ∅ / u _ E
    {è ê ë} -> ɛ
    ï -> j / V _ V
    {à â î ï û ü} -> {a a i i u u}
    {h ¨ '} -> ∅
"""

LAWS_OF_E = r"""
    VOWEL = {a é ɛ i o ɔ ô u ù œ ø ə ɑ̃ ɛ̃ ɔ̃ œ̃}
    K = {b d f k l m n p r s ç t v w z ɡ ʃ ʒ ɲ ŋ j}
    LIQUID = {l r}
    STOP = {b d f k p t v ɡ}

    ; 23. e before a double letter is [ɛ] if the next e is silent (belle), else [e] (effet); in
    ; re- it is [ə] even there (ressentir).
    PAIR = {bb, çç, dd, ff, kk, ɡɡ, ll, mm, nn, pp, rr, ss, tt, vv, zz}
    e -> é / W r _ ss {uç, ui}
    e -> ə / W r _ ss
    rr -> r¨r / {kù, mù} _ {a ɛ é ɔ̃}                 ; courra
    e -> ɛ / _ PAIR (r? ᵊ | E)
    e -> ɛ / _ PAIR e (r {a ɛ ɔ̃ é i} | mɑ̃ | té)
    e -> é / _ PAIR
    {bb, çç, dd, ff, kk, ll, mm} -> {b ç d f k l m}
    {nn, pp, rr, ss, tt, zz, ɡɡ, vv} -> {n p r s t z ɡ v}
    ¨ -> ∅
    ç -> s

    ; 24. e is [ɛ] in closed syllables (avec, rester).
    e -> ɛ / _ K E
    e -> ɛ / _ j
    e -> ɛ / _ (K - STOP) (K - w)
    e -> ɛ / _ STOP (K - {l r w})

    ; 25. Elsewhere e is silent at the end and beside vowels; [ə] in the first syllable (demain),
    ; between three consonants (justement) and before the glide of -eriez; else silent.
    ᵊ -> ∅
    e -> é / W _ K
    e -> é / W {ɛ̃t, sup, ip} _ r VOWEL             ; interaction
    e -> ə / W K+ _ K
    e -> ∅ / VOWEL _
    e -> é / _ VOWEL
    e -> ə / VOWEL {r ɲ} _ r
    e -> ə / W ɑ̃r _ K
    e -> ə / (K K | ə K) _ K
    e -> ə / _ ({l r n} i VOWEL | K K)
    e -> ∅
"""

LAWS_OF_VOWELS = r"""
    ; 26. o and eu are closed at the end of words and before [z], eu also before t d k and at the
    ; beginning.
    o -> ô / _ E
    o -> ô / _ z
    o -> ô / (W | o) z _ n                          ; zone
    o -> ô / (W at | aksi | idi | kr) _ m E         ; atome
    œ -> ø / _ E
    œ -> ø / W _ (K - {v j f r})
    œ -> ø / W n? _ r VOWEL                         ; Europe, neurone
    œ -> ø / pl _ v
    œ -> ø / _ {z t d k ʒ m s}
    œ -> ø / _ VOWEL

    ; 27. i u ou before a vowel are glides; behind a stop with l or r only u is one, before i.
    i -> ∅ / j _ (é ṟ | ɛr)                         ; groseillier
    i -> ï / W (ɑ̃t | pol | sem | mult) _ {a o ô u œ} ; antiaérien
    i -> ij / STOP LIQUID _ (VOWEL - i)
    i -> j / _ (VOWEL - i)
    u -> ɥ / _ i
    {u ù} -> {ɥ w} / (W | VOWEL | K - LIQUID | (W | VOWEL | K - STOP) LIQUID) _ VOWEL

    ; 28. b before voiceless consonants is one itself (absent).
    b -> p / _ {s t}

    ; 29. Liaison across a hyphen: latent consonants sound before a vowel, and n behind a nasal.
    {ẕ ṯ} -> {z t} / _ \- (VOWEL | {j w ɥ})
    ∅ -> n / W {œ̃, ɔ̃, ɑ̃, mɔ̃, tɔ̃, sɔ̃, okœ̃, ôkœ̃, bjɛ̃} _ \- (VOWEL | {j w ɥ})

    ; 30. The phones.
    {u ï} -> {y i}
    {ù o é r} -> {u ɔ e ʁ}
    ô -> o
    {ẕ ṯ ṟ p̱ ḵ} -> ∅
    {\ , \-} -> \|
    \| -> ∅ / (# | \|) _
    \| -> ∅ / _ #
"""
