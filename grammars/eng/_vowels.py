"""English: vowel digraphs, final e, and r behind vowels, after Venezky 1970 and Carney 1994.

Long vowels are ā ē ī ō ū (with j before ū where it is said); ȣ is that of *cow*, ȯ that of *boy*.
"""

from __future__ import annotations

NUCLEI = r"""
    L = {a e i o u y}                               ; vowel letters not yet decided
    F = {ā ē ī ō ū ȣ ȯ æ ɛ ɪ ɑ ʌ ʊ ɔ ɝ}             ; full vowels
    X = {ə ɚ ɨ ĭ ŭ}                                 ; weak vowels
    N = L | F | X
    T = L | F
    K = {p b t d k ɡ f v θ ð s z ʃ ʒ t͡ʃ d͡ʒ m n ŋ l ɹ j w h}
"""

VOWELS = r"""
    ; 21. Vowel and r.
    eaɹ -> ɝ / D _ ·                                ; early
    eaɹ -> ɝ / _ (l | n | θ | d D | t͡ʃ | s)        ; pearl, learn, earth, heard, search
    heaɹt -> hɑɹt                                   ; heart
    eaɹ -> ɛɹ / D (b | p | sw | t) _ D              ; bear
    weaɹ -> wɛɹ / D _
    eaɹ -> ɪɹ                                       ; near
    {eeɹe, ieɹse} -> {ɪɹ, ɪɹs} / K _ D              ; pierce
    {eeɹ, ieɹ} -> ɪɹ / K _                          ; beer, tier
    aiɹe -> ɛɹ / _ D                                ; millionaire
    {aiɹ, eiɹ, ayɹ, aeɹ} -> ɛɹ                      ; chair
    ouɹ -> ɝ / _ (n | te | ĭ | ish | aġ)            ; journey, courtesy
    ouɹ -> ȣɹ / (D | s | fl) _ D                    ; hour
    ouɹ -> ɔɹ / (D | K) _ (D | t | s | θ | n D | ·z)    ; four, court
    {oaɹ, ooɹ, oɹe, ouɹ} -> {ɔɹ, ɔɹ, ɔɹ, ȣɹ}        ; board, door, more
    {aɹe, eɹe, iɹe, yɹe, uɹe} -> {ɛɹ, ɪɹ, īɹ, īɹ, jʊɹ} / (D | K) _ D    ; care, here, fire, pure
    aɹ -> ɔɹ / w _ (D | K)                          ; warm
    oɹ -> ɝ / w _ (D | d | k | l | m | s | t | θ)   ; word

    ; 22. Other digraphs.
    ea -> ē / _ ({θ ð} e D | d · {ɨ ə ɚ})           ; breathe, reading
    ea -> ɛ / _ (d D | lθ | ven | θ | ð | su | zu | nt | vy | f D | ʒ | ð ·?ɚ)
    ea -> ɛ / {h d} _ v (ən | ·?ɚ)                  ; heaven
    ea -> ɛ / sw _ t                                ; sweat
    ea -> ā / D {bɹ, st, ɡɹ} _ {k t}                ; break, steak, great
    eau -> jū / b _ t                               ; beauty
    eau -> ō                                        ; plateau
    ea -> ēə / N K+ _ D                             ; panacea
    ea -> ē                                         ; seat
    {ai, au} -> {ī, ȣ} / _ W                        ; samurai, Macau
    {au, aw} -> ɔ                                   ; cause, law
    {ai, ay} -> ā                                   ; rain, day
    ee -> ē                                         ; tree
    ei -> ē / s _                                   ; seize
    ei -> ī / (D | st) _ n                          ; Einstein
    ei -> ā / _ (n | l | ɡ)                         ; vein
    {eu, ew} -> ū / {ɹ l d͡ʒ t͡ʃ s n t d z θ} _     ; new
    {eu, ew} -> jū                                  ; few
    ey -> ā / D K* _                                ; they
    ei -> ī                                         ; Heidi
    ie -> ē / _ K                                   ; field
    oo -> ʊ / _ (k | t D)                           ; book, foot
    oo -> ʊ / D (ɡ | w | st | h) _ d                ; good, wood, stood
    oo -> ʊ / w _ l                                 ; wool
    oo -> ʌ / bl _ d                                ; blood
    oo -> ʌ / fl _ d                                ; flood
    oo -> ū                                         ; food
    {oa, oe} -> ō / _ K                             ; boat
    oe -> ō / _ D                                   ; toe
    {oi, oy} -> ȯ                                   ; coin, boy
    ould -> ʊd / D {k w ʃ} _ D                      ; would
    ou -> ʌ / _ (b əl | ŋ | nɡ | t͡ʃ | zin | p əl | k əl)    ; double, young, touch
    ou -> ʌ / k _ ntɹ                               ; country
    ou -> ū / {s ɡ ɹ k t} _ p                       ; soup, group
    ou -> ū / j _ (D | θ)                           ; you, youth
    ou -> ū / ɹ _ te                                ; route
    ou -> ȣ                                         ; cloud
    ow -> ȣ / D (n | h | k | b | bɹ | pl | v | əl | s | w | t͡ʃ) _ D    ; now, how, brow
    ow -> ȣ / (t | d | kɹ | bɹ | fɹ | kl | ɡ) _ n   ; town, crown
    ow -> ȣ / {p t ʃ f l k} _ (e | ɚ | ·ɚ | d)      ; power
    ow -> ȣ / _ (əl | l | d | z | s)                ; owl, crowd
    ow -> ō                                         ; grow
    ui -> ɪ / b _ l                                 ; build
    ui -> ū / {ɹ s d͡ʒ} _ K                         ; fruit
    ue -> ū / {ɹ l d n} _ D                         ; true
    ue -> jū / K _ D                                ; cue
    uy -> ī                                         ; buy
    ae -> ē                                         ; aegis
    aa -> ɑ                                         ; Baal
    w -> ∅ / (F | X) _ (K | D)

    ; 23. a between w and a consonant; a before l; old before ld, nd, st; long vowels before ng(e).
    a -> ɔ / w _ t ·?ɚ                              ; water
    a -> ɑ / w _ (n | t | t͡ʃ | ʃ | d | s | ll | z | ɡ D)    ; want, watch, wash
    a -> ɔ / D _ l (w | sō | t | mo)                ; always, also, almost
    a -> ɔ / _ l (l D | l · | t | d | k)            ; all, salt, talk
    l -> ∅ / ɔ _ k                                  ; talk
    a -> ɑ / _ lm                                   ; calm
    l -> ∅ / ɑ _ m
    o -> ō / _ (l l? D | ld | lt)            ; roll, cold, colt
    i -> ī / _ (nd D | ld D | nd ·)                 ; kind, wild
    a -> ā / _ (n d͡ʒ | ste)                        ; change, paste
    o -> ō / {m p h ɡ} _ st D                       ; most, post, ghost
    o -> ɔ / _ (st D | ff | f D | ft | ŋ D | ss D | θ D)    ; lost, off, soft, long, cross, cloth
    o -> ɔ / D d _ ɡ D                              ; dog
    {a e i o} -> {ɑ ē ē ō} / D K* _ K ə D           ; drama, beta, Lima, soda
    {a e o} -> {ɑ ē ō} / N K+ _ K ō D               ; avocado
    {a e i o} -> {ɑ ē ē ō} / N K+ _ nə D            ; banana, arena
    {a o} -> {ɑ ō} / N K+ _ K ə D                   ; panorama, diploma
    o -> ʌ / {k s} _ m (e | ·)                      ; come, some
    o -> ʌ / l _ v (e | ·)                          ; love
    o -> ʌ / {m h} _ n (ĭ | θ)                      ; money, month
    {a e o} -> {æ ɛ ʌ} / _ ð ·?ɚ                    ; gather, brother
    e -> ɛ / _ v ·ɚ                                 ; clever
    al -> æ / _ (f D | ve)                          ; half
    u -> ʊ / {p b f} _ (ll | ʃ | l ·)               ; full, push

    {a e i o u y} -> {æ ɛ ɪ ɔ ʌ ɪ} / _ ŋ D          ; sing, lung
    {a i} -> {æ ɪ} / _ ŋ                            ; sink, angry

    ; 24. e mute behind consonants: it makes the vowel before one consonant long.
    {a e i o y} -> {ā ē ī ō ī} / (D | K) _ K e D    ; make, scene, time, note, type
    u -> ū / {ɹ l d͡ʒ t͡ʃ s n t d z θ} _ K e D      ; tube
    u -> jū / (D | K) _ K e D                       ; cute
    {a e i o y} -> {ā ē ī ō ī} / D K* _ (K - {ʃ ŋ}) · (ɨŋ | ɚ | ɨd | d | əb)    ; making, hoped
    u -> ū / D K* {ɹ l d͡ʒ t͡ʃ s n t d z θ} _ K · (ɨŋ | ɚ | ɨd | d | əb)    ; ruling
    u -> jū / D K* _ K · (ɨŋ | ɚ | ɨd | d | əb)     ; using
    a -> ā / N K* _ t · (ɨŋ | ɨd | əb)              ; rotating
    {i o} -> {ī ō} / N K+ _ {d z v} · (ɨŋ | ɚ | ɨd | d | əb)    ; divided, surviving
    {a e i o u y} -> {ā, ē, ī, ō, jū, ī} / D K* _ {p b t d k ɡ f} əl D    ; table, cycle
    e -> ē / D K* _ D                               ; he
    e -> ∅ / _ D                                    ; dance
    {i y} -> ī / D K* _ D                           ; fly
    {i y} -> ī / D K+ _ (ˈ | F | {a o u ə})         ; biology, giant
    {o u} -> {ō ū} / _ D                            ; go, flu
    {y i} -> ĭ / _ D                                ; only
    a -> ɑ / D K* _ D                               ; spa
    a -> ə / _ D                                    ; boa
"""
