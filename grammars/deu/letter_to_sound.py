"""German: orthography to broad phonemic transcription, without stress.

Letters follow the *Amtliche Regelung der deutschen Rechtschreibung* (2006), part A. Sounds follow
M. Mangold, *Duden: Das Aussprachewörterbuch* (7th edition 2015), K. J. Kohler, *Einführung in die
Phonetik des Deutschen* (1995), and for devoicing, schwa and the two fricatives R. Wiese, *The
Phonology of German* (1996).

- Words are first cut into members (`_boundaries.py`), for nearly everything depends on them: final
  devoicing, vowel length, st and sp. What cuts them is prefixes, suffixes, lists of frequent
  members, and clusters of consonants that no simple word contains.
- Vowels are long and tense, short and lax, or in unstressed open syllables of loanwords short and
  tense: Theater [t e aː t ɐ]. Diphthongs are a ɪ̯, a ʊ̯, ɔ ɪ̯. ä is ɛː when long (`_vowels.py`).
- er without stress is ɐ before consonants and at the end of a member; ɐ̯ is the r behind long vowels
  and in the prefixes er-, ver-, zer-; every other r is ʁ.
- Endings in -en and -el have their schwa: [ə n], [ə l]. The ending -ig is [ɪ ç]. ch is ç, behind
  back vowels x. The glottal stop before initial vowels is left out.
- A letter alone is read by its name. Words are parted by `|`, for a space, a comma or a full stop.

Left out: stress; nasal vowels (Balkon is [b a l k oː n]); foreign words that their spelling does
not reveal, beyond the words of `respelling.tsv`; abbreviations that have to be spelt out (UKW); and
boundaries that only the meaning shows (Blumento-pferde).

>>> from glyphone.fst.rules.interpreter import run
>>> " ".join(run(GERMAN, tuple("Landesregierung".lower()))[0].output)
'l a n d ə s ʁ e ɡ iː ʁ ʊ ŋ'
"""

from __future__ import annotations

from pathlib import Path

from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import cascade, respelling
from glyphone.grammars.deu._boundaries import BOUNDARIES
from glyphone.grammars.deu._vowels import LENGTH, SCHWA, SPELLINGS, SYLLABLES

WRITING = Writing(case="lower")

# The alphabet, and the accents that names and loanwords bring along.
LETTERS = [*"abcdefghijklmnopqrstuvwxyzäöüß", *"éèêëáàâåïóøñçæœšž", *"'’ -.,"]
PHONES = [
    *"a aː ɛ ɛː e eː ɪ i iː ɔ o oː ʊ u uː œ ø øː ʏ y yː ə ɐ ɐ̯ ɪ̯ ʊ̯".split(),
    *"p b t d k ɡ f v s z ʃ ʒ ç x h m n ŋ l ʁ j t͡s t͡ʃ p͡f |".split(),
]
# ⁀ parts members of a word, ‖ those with a hyphen between them, ° stands where no prefix is, ː
# lengthens, ă is short in any case.
MARKS = "⁀ ‖ ° ː ă"

RESPELLING = respelling(Path(__file__).with_name("respelling.tsv"), source=WRITING)

FOREIGN_LETTERS = r"""
    ; 1. Letters and accents from elsewhere.
    {á à â å ï ó} -> {a a a o i o}
    {è, ê, ë, é} -> {ä, äh, e, eː}
    {ø œ æ} -> {ö ö ä}
    {ñ, ç, š, ž} -> {n j, ß, s c h, ʒ}
    {', ’} -> ∅
    {., \,} -> \  / _

    ; 2. A hyphen parts members, a space words.
    \- -> ‖
    ‖ -> ∅ / (# | \  | ‖) _
    ‖ -> ∅ / _ (# | \ )
    \  -> \|
    \| -> ∅ / (# | \|) _
    \| -> ∅ / _ #
    W = # | \| | ⁀ | ‖

    ; 3. A letter alone is called by its name. y is a consonant at the beginning, else a vowel.
    {a, e, i, o, u, ä, ö, ü} -> {ah, eh, ih, oh, uh, äh, öh, üh} / W _ W
    {b, c, d, g, p, t, w} -> {beh, zeh, deh, geh, peh, teh, weh} / W _ W
    {f, l, m, n, r, s, x, z} -> {eff, ell, emm, enn, err, ess, iks, zett} / W _ W
    {h, j, k, q, v, y} -> {hah, jott, kah, kuh, fau, üpsillonn} / W _ W
    y -> j / W _ {a e o u}
    y -> i / {a e o u} _
    y -> i / _ s? W                                 ; Party, Babys
    y -> ü
"""

ROOTS = r"""
    ; 11. Roots with a vowel that is longer than it looks: before r and a consonant, before st, ch.
    {erd, pferd, schwert, schwer} -> {ehrd, pfehrd, schwehrt, schwehr}
    {arzt, ärzt, viertel, vierz} -> {ahrzt, ährzt, firtel, firz}
    {wert, herd, erst, burt} -> {wehrt, hehrd, ehrst, buhrt} / W _
    {ostern, oster, kloster, trost} -> {ohstern, ohster, klohster, trohst}
    {wüst, hust, düster, obst, papst} -> {wühst, huhst, dühster, ohbst, pahpst}
    {mond, krebs, jagd, magd, vogt} -> {mohnd, krehbs, jahgd, mahgd, vohgt}
    {sprach, hoch, nächst, höchst} -> {sprahch, hohch, nähchst, höhchst}
    {wuchs, wüchs, monat, heimat} -> {wuhchs, wühchs, mohnatt, heimatt}
    {phem, them, blem, ystem} -> {phehm, thehm, blehm, ystehm}
    {nach, bart} -> {nahch, bahrt} / W _ W
    art -> ahrt / W _ (W | ung | e | ig)
    sam -> sahm / W _ st
    ik -> iek / {mus, polit, fabr, republ, krit, phys, mathemat, ant, rubr} _ (W | CONS | en W)

    ; 12. Roots and members that are shorter; ss that the old orthography wrote as ß.
    {stadt, städt} -> {statt, stätt}
    {schuß, schluß, fluß, nuß, kuß, muß} -> {schuss, schluss, fluss, nuss, kuss, muss}
    {miß, daß, faß, haß, riß, biß} -> {miss, dass, fass, hass, riss, biss}
    {her, weg} -> {herr, wegg} / W _ ⁀ (VOWEL | vor)
    {ab, an, un, um, in, im, am, ob} -> {abb, ann, unn, umm, inn, imm, amm, obb} / W _ W
    {mit, hin, bis, von, bin, zum} -> {mitt, hinn, biss, vonn, binn, zumm} / W _ W
    {hat, das, was, des, es, man} -> {hatt, dass, wass, dess, ess, mann} / W _ W
    {sub, klub, club, plus, nis, kon} -> {subb, klubb, klubb, pluss, niss, konn} / W _ W
    {bus, job, chef, fit, hit, pop} -> {buss, jobb, schäff, fitt, hitt, popp} / W _ W
    {top, web, net, abt} -> {topp, webb, nett, abbt} / W _ W
"""

CONSONANT_LETTERS = r"""
    ; 14. Groups of letters.
    {tsch, sch, ph, th, rh, gh} -> {t͡ʃ ʃ f t r g}
    dt -> t / _ (W | e)
    chs -> k ß / NUC _                            ; Fuchs
    ch -> k / W _ {a o l r u}                       ; Chor
    ch -> ç
    {x, ck, qu} -> {k ß, k k, k w}
    c -> t͡s / _ {e i ä ö ü}
    {c q} -> k
    ti -> t͡s j / (ANY - s) _ on                    ; Nation
    ti -> t͡s i / (ANY - s) _ {al, ent, ell, är}
    i -> j / K _ on
    {tz, zz} -> t t͡s
    z -> t͡s
    pf -> p͡f
    ss -> ß ß

    ; 15. v is f in native words and before consonants, else as in Vase. n is velar before k and g;
    ; g is heard before full vowels (Tango).
    v -> f / W _ {ater, ett, iː, og, ol, on, or, er, öl, ög}
    v -> f / _ (CONS | W)
    v -> w
    gn -> n j / VOWEL _ e W                        ; Kampagne
    n -> ŋ / _ k
    ng -> ŋ g / _ {a o}
    ng -> ŋ
"""

SOUNDS_IN_CONTACT = r"""
    ; 24. Doubled letters stand for one sound; h is silent behind long vowels.
    {bb, dd, ff, gg, kk, ll, mm, nn, pp, rr, tt, ßß} -> {b d f g k l m n p r t ß}
    t t͡s -> t͡s
    h -> ∅ / (LONG | ɪ̯ | ʊ̯) _ (K | W | ə)

    ; 25. -ig has a fricative at the end and before s and t: König, Königs, beruhigt.
    g -> ç / IN ɪ _ (W | {s t})

    ; 26. s is ʃ before p and t at the beginning of a member, voiced before vowels.
    s -> ʃ / W _ {p t}
    s -> z / (W | NUC | {l r m n ŋ}) _ NUC
    ß -> s

    ; 27. Obstruents have no voice at the end of a member and before others that have none.
    {b g} -> {p k} / _ d                            ; Jagd
    {b d g z w} -> {p t k s f} / _ (W | {p t k f s ʃ ç t͡s p͡f t͡ʃ})
    {g w} -> {ɡ v}

    ; 28. ch behind back vowels.
    ç -> x / {a aː ɔ o oː ʊ u uː ʊ̯} _

    ; 29. r is a vowel behind schwa and long vowels.
    ə r -> ɐ / _ (K | W)
    r -> ɐ̯ / LONG _ (K | W)
    r -> ɐ̯ / W {f t͡s}? ɛ _ W
    r -> ʁ
    {⁀ ‖} -> ∅
"""

GERMAN = cascade(
    letters=LETTERS,
    phones=PHONES,
    marks=MARKS,
    rules=[
        RESPELLING,
        FOREIGN_LETTERS,
        *BOUNDARIES,
        ROOTS,
        SPELLINGS,
        SYLLABLES,
        CONSONANT_LETTERS,
        SCHWA,
        LENGTH,
        SOUNDS_IN_CONTACT,
    ],
    source=WRITING,
)
