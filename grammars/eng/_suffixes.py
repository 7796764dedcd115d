"""English: learned suffixes, which call the stress to the syllable before them.

´ stands where the syllable before has the stress and a long vowel if it is open (nation, colonial),
` where it has the stress and a short vowel (atomic, sanity): Chomsky and Halle 1968, chapter 4;
Carney 1994, section 3; Fudge 1984, *English Word-Stress*, gives the lists.
"""

from __future__ import annotations

LEARNED_SUFFIXES = r"""
    ; 11. ti, ci, si, xi before a vowel are ʃ, ʒ, t͡ʃ.
    {stion, xion} -> {s´t͡ʃən, kʃən} / V C* _       ; question, complexion
    {tion, ssion, ṡion, ṡian} -> {´ʃən, s´ʃən, ´ʃən, ´ʃən} / S _
    {ṡeous, ṡean} -> {´ʃəs, ´ʃən} / V C* _ D        ; herbaceous, ocean
    sion -> ´ʒən / {a e i o u y r} _                ; vision, version
    sion -> ʃən / C _                               ; tension
    {sia, sian} -> {´ʒə, ´ʒən} / {a e i o u y r} _ D    ; amnesia
    {tial, ṡial} -> ´ʃəl / S _                      ; partial, special
    {tia, ṡia} -> ´ʃə / V C* _ D                    ; militia
    {tious, ṡious} -> ´ʃəs / S _ D                  ; cautious, precious
    {tien, ṡien} -> ´ʃən / S _ {t ṡ}                ; patient, efficient
    {tiat, ṡiat} -> ´ʃĭāt / S _ e D                 ; negotiate
    {lion, nion, llia, liar} -> {ljən, njən, ljə, ljɚ} / V C? _
    {ġion, ġious, ġeous} -> {`d͡ʒən, ´d͡ʒəs, ´d͡ʒəs} / S _    ; legion, contagious

    ; 12. -ure after s t d: the same sounds.
    {ssure, sure} -> {sʃɚ, ʒɚ} / V _ D              ; pressure, measure
    sure -> ʃɚ / n _ D                              ; censure
    {ture, dure} -> {t͡ʃɚ, d͡ʒɚ} / V C* _ D         ; nature, procedure
    tur -> t͡ʃɚ / V C* _ (al | e | ·)               ; natural
    {tua, dua} -> {`t͡ʃŭə, `d͡ʒŭə} / V C* _ (l | t | r)    ; actual, gradual
    tuous -> `t͡ʃŭəs / V C* _                       ; virtuous
    sual -> ´ʒŭəl / V _                             ; usual
    {tu, du} -> {t͡ʃə, d͡ʒə} / V S* _ {l m} V       ; spatula, schedule
    ual -> `jŭəl / V C+ _                           ; annual

    ; 13. t is silent in -sten, -stle; -sm is a syllable.
    {sten, stle, sm} -> {ssən, ssəl, zzəm} / V _ D

    ; 14. Endings that are said as they stand.
    {ous, eous, ious, uous} -> {əs, ´ĭəs, ´ĭəs, `jŭəs} / V C+ _ D    ; famous, curious
    ous -> əs / V _                                 ; joyous
    {ial, ian, ium, ius} -> {´ĭəl, ´ĭən, ´ĭəm, ´ĭəs} / V C+ _ D    ; colonial, radium
    {ia, io, ias, ean} -> {´ĭə, ´ĭō, ´ĭəs, ´ĭən} / V C+ _ D    ; mania
    {ient, ienṡe, ienṡy, iant, ianṡe} -> {´ĭənt, ´ĭəns, ´ĭənsĭ, ´ĭənt, ´ĭəns} / V C+ _ D
    {ity, ities, ety} -> {`ɨtĭ, `ɨtĭz, `ətĭ} / V S* _ D    ; sanity, society
    {ic, ics, ical, icals} -> {`ɨk, `ɨks, `ɨkəl, `ɨkəlz} / V C+ _ D    ; atomic
    {ic, ical} -> {`ɨk, `ɨkəl} / V _ D              ; heroic
    {ify, ifie} -> {`ɨfī, `ɨfī} / V C+ _ D          ; classify
    id -> `ɨd / V C+ _ (W | · (z | l | n))          ; rapid, but not decided
    it -> `ɨt / V C* (C - {v ṡ w}) _ D              ; visited, but not invited
    itis -> ˈītɨs / V C+ _ D                        ; arthritis
    {osis, asis} -> {ˈōsɨs, əsɨs} / V S* _ D        ; psychosis, emphasis
    {anṡe, enṡe, anṡy, enṡy, ant, ent} -> {əns, əns, ənsĭ, ənsĭ, ənt, ənt} / V S* (C | {i u}) _ D
    ary -> ɛɹĭ / ʃən _ D                            ; dictionary
    ary -> əɹĭ / V nt _ D                           ; elementary
    {ary, arie, ory, orie, ery, erie} -> {ɛɹĭ, ɛɹĭ, ɔɹĭ, ɔɹĭ, əɹĭ, əɹĭ} / V C+ V C+ _ D
    {ory, ary} -> əɹĭ / V C+ _ D
    ate -> āt / V S* (C | i) _ D                          ; celebrate
    {ize, ise} -> īz / V S* C+ V C+ _ D             ; organize
    {ize, yze} -> īz / C _                                       ; size
    {eer, ese, ette, esque, elle} -> {ˈɪɹ, ˈēz, ˈɛt, ˈɛsk, ˈɛl} / V S* C _ D
    ine -> ēn / V S* V C+ _ D                       ; magazine
    at -> āt / V S* (C | i) _ ·?ɚ D                       ; alligator, dictators
    ative -> ətɨv / V S* C _ D                      ; relative
    {ine, ile, ive, ite} -> {īn, əl, ɨv, īt} / V S* C _ D    ; feline, fragile, active, appetite
    {age, aġe, iṡe, aṡe} -> {ɨd͡ʒ, ɨd͡ʒ, ɨs, əs} / V S* C _ D    ; village, service, palace
    {ose, oid, ode, one, ane, ene} -> {ōs, ȯd, ōd, ōn, ān, ēn} / V S* C _ D
    al -> əl / V S* C _ D                           ; national
    l -> əl / V S* (C - {l r}) _ ·d                 ; settled
    ol -> ɔl / V S* C _ D                           ; alcohol
    le -> əl / V S* (C - {l r}) _ D                 ; little
    eum -> ēəm / V S* C _ D                         ; museum
    {um, us, is, as} -> {əm, əs, ɨs, əs} / V S* C _ D    ; forum, status
    {en, on, an, in} -> {ən, ən, ən, ɨn} / V S* C _ D    ; garden, bacon, human, cabin
    ain -> ən / {unt, pt, ert, urt, rit, ll, rg} _ D    ; mountain, certain, villain
    {et, ess, ot, at, ut} -> {ɨt, ɨs, ət, ət, ət} / V S* C _ (W | ·z)    ; planet, hostess, carrot
    {or, ar, er, ur, eur, re} -> {ɚ, ɚ, ɚ, ɚ, ˈɝ, ɚ} / V S* C _ D
    {ey, y, ie} -> ĭ / V S* C _ D                   ; money, happy, cookie
    ie -> ī / C _ D                                 ; pie
    ie -> īə / D C* _ (t D | nt | nṡ | ty)          ; client
    ie -> ĭɛ / V S* C _ (ll | nt)                   ; Gabriella
    {a, o, i, u} -> {ə, ō, ĭ, ū} / V S* C _ D       ; agenda, buffalo, taxi, tofu
    a -> ə / V S* {i o u} _ D                       ; Nicaragua
    ue -> jū / V S* _ D                             ; value

    ; i and e before another vowel are weak, and the syllable before is stressed.
    crea -> crēā / D S* _ t (e | i | o | ·)         ; create, procreate
    i -> ´ĭ / V S* C _ {a o u ā ō ə}                ; radioactive
    e -> ´ĭ / V S* C _ o                            ; video
"""
