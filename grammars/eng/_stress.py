"""English: stress, and the vowels that depend on it.

The stress is placed by Chomsky and Halle's main stress rule in its surface form (1968, chapter 3;
Burzio 1994): on the last syllable but one if that is heavy, else on the one before; in words of two
syllables on the first, but behind a prefix on the last. It is not part of the output, which needs
it for vowel length and reduction alone.
"""

from __future__ import annotations

STRESS = r"""
    Q = {p b t d k ɡ f v θ ð s z ʃ ʒ t͡ʃ d͡ʒ m n ŋ l j w h}
    M = K | X | {´ `}
    ; 25. Stress on the vowel before ´ and `, or on the only vowel.
    ∅ -> ˈ / (D | K | N) _ T K* {´ `}
    ∅ -> ˈ / D M* _ T M* D                          ; cat
    ; 26. Prefixes lose it to a second and last syllable.
    AD = {ab, ak, ad, af, aɡ, al, an, ap, aɹ, as, at}
    CON = {kol, kom, kon, koɹ, em, en, im, in, ek, ef, eɡ, es}
    PREFIX = {AD, CON, be, de, di, dis, mis, ob, peɹ, ɹe, sub, sup, suɹ, un}
    ∅ -> ˈ / D PREFIX K* _ T K* D                   ; connect
    ∅ -> ˈ / D e K _ F K* D                         ; elide
    ∅ -> ˈ / D a K _ F K* D                         ; amaze
    ∅ -> ˈ / D K* L K+ _ {ū ē ȯ} K+ D               ; balloon
    ∅ -> ˈ / D K* _ T K* N K* D                     ; cobalt
    ; 27. Longer words.
    ∅ -> ˈ / D (M | T)* _ T K* N K* F K+ D          ; appetite
    ∅ -> ˈ / D (M | T)* _ F K* N K* D               ; banana
    ∅ -> ˈ / D (M | T)* _ L K Q K* N K* D           ; agenda
    ∅ -> ˈ / D (M | T)* _ T K* N K* N K* D          ; camera
    ∅ -> ˈ / D M* _ T (M | T)* D                    ; whatever is left
    ; 28. A weaker stress two syllables before, and on the first of a longer beginning.
    ∅ -> ˌ / D K* _ T K* N K* N K* ˈ
    ∅ -> ˌ / D K* _ T K* N K* ˈ
    ∅ -> ˌ / D K* _ T K* N K* N K* N K* N? K* ˈ
    ∅ -> ˌ / N K* N K* _ T K* N K* ˈ
"""

QUALITY = r"""
    A = {ˈ ˌ}
    B = A* N                                        ; the next vowel, stressed or not
    ; 29. Stressed vowels before r.
    {a o} -> {ɑ ɔ} / A _ ɹ (K - ɹ | D)              ; start, corn
    {eɹ, iɹ, uɹ, yɹ} -> ɝ / A _ (K - ɹ | D)         ; her, bird, turn
    uɹɹ -> ɝ / A _                                  ; hurry
    {a e i y} -> {ɛ ɪ ī ī} / A _ ɹ (ĭ | ´ | A? T K* D | B K* D)    ; vary, hero, pirate
    {a e i y} -> {æ ɛ ɪ ɪ} / A _ ɹ                  ; carry, berry, mirror
    {o u} -> {ɔ, jʊ} / A _ ɹ                        ; glory, fury

    ; 30. Long before a vowel, before ´, and in the last open syllable but one; u in every open one.
    {a e i o u y} -> {ā, ē, ī, ō, jū, ī} / A _ B    ; oasis, dual
    {a e i o u y} -> {æ ɛ ɪ ɑ ʌ ɪ} / A _ K+ ´ {ʃ ʒ t͡ʃ}    ; action
    e -> ɛ / A _ ´ ʃə {l s}                         ; special, precious
    {i y} -> ɪ / A _ K? ´                           ; ignition
    {a e o u} -> {ā, ē, ō, jū} / A _ K? ´           ; nation, radium
    u -> jū / A _ K? (B | `)                        ; music, unity
    u -> jū / A _ K {l ɹ} B
    {a e o i y} -> {æ ɛ ɑ ɪ ɪ} / A _ K? `           ; atomic, sanity
    {a e o i y} -> {æ ɛ ɑ ɪ ɪ} / A _ K (ɨ (K - v) | el | et)    ; damage, planet
    i -> ɪ / A _ (K ən D | tĭ)                      ; driven, pity
    {a e i o y} -> {ā ē ī ō ī} / A _ (K - ʃ | {p b t d k ɡ f} {l ɹ}) B K* D    ; baby, fragrant
    y -> ī / D K+ ˌ _ K {l ɹ}? B                    ; hyphenation
    i -> ī / D (b | tɹ) ˌ _ K {l ɹ}? B              ; bifurcation
    {a e i o u y} -> {æ ɛ ɪ ɑ ʌ ɪ} / A _            ; cat, cabinet

    ; 31. Vowels without stress.
    o -> ə / D k _ ɹɹ                               ; correct
    {aɹ, oɹ} -> {ɑɹ, ɔɹ} / _ (K - ɹ)                ; partition
    {eɹ, iɹ, uɹ, yɹ} -> {ɚ, ɝ, ɝ, ɝ} / _ (K | D)    ; perform
    {i y} -> ī / D (b | h | tɹ | m | kɹ | kw)? _ K {l ɹ}? B
    e -> ɨ / D (ɹ | d | pɹ | b | s)? _ K {l ɹ}? B   ; return, believe
    e -> ɨ / D (d | ɹ | b) _ s                      ; destroy
    e -> ɨ / D _                                    ; explain
    o -> ə / D k _ {m n}                            ; connect
    CLOSING = m {p b} | n {t d θ s f v} | k {t s} | l {b p t f v k} | s {p t k m} | ɡ {n m}
    {a e o u} -> {æ ɛ ɑ ʌ} / D K* _ CLOSING         ; ambition
    u -> jū / D _ n A? (i {t v f o} | ēk)           ; unique
    u -> ʌ / D _ n                                  ; unchanged
    u -> jū / D K* _ K B                            ; humanity
    u -> jə / {b k f ɡ m p v h n} _ K B             ; regular
    {a e o u} -> ə / _ K                            ; camera
    {i y} -> ɨ / _ K                                ; capital
    {e i y} -> ĭ / _                                ; theocracy
    {a o} -> {ə ō} / _                              ; aorta
    u -> jŭ / _
"""

SOUND = r"""
    ; 32. Double consonants are one; marks are taken away.
    {ˈ ˌ ´ `} -> ∅
    b -> ∅ / _ b
    f -> ∅ / _ f
    ɡ -> ∅ / _ ɡ
    k -> ∅ / _ k
    l -> ∅ / _ l
    v -> ∅ / _ v
    d͡ʒ -> ∅ / _ d͡ʒ
    l -> ∅ / _ ·lĭ
    m -> ∅ / _ m
    n -> ∅ / _ n
    p -> ∅ / _ p
    ɹ -> ∅ / _ ɹ
    s -> ∅ / _ s
    z -> ∅ / _ z
    t -> ∅ / _ {t t͡ʃ}
    d -> ∅ / _ {d d͡ʒ}
    s -> ∅ / _ ʃ
    ; 33. -s and -ed are voiceless behind voiceless sounds.
    z -> s / {p t k f θ} · _ D
    d -> t / {p k f θ s ʃ t͡ʃ} · _ D
    · -> ∅
    ; 34. j is lost behind coronals.
    j -> ∅ / {t d n s z θ ɹ l ʃ ʒ t͡ʃ d͡ʒ j} _ {ū ʊ}
    ; 35. The long vowels, spelt out.
    {ā, ē, ī, ō, ū, ȣ, ȯ} -> {eɪ, iː, aɪ, oʊ, uː, aʊ, ɔɪ}
    {ɨ ĭ ŭ} -> {ɪ i u}

    ; 36. Words are parted by one bar.
    {\ , \-} -> \|
    \| -> ∅ / (# | \|) _
    \| -> ∅ / _ #
"""
