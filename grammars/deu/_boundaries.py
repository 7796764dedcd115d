"""Boundaries in German words: prefixes, suffixes and the members of compounds.

A boundary is the mark ⁀. For the sounds it is like the edge of a word: obstruents in front of it
lose their voice, vowels are as long as they would be at the end, and the next member begins anew.
The mark ° keeps a prefix off for a moment. Word lists are in `_members.py`.
"""

from __future__ import annotations

from glyphone.grammars.deu._members import FIRST_MEMBERS, MEMBERS, PREFIXES

CLASSES = r"""
    VOWEL = {a e i o u ä ö ü}
    CONS = {b c d f g h j k l m n p q r s t v w x z ß}
    STEM = CONS* VOWEL
    BEFORE = VOWEL CONS*
    OPEN = VOWEL | {l r n} VOWEL                    ; how a second member goes on
    ST = {sta, str, stu, sto, stü, stä, stei, stel, sti, sp, sch}
"""

SEPARABLE = r"""
    ; 4. Prefixes that can stand apart from the verb, and un-: abfahren, Umlaut, unklar. In
    ; zusammen, zurück and voraus the first part has no stress, and is no member.
    ∅ -> ° / W _ NOTSEPARABLE
    ∅ -> ⁀ / W SEPARABLE _ STEM
    ∅ -> ⁀ / W un _ (VOWEL | {b f h j l m n p r s v w z} | {g k} STEM | t {aiouäöü, re})
    ∅ -> ⁀ / W un _ d {a e o ä}
    ° -> ∅
    ⁀ -> ∅ / W zu _ {sammen, rück}
    ⁀ -> ∅ / W vor _ aus
"""

INSEPARABLE = r"""
    ; 5. Prefixes without stress, of later members too: bekommen, Gefahr, Hausbesitzer. A doubled
    ; consonant behind be- or ge- belongs to a stem: Bett, gell.
    ∅ -> ° / W _ (NOTINSEPARABLE | {beste, erste} W)
    ∅ -> ° / W _ {b g} e {bb, dd, ff, gg, kk, ck, ll, mm, nn, pp, rr, ss, tt, tz}
    ∅ -> ⁀ / W INSEPARABLE _ STEM
    ° -> ∅
"""

SUFFIXES = r"""
    ; 6. Suffixes that begin with a consonant, nouns in them before a linking s, and tens.
    ENDING = {e, em, en, er, es, s, st, n, t, ste, sten, ster, stes, stem, ere, eren, erer, eres}
    ∅ -> ⁀ / BEFORE _ {lich, keit, heit, schaft, mäßig, lings}
    ∅ -> ⁀ / BEFORE (CONS - {s c}) _ chen s? W      ; Mädchen, but machen
    ∅ -> ⁀ / {ä u ö} s _ chen s? W                   ; Häuschen, but waschen
    ∅ -> ⁀ / BEFORE _ {lein, los, bar, sam, haft, ling, wärts, weise} ENDING? W
    ∅ -> ⁀ / BEFORE CONS _ {tum, tüm} ENDING? W
    ∅ -> ⁀ / BEFORE (CONS - n) _ (nis W | niss)
    ∅ -> ⁀ / {ungs, heits, keits, schafts, ions, täts, lings} _ STEM
    ZIG = {zwanzig, dreißig, dreissig, vierzig, fünfzig, sechzig, siebzig, achtzig, neunzig}
    ∅ -> ⁀ / BEFORE _ und ZIG
    ∅ -> ⁀ / VOWEL nd _ ZIG
    ∅ -> ⁀ / ZIG _ (CONS - s | eck)
"""

LISTED = r"""
    ; 7. Frequent members of compounds, known by their beginnings, or as first members.
    ∅ -> ⁀ / BEFORE _ (STONE | CONTRACT)
    ∅ -> ⁀ / BEFORE CONS _ (STATE | WORK)
    ∅ -> ⁀ / BEFORE {d t g k l n r} s _ ORDER
    ∅ -> ⁀ / BEFORE CONS e? _ LAW
    ∅ -> ⁀ / BEFORE ({b d g t k p f} | ch | sch) _ SALT
    ∅ -> ⁀ / (VOWEL {l n}? d | VOWEL {b g}) _ AIR
    ∅ -> ⁀ / BEFORE {s, t, r, sch} _ HOUSE
    ∅ -> ⁀ / W haus _ {a, o, u, ä, ü, ei, er}
    ∅ -> ⁀ / W HAND _ ({a, o, u, ö, ä, ü, ei, er, ess} | l {a e o ä ö ü} | r)
    ∅ -> ⁀ / W SCHOOL _ ((CONS - {d t k}) OPEN | k {l n r} VOWEL | sch | s {p t})
    HEAD = (CONS - {l n r s t}) | {s t l r n} VOWEL | sch | tr | s {p t} (VOWEL | r) | {a o u}
    ∅ -> ⁀ / W JOURNEY _ HEAD
"""

CLUSTERS = r"""
    ; 8. Clusters that no simple word contains: a boundary parts them. (Handball, Arbeitsbuch)
    ∅ -> ⁀ / BEFORE {b p} _ {d g k m w z} OPEN
    ∅ -> ⁀ / BEFORE p _ b OPEN
    ∅ -> ⁀ / BEFORE b _ {f p} OPEN
    ∅ -> ⁀ / BEFORE {d g} _ {b f k m p w z} OPEN
    ∅ -> ⁀ / BEFORE d _ (g OPEN | t {a, o, u, ä, ö, ü, ei, ie, r})
    ∅ -> ⁀ / BEFORE {f k} _ {b d g m p w} OPEN
    ∅ -> ⁀ / BEFORE {f, c k} _ z OPEN
    ∅ -> ⁀ / BEFORE k _ f OPEN
    ∅ -> ⁀ / BEFORE f _ {k n} OPEN
    ∅ -> ⁀ / BEFORE l _ {r w} VOWEL
    ∅ -> ⁀ / BEFORE m _ {f g k l r v w z} OPEN
    ∅ -> ⁀ / BEFORE n _ ({b f l m p r w} OPEN | {voll, vor, vog, vat, volk, völk, vieh})
    ∅ -> ⁀ / BEFORE r _ w OPEN
    ∅ -> ⁀ / BEFORE s _ {b d f g r v w} OPEN
    ∅ -> ⁀ / BEFORE t _ {b d f g k p w} OPEN
    ∅ -> ⁀ / BEFORE {z ß x} _ ({b d f g k l m n p r v} OPEN | s VOWEL)
    ∅ -> ⁀ / BEFORE {c h, s c h} _ {b d f g k p v z} OPEN
    ∅ -> ⁀ / BEFORE c h _ ({m w} OPEN | h VOWEL)
    ∅ -> ⁀ / BEFORE {b d f g j k l m n v w z ß} _ h VOWEL
    ∅ -> ⁀ / BEFORE ({b d f g k l m n p ß x s t r} | c h) _ {schl, schm, schn, schr, schw} VOWEL
    ∅ -> ⁀ / BEFORE {b d f g k p} _ sch VOWEL
    ∅ -> ⁀ / BEFORE {l m n r t} _ sch {a, o, u, ö, ü, ei}
    ∅ -> ⁀ / BEFORE CONS _ j ({a ä o u ü} | eh)
    ; Three consonants of which two are the same, or two t behind a diphthong: Gewalttäter.
    ∅ -> ⁀ / BEFORE CONS t _ (t VOWEL | tr | z VOWEL | m VOWEL)
    ∅ -> ⁀ / BEFORE CONS s _ s VOWEL
    ∅ -> ⁀ / BEFORE CONS d _ d (VOWEL | r)
    ∅ -> ⁀ / BEFORE ss _ ({k l m n p} OPEN | ST)
    ∅ -> ⁀ / {ei, au, eu, äu} t _ t
    ; No clusters follow what is long by its spelling: Bahnhof, Kleinkind.
    ∅ -> ⁀ / VOWEL h _ {b d f g k p s w z} OPEN
    ∅ -> ⁀ / ({ei, au, eu, äu, ie, aa, ee, oo} | VOWEL h) {l m n r} _ {b f g h k l m n p r w} OPEN
    ∅ -> ⁀ / {au, ei} m _ d OPEN

    ; 9. First members in -er, -en, -el, -es, -e, whose e is schwa: Wasserglas, Straßenbahn.
    ER = (CONS | {ei, eu, au}) er
    ∅ -> ⁀ / BEFORE ER _ ({b d f h k l m p w z} OPEN | v VOWEL | g ((VOWEL - i) | {l r n}) | ST)
    ∅ -> ⁀ / BEFORE ER _ {sa, so, se, sei, tr, tä, te, tü, nach, na}
    ∅ -> ⁀ / BEFORE CONS ern _ ({b f g h k l m p w z} OPEN | {tei, tü, tr} | ST)
    ∅ -> ⁀ / BEFORE CONS en _ ({g k} ((VOWEL - e) | {l n r} VOWEL) | dr | ST)
    ∅ -> ⁀ / BEFORE CONS en _ {kett, kern, kell, kenn, ger, ges, geb, gem, gef, gew}
    ∅ -> ⁀ / BEFORE CONS en _ ({d s z} {a, o, u, ä, ö, ü, ei, ie} | t {ä, ö, ü, ei, au})
    ∅ -> ⁀ / BEFORE CONS en _ {trau, träg, treff, trepp, tri, tro, tru}
    ∅ -> ⁀ / BEFORE CONS el _ ({b f g h k m n p r w z} OPEN | {sa, so, su, tr} | ST)
    ∅ -> ⁀ / BEFORE CONS {els, ers, ens, es} _ {k l m n} ({a o u i ä ö ü} | {r l n} VOWEL)
    ∅ -> ⁀ / BEFORE CONS es _ {tag, täg, teil, trä, tür}
    ∅ -> ⁀ / BEFORE CONS e _ h {a o u ä ö ü}

    ; 10. But a suffix keeps its syllable: Künstler, öffnen, vierzig.
    ⁀ -> ∅ / _ (zig | {l n} e {n, r, t, s, m, nd, rs, rn, te, ten, rin}? W | {l n} eri)
"""

BOUNDARIES = (
    *(CLASSES, PREFIXES, SEPARABLE),
    *(SUFFIXES, MEMBERS, FIRST_MEMBERS, LISTED, CLUSTERS),
    INSEPARABLE,  # only now, when all members are known
)
