"""English letters and affixes: foreign letters, soft c and g, and the boundaries in a word.

Venezky 1970 (chapters on markers and consonants) and Carney 1994 for the letters; for the two kinds
of suffix, neutral (·) and stress-shifting, Chomsky and Halle 1968 and Hunnicutt 1976.
"""

from __future__ import annotations

CLASSES = r"""
    V = {a e i o u y}
    C = {b c d f g h j k l m n p q r s t v w x z ṡ ġ ɡ}
    S = ANY - {\ , \-, ·}                            ; whatever stands inside a member
    W = # | \  | \-
    D = W | ·                                       ; the edge of a word or of a member
"""

FOREIGN_LETTERS = r"""
    ; 1. Letters and accents from elsewhere. A final é is a syllable (café), no silent letter.
    é e? -> ā / _ W
    {à á â ã ä å} -> a
    {è é ê ë} -> e
    {ì í î ï} -> i
    {ò ó ô õ ö ø} -> o
    {ù ú û ü ý} -> {u u u u y}
    {æ œ} -> e
    {ñ, ç, ß} -> {ny, s, ss}
    ’ -> '
    {., \, } -> \  / _

    ; 2. A letter alone is called by its name.
    {b c d g p t v z} -> {bē, sē, dē, d͡ʒē, pē, tē, vē, zē} / W _ W
    {f l m n s x} -> {ɛf, ɛl, ɛm, ɛn, ɛs, ɛks} / W _ W
    {h j k q r w y} -> {āt͡ʃ, d͡ʒā, kā, kjū, ɑɹ, dʌbəljū, wī} / W _ W
    {e, i, o, u} -> {ē, ī, ō, jū} / W _ W
"""

SOFT_LETTERS = r"""
    ; 3. qu is k w, but final -que is k. u after g is a mere marker of hardness before e i y.
    ique -> ˈ ēk / _ D                              ; unique
    que -> k / _ D                                  ; mosque
    quet -> k ˈ ɛt / _ (te)? s? D                   ; bouquet, croquette
    qu -> kw
    j -> ġ / _ (V | C | W)
    mc -> mək· / W _ C
    q -> k
    gu -> ŋɡw / n _ V                               ; penguin, linguist
    n -> ∅ / _ ŋ
    gue -> ɡ / V _ s? D                             ; vague, dialogue
    gu -> ɡ / _ {e i y}                             ; guess, guitar
    guar -> ɡar

    ; 4. c and g are soft before e i y; hard g in Germanic words, before a suffix, and doubled.
    gg -> ġġ / {u x a} _ e {s r}                    ; exaggerate
    gg -> ɡɡ
    g -> ɡ / W {for, alto, be}? _ {et, iv, ear, ift, irl, ild, ilt, eese}    ; forgive
    g -> ɡ / W _ {idd, imm, ill, eld, eys}          ; giddy
    g -> ɡ / W {tar, ti, ea, hambur, bur} _ e       ; target, tiger, eager
    ng -> ŋɡ / W {fi, li, hu, a, mo, lo, stro, you} _ e {r s} ; finger, longest
    ng -> ŋ / {i o} _ ({ing, er, ed} s? D)          ; singing, longed
    ng -> ŋ / ha _ {ing, er, ed}                    ; hanger
    ŋ -> nġ / W gi _ er                             ; ginger
    cc -> kc / _ {e i y}
    c -> ṡ / _ {e i y}
    g -> ġ / _ {e i y}
    e -> ∅ / ġ _ {on, ous, an, ab}                  ; pigeon, gorgeous
"""

INFLECTION = r"""
    ; 5. -s: after sibilants a syllable; else z, devoiced below. Behind s u i a it is no suffix.
    ' s -> ·ɨz / {s, z, x, ch, sh, ṡe, ġe, se, ze} _ W    ; boss's
    ' s -> ·z / S _ W
    ies -> y·z / S C _ W
    ies -> y·z / C _ W                              ; ties
    es -> ·ɨz / V S* {ss, zz, x, ch, sh} _ W
    s -> ·ɨz / V S* {ṡe, ġe, se, ze} _ W
    s -> ·z / V S* {e o y w} _ W
    s -> ·z / V S* (C - {s ṡ ġ x}) _ W
    s -> ·z / W C* V (V | {w y}) _ W                ; seas
    ·z -> s / u _
    ' ll -> l / V _ W
    ' {ll, re, ve, d, m} -> {·əl, ·ɚ, ·əv, ·d, ·m} / S _ W
    n ' t -> ·ənt / C _ W
    ' -> ∅

    ; 6. Compounds. Frequent second members, each of which keeps its own vowels: blackbird.
    HOME1 = {bag, bed, bell, board, book, box, bread, brush, button, cake, cloth, coat, cup}
    HOME2 = {door, fire, glass, gun, hook, house, lock, maid, meal, meat, mill, paper, pieṡe}
    HOME3 = {pot, room, seat, set, sheet, shop, stick, stock, string, suit, tail, top, ware}
    NATURE1 = {berry, bird, bug, bush, burn, cat, day, dog, drop, field, fish, flower, grass}
    NATURE2 = {ground, hill, hole, horse, light, nut, root, skin, stone, storm, time, tree, water}
    NATURE3 = {weed, wood, worm, wort}
    PERSON1 = {arm, back, body, bone, boy, eye, faṡe, foot, girl, hair, hand, head, mouth, neck}
    PERSON2 = {self, tooth, woman, women, wright, monger, master}
    PLACE = {bridġe, ford, port, side, town, ville, way, yard, ship, craft, line}
    ACT1 = {ball, beat, break, cross, fall, hold, keep, like, make, over, proof, step, thing, walk}
    ACT2 = {wash, well, where, wise, word, work, out, off, down}
    SECOND = {HOME1, HOME2, HOME3, NATURE1, NATURE2, NATURE3, PERSON1, PERSON2, PLACE, ACT1, ACT2}
    ∅ -> · / (C | V) V S* C e? _ SECOND D

    ; 7. First members: behind them, final e is mute and stress begins anew (homework, understand).
    FIRST1 = {any, back, bare, black, blue, care, cheese, day, down, else, every, eye, faṡe}
    FIRST2 = {fire, foot, fore, gate, good, goose, green, half, hand, head, high, home, horse}
    FIRST3 = {house, land, life, main, moon}
    FIRST4 = {name, new, night, nose, old, out, pipe, rail, rain, road, safe, sand, self, ship}
    FIRST5 = {shore, side, snow, some, spaṡe, stone, street, sun, tale, time, trans, up, water}
    FIRST6 = {white, wide, wind, wood, work}
    ADVERBIAL = {anti, counter, hyper, inter, multi, non, over, semi, super, under}
    FIRST = {FIRST1, FIRST2, FIRST3, FIRST4, FIRST5, FIRST6, ADVERBIAL}
    ∅ -> · / W FIRST _ C C? V S+
    ∅ -> · / W {inter, over, under, hyper, super} _ {a o u} S+
    ∅ -> · / W re _ {str, sup, en, em, es, ev, ex, ass, app, in}    ; restructure
    ∅ -> · / W un _ (C - {c d g i}) V               ; unhappy, but not uncle, under
    tele -> tɛlə· / W _ C

    ; 8. Combining forms; their o is stressed before -logy, -graphy and the like: biology.
    STEM = {loġ, nom, metr, craṡ, crat, scop, tom, path, loqu, phon, graph, gam, lys, trop, phil}
    o -> ˈɑ / S _ STEM (y | ie | is | er | ize)
    GREEK1 = {aero, astro, bio, chloro, chromo, cyclo, electro, ferro, fluoro, gastro, geo}
    GREEK2 = {haemo, hemo, hetero, homo, hydro, immuno, iso, macro, micro, mono}
    GREEK3 = {afro, anglo, auto, euro, neo, neuro, nitro, ortho, osteo, paleo, patho, petro}
    GREEK4 = {phospho, photo, poly, proto, pseudo, psycho, pyro, radio, retro, socio, stereo}
    GREEK5 = {techno, tetra, thermo, turbo, video}
    COMBINING = {GREEK1, GREEK2, GREEK3, GREEK4, GREEK5}
    ∅ -> · / W COMBINING _ C+ V C+ V

    ; 9. -ed: a syllable after t d. -ing, -er, -est. -ied is y + ed.
    ied -> y·d / C _ D
    ed -> ·ɨd / V C* {t d} _ D
    ed -> ·d / V C* (C - {t d}) _ D
    ed -> ·d / V {w y} _ D
    ed -> e·d / {u o} _ D
    ing -> ·ɨŋ / V S* _ D
    {ier, iest} -> {y·ɚ, y·ɨst} / V S* C _ D
    DOUBLED = {bb, dd, ɡɡ, kk, ll, mm, nn, pp, rr, ss, tt, zz, ck, sh, th, ght}
    {er, est} -> {·ɚ, ·ɨst} / V (DOUBLED | {l r n f s} {d t} | ṡ) _ D    ; bigger, coldest
    er -> ·ɚ / V S* (C | {i o u y}) _ D
    {ar, or} -> ɚ / V C+ _ D                        ; doctor, collar
"""

NEUTRAL_SUFFIXES = r"""
    ; 10. Suffixes that leave the stress of their stem where it is. Final y of the stem becomes i.
    ness -> ·nəs / (V S* | ·) _ D
    {less, lessly} -> {·ləs, ·ləslĭ} / (V S* | ·) _ D
    {ship, hood, dom} -> {·ʃɨp, ·hʊd, ·dəm} / V S* {C e} _ D
    ically -> `ɨklĭ / V S* _ D
    fully -> ·fəlĭ / (V S* | ·) _ D
    ally -> əlĭ / V S* C _ D
    {ably, ibly} -> {·əblĭ, `əblĭ} / V S* _ D
    ly -> ·lĭ / V S* {C e} _ D
    ily -> ɨlĭ / V S* C _ D
    ful -> ·fəl / (V S* | ·) _ D
    ment -> ·mənt / V S* {e t n r y d p l h} _ (al)? D
    ment -> mənt / V C* i _ D
    {able, ible} -> {·əbəl, `əbəl} / V S* _ D
    {ism, ist} -> {·ɨzəm, ·ɨst} / V S* _ D
    ish -> `ɨʃ / V C+ _ D
    i -> y / C _ · {nə, fə, lə}
    m {a e} n -> ·mən / (V S* (C - w) e? | ·) _ D
    {land, ward, wards, some} -> {·lənd, ·wɚd, ·wɚdz, ·səm} / V S* {C e} _ D
    ton -> tən / V C* _ D
"""
