"""Hebrew: names without points, final letters as a rule, and ISO 259 with its inverse.

Five letters have a form of their own where a word ends: ך ם ן ף ץ. Which form is written follows
from the place, but for one thing: loanwords keep the form of פ and כ where it is said p and k
(פיליפ Philip beside יוסף Yosef). Pointed writing tells the two by the dot of the dagesh, and so
do the base letters here: TO_BASE writes every word in the 22 letters, with a dagesh behind a
letter that keeps its medial form at the end, and FROM_BASE gives back the one spelling. A learner
that works on base letters can only write well-formed words; FROM_BASE refuses a dagesh elsewhere.

CLEAN brings a name, however typed, to INVENTORY: points and cantillation fall away, presentation
forms (NFKC) and Yiddish digraphs are their letters, apostrophes are geresh (׳), two of them or
quotation marks gershayim (״), and maqaf is a hyphen. A final form inside a word becomes the
medial one; מ נ צ that end a word of two letters or more become final, also before a geresh
(רבינוביץ׳), but פ כ stay, and so does a letter behind gershayim (מ״מ). POINTED does the same and
keeps the points. WELL_FORMED gives back what CLEAN would leave unchanged, where geresh and
gershayim stand behind letters.

ISO_259 writes base letters in Latin ones by ISO 259:1984 (Transliteration of Hebrew characters
into Latin characters), without vowels, since names have no points; ש without its dot is s̀ there.
A dagesh is a dot above (ṗ), so ISO_259_INVERSE reads all of it back.

>>> from glyphone.fst.rules.interpreter import run
>>> "".join(run(TO_BASE, tuple("אברהם"))[0].output)
'אברהמ'
>>> [run(TO_BASE, tuple(word))[0].output[-2:] for word in ("יוסף", "פיליפ")]
[('ס', 'פ'), ('פ', 'ּ')]
>>> "".join(run(ISO_259, tuple("ירושלים"))[0].output)
'yrws̀lym'
"""

from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import cascade, inventory
from glyphone.grammars.alphabets import APOSTROPHES, LETTERS, cleaning_rule, well_formed
from glyphone.grammars.notation import symbol_set

MEDIAL = "כ מ נ פ צ"
FINAL = "ך ם ן ף ץ"
BASE = "א ב ג ד ה ו ז ח ט י כ ל מ נ ס ע פ צ ק ר ש ת"
GERESH, GERSHAYIM, DAGESH = "׳", "״", "\N{HEBREW POINT DAGESH OR MAPIQ}"
SIGNS = (GERESH, GERSHAYIM, " ", "-")
INVENTORY = inventory([*BASE.split(), *FINAL.split(), *SIGNS])

POINTS = tuple(
    chr(code) for code in (*range(0x0591, 0x05BE), 0x05BF, 0x05C1, 0x05C2, 0x05C4, 0x05C5, 0x05C7)
)

# ---------------------------------------------------------------------------------------------
# Cleaning.

PLACES = f"""
LETTERS = {{{BASE} {FINAL}}}
MARK = {symbol_set(POINTS)}
QUOTE = {{{GERESH} {GERSHAYIM}}}
END = (MARK | QUOTE)* (# | \\  | \\-)
"""
FORMS = f"""
{GERESH} {GERESH} -> {GERSHAYIM}

; Final forms inside a word, or alone in it
{{{FINAL}}} -> {{{MEDIAL}}} / _ (MARK | QUOTE)* LETTERS
{{{FINAL}}} -> {{{MEDIAL}}} / (# | \\  | \\-) _

; Medial forms at the end of a word, but for פ and כ
{{מ נ צ}} -> {{ם ן ץ}} / LETTERS (MARK | {GERESH})* _ END
"""
VARIANTS = (
    {"װ": "וו", "ױ": "וי", "ײ": "יי", "־": "-"}
    | dict.fromkeys((*APOSTROPHES, "’"), GERESH)
    | dict.fromkeys('"“”„', GERSHAYIM)
)

CLEAN = cleaning_rule(
    INVENTORY,
    variants=VARIANTS,
    dropped=POINTS,
    rules=PLACES.replace(symbol_set(POINTS), DAGESH) + FORMS,
)

POINTED = cleaning_rule((*INVENTORY, *POINTS), variants=VARIANTS, rules=PLACES + FORMS)

WELL_FORMED = well_formed(
    INVENTORY,
    illegal=f"""
    LETTERS = {{{BASE} {FINAL}}}
    QUOTE = {{{GERESH} {GERSHAYIM}}}
    {{{FINAL}}} _ QUOTE* LETTERS
    (# | PART) _ {{{FINAL} {GERESH} {GERSHAYIM}}}
    QUOTE _ QUOTE
    LETTERS {GERESH}* {{מ נ צ}} _ QUOTE* (# | PART)
    """,
)

# ---------------------------------------------------------------------------------------------
# Base letters. Whatever remains final behind the rules is in no right place and has no output.

END = f"{{{GERESH} {GERSHAYIM}}}* (# | \\  | \\-)"
BEHIND = f"{{{BASE} {FINAL} {GERESH} {GERSHAYIM}}}"
TO_BASE_RULES = f"""
∅ -> {DAGESH} / BEHIND {{{MEDIAL}}} _ {END}  ; a medial form that stays: פיליפ
{{{FINAL}}} -> {{{MEDIAL}}} / BEHIND _ {END}
""".replace("BEHIND", BEHIND)

TO_BASE = cascade(
    letters=INVENTORY,
    phones=[*BASE.split(), DAGESH, *SIGNS],
    source=LETTERS,
    target=LETTERS,
    partial=True,
    rules=TO_BASE_RULES,
)

FROM_BASE = TO_BASE.inverse(partial=True)

# ---------------------------------------------------------------------------------------------
# ISO 259:1984, consonants.

LATIN = "ʾ b g d h w z ḥ ṭ y k l m n s ʿ p ṣ q r s̀ t"
DOTTED = "k̇ ṁ ṅ ṗ ṩ"
LATIN_SIGNS = {GERESH: "’", GERSHAYIM: "”"}

ISO_259 = cascade(
    letters=INVENTORY,
    phones=[*LATIN.split(), *DOTTED.split(), *LATIN_SIGNS.values(), " ", "-"],
    marks=DAGESH,
    source=LETTERS,
    target=Writing(unit="grapheme"),
    partial=True,
    rules=f"""
    {TO_BASE_RULES}
    {symbol_set((letter, DAGESH) for letter in MEDIAL.split())} -> {{{DOTTED}}}
    {{{BASE}}} -> {{{LATIN}}}
    {symbol_set(LATIN_SIGNS)} -> {symbol_set(LATIN_SIGNS.values())}
    """,
)

ISO_259_INVERSE = ISO_259.inverse(partial=True)
