"""Greek: letters to Latin letters and back, the sound of names for passports, and names themselves.

ISO 843:1997 (Conversion of Greek characters into Latin characters), which ELOT 743 took over in
its second edition (2001), has two tables for modern Greek:

ISO_843 is its transliteration (type 1), letter by letter: η ī, ω ō, υ y but u in αυ ευ ου, with
the stress and the diaeresis that Greek writes. ISO_843_INVERSE reads it back: s is ς where a word
ends. Only πσ, which Greek spelling avoids, comes back as ψ, and the case of θ χ ψ between
capitals and small letters may change (ΑθΑ).

ELOT_743 is its transcription (type 2), which the United Nations adopted in 1987 (resolution
V/19): γ is n before γ ξ χ, μπ is b where a word begins or ends, υ is v or f in αυ ευ ηυ as it is
said (f before a voiceless consonant and where a word ends), and η ι υ are i i y. A stress on the
second letter of αύ is on the first of áv; one on the first letter (άυλος) parts the two, as a
diaeresis does. PASSPORT is the same without stress and diaeresis, as Greek and Cypriot passports
print it.

CLEAN brings a name, however typed, to INVENTORY: small letters in the one-stress system of 1982
(presidential decree 297), so that breathings and iota subscript fall away and every accent is a
tonos; ς where a word ends and σ elsewhere; lunate and other shapes of letters by NFKC.
WELL_FORMED gives back words with ς σ in their places, ΐ ΰ ϊ ϋ only behind vowels.

The romanisations take the letters of modern Greek, digits and common punctuation; Latin
look-alikes are refused, and so are letters with breathings, which CLEAN takes.

>>> from glyphone.fst.rules.interpreter import run
>>> ["".join(run(rule, tuple("Εύβοια"))[0].output) for rule in (ISO_843, ELOT_743, PASSPORT)]
['Eúvoia', 'Évvoia', 'Evvoia']
"""

import unicodedata
from collections.abc import Sequence

from glyphone.fst.rules.cascade import cascade, inventory
from glyphone.grammars.alphabets import APOSTROPHE, cleaning_rule, well_formed
from glyphone.grammars.notation import symbol_set
from glyphone.grammars.romanizing import (
    COMMON,
    TEXT,
    both_cases,
    latin_letters,
    one_by_one,
    spelling_rules,
)

# ---------------------------------------------------------------------------------------------
# Inventories. ΐ ΰ have no capitals of one code point.

PLAIN = "α β γ δ ε ζ η θ ι κ λ μ ν ξ ο π ρ σ τ υ φ χ ψ ω"
MARKED = "ά έ ή ί ό ύ ώ ϊ ϋ"
SMALL_ONLY = "ς ΐ ΰ"
GREEK = inventory([*both_cases(f"{PLAIN} {MARKED}".split()), *SMALL_ONLY.split()])
INVENTORY = inventory([*f"{PLAIN} {MARKED} {SMALL_ONLY}".split(), " ", "-", APOSTROPHE])

MARKED_LATIN = "á é ī́ í ó ý ṓ ï ÿ".split()
ISO_TABLE: dict[str, Sequence[str]] = dict(
    zip(PLAIN.split(), "a v g d e z ī th i k l m n x o p r s t y f ch ps ō".split(), strict=True)
)
ISO_TABLE |= {letter: (latin,) for letter, latin in zip(MARKED.split(), MARKED_LATIN, strict=True)}

# ---------------------------------------------------------------------------------------------
# ISO 843, type 1. A letter with ¹ is the second of αυ ευ ου.

SECOND = {"υ¹": ("u",), "ύ¹": ("ú",)}

ISO_843 = cascade(
    letters=[*GREEK, *COMMON],
    phones=[*latin_letters(ISO_TABLE | SECOND), "ḯ", "ÿ́", *COMMON],
    marks=both_cases(SECOND),
    source=TEXT,
    target=TEXT,
    rules=f"""
    ; 1. The second letter of αυ ευ ου
    {{υ ύ Υ Ύ}} -> {{υ¹ ύ¹ Υ¹ Ύ¹}} / {{α ε ο Α Ε Ο}} _

    ; 2. Letters that are always small
    {{ς ΐ ΰ}} -> {{s ḯ ÿ́}}

    ; 3. Letter by letter
    {spelling_rules(ISO_TABLE | SECOND)}
    """,
)

SINGLE = {
    letter: latin[0]
    for letter, latin in ISO_TABLE.items()
    if len(latin) == 1 and letter not in "υύ"
}
DIGRAPHS = {letter: "".join(latin) for letter, latin in ISO_TABLE.items() if len(latin) > 1}

ISO_843_INVERSE = cascade(
    letters=[*latin_letters(ISO_TABLE | SECOND), "ḯ", "ÿ́", *COMMON],
    phones=[*GREEK, *COMMON],
    source=TEXT,
    target=TEXT,
    partial=True,
    rules=f"""
    ; 1. Letters of two letters
    {symbol_set(DIGRAPHS.values())} -> {one_by_one(DIGRAPHS)}
    {symbol_set(map(str.title, DIGRAPHS.values()))} -> {one_by_one(map(str.upper, DIGRAPHS))}
    {symbol_set(map(str.upper, DIGRAPHS.values()))} -> {one_by_one(map(str.upper, DIGRAPHS))}

    ; 2. s where a word ends, but for an elided one (σ’ αυτό)
    WITHIN = {one_by_one([*latin_letters(ISO_TABLE | SECOND), "ḯ", "ÿ́", *GREEK])}
    s -> ς / WITHIN _ (# | ANY - WITHIN - {{’ '}})

    ; 3. One for one; y behind α ε ο would be u, so it is refused there, and u elsewhere
    {one_by_one(both_cases(SINGLE.values()))} -> {one_by_one(both_cases(SINGLE))}
    {{ḯ ÿ́}} -> {{ΐ ΰ}}
    FIRST = {{α ε ο Α Ε Ο}}
    {{u ú U Ú}} -> {{υ ύ Υ Ύ}} / FIRST _
    {{y ý Y Ý}} -> {{υ ύ Υ Ύ}} / (# | ANY - FIRST) _
    """,
)

# ---------------------------------------------------------------------------------------------
# ISO 843, type 2: letters with a figure sound otherwise than elsewhere.

SOUNDS = dict(zip("υ¹ υ² υ³ ύ³ β¹".split(), "fvuúb", strict=True))
TABLE = SOUNDS | dict(
    zip(
        f"{PLAIN} {MARKED}".split(),
        "a v g d e z i th i k l m n x o p r s t y f ch ps o á é í í ó ý ó ï ÿ".split(),
        strict=True,
    )
)

SOUND_RULES = f"""
; 1. Before other letters change: what is voiceless, where words begin and end
VOICELESS = {one_by_one(both_cases("θκξπστφχψ"))}
WITHIN = {one_by_one([*both_cases(TABLE), *SMALL_ONLY.split()])}
ς -> σ

; 2. αυ ευ ηυ, with the stress on the first letter
STRESSED = {{ά έ ή Ά Έ Ή}}
{{αύ, εύ, ηύ, Αύ, Εύ, Ηύ}} -> STRESSED υ¹ / _ (# | VOICELESS | ANY - WITHIN)
{{αύ, εύ, ηύ, Αύ, Εύ, Ηύ}} -> STRESSED υ²
{{ΑΎ, ΕΎ, ΗΎ}} -> {{Ά Έ Ή}} Υ¹ / _ (# | VOICELESS | ANY - WITHIN)
{{ΑΎ, ΕΎ, ΗΎ}} -> {{Ά Έ Ή}} Υ²
{{υ Υ}} -> {{υ¹ Υ¹}} / {{α ε η Α Ε Η}} _ (# | VOICELESS | ANY - WITHIN)
{{υ Υ}} -> {{υ² Υ²}} / {{α ε η Α Ε Η}} _

; 3. ου
{{υ ύ Υ Ύ}} -> {{υ³ ύ³ Υ³ Ύ³}} / {{ο Ο}} _

; 4. γ before γ ξ χ is a nasal
{{γ Γ}} -> {{ν Ν}} / _ {{γ ξ χ Γ Ξ Χ}}

; 5. μπ where a word begins or ends
{{μπ, Μπ, ΜΠ}} -> {{β¹ Β¹ Β¹}} / (# | ANY - WITHIN) _
{{μπ, Μπ, ΜΠ}} -> {{β¹ Β¹ Β¹}} / _ (# | ANY - WITHIN)

; 6. Letter by letter
{{ΐ ΰ}} -> {{ḯ ÿ́}}
{spelling_rules(TABLE)}
"""

SPOKEN = [*latin_letters(TABLE), "ḯ", "ÿ́"]
BARE = dict(
    zip([*both_cases("áéíóýúïÿ"), "ḯ", "ÿ́"], [*both_cases("aeioyuiy"), "i", "y"], strict=True)
)

ELOT_743 = cascade(
    letters=[*GREEK, *COMMON],
    phones=[*SPOKEN, *COMMON],
    marks=both_cases(SOUNDS),
    source=TEXT,
    target=TEXT,
    rules=SOUND_RULES,
)

PASSPORT = cascade(
    letters=[*GREEK, *COMMON],
    phones=[*(letter for letter in SPOKEN if letter not in BARE), *COMMON],
    marks=[*both_cases(SOUNDS), *BARE],
    source=TEXT,
    target=TEXT,
    rules=[SOUND_RULES, f"{one_by_one(BARE)} -> {one_by_one(BARE.values())}  ; without marks"],
)

# ---------------------------------------------------------------------------------------------
# Names.

ACCENTS = "\N{COMBINING GRAVE ACCENT}\N{COMBINING ACUTE ACCENT}\N{COMBINING GREEK PERISPOMENI}"
TONOS, DIAERESIS = "\N{COMBINING ACUTE ACCENT}", "\N{COMBINING DIAERESIS}"
STRAY = ACCENTS + DIAERESIS + "\u0304\u0306\u0313\u0314\u0345"


def one_stress(letter: str) -> str:
    """A letter of the old orthography as it is written since 1982.

    >>> "".join(map(one_stress, "ᾧἁΐῗῥ"))
    'ώαΐΐρ'
    """
    base, *marks = list(unicodedata.normalize("NFD", letter))
    kept = DIAERESIS if DIAERESIS in marks else ""
    kept += TONOS if any(mark in ACCENTS for mark in marks) else ""
    return unicodedata.normalize("NFC", base + kept)


POLYTONIC = [
    letter
    for letter in map(chr, range(0x1F00, 0x2000))
    if letter.islower() and unicodedata.is_normalized("NFKC", letter)
]

CLEAN = cleaning_rule(
    INVENTORY,
    variants={letter: one_stress(letter) for letter in POLYTONIC},
    dropped=STRAY,
    rules=f"""
    WITHIN = {one_by_one(letter for letter in INVENTORY if letter.isalpha())}
    ς -> σ
    σ -> ς / WITHIN _ (# | \\  | \\-)
    """,
)

WELL_FORMED = well_formed(
    INVENTORY,
    illegal=f"""
    WITHIN = {one_by_one(letter for letter in INVENTORY if letter.isalpha())}
    VOWEL = {{α ε η ι ο υ ω ά έ ή ί ό ύ ώ}}
    WITHIN σ _ (# | PART)
    (# | ANY - WITHIN) _ ς
    ς _ (WITHIN | {APOSTROPHE})
    (# | ANY - VOWEL) _ {{ϊ ϋ ΐ ΰ}}
    """,
)
