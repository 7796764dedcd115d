"""Ukrainian Cyrillic: the national romanisation, ISO 9 and back, and the letters of names.

NATIONAL is the table of resolution 55 of the Cabinet of Ministers of Ukraine of 27 January 2010,
On the regulation of transliteration of the Ukrainian alphabet into Latin letters, which passports
and road signs follow and which the United Nations adopted in 2012 (resolution X/9). Є Ї Й Ю Я are
Ye Yi Y Yu Ya at the head of a word and ie i i iu ia elsewhere, зг is zgh because zh is ж, and the
soft sign and the apostrophe fall away. The parts of Івано-Франківськ are words; what follows an
apostrophe is not the head of one (Знам’янка is Znamianka). Stress marks fall away. It cannot be
read back: г and х both write h, and и and й both y.

ISO_9 is ISO 9:1995, one Latin letter for each Cyrillic one, and ISO_9_INVERSE reads it back; only
the case of a soft sign that stands alone is lost. The apostrophe stays what it is.

CLEAN brings a name, however typed, to INVENTORY: small letters, and ’ for every kind of
apostrophe. WELL_FORMED gives back the words that Ukrainian spelling allows: a soft sign only
behind a consonant, ї never behind one without an apostrophe (Ukrainian Orthography,
2019).

All refuse letters that Ukrainian has not (ё ъ ы э), Latin look-alikes among them.

>>> from glyphone.fst.rules.interpreter import run
>>> "".join(run(NATIONAL, tuple("Запоріжжя"))[0].output)
'Zaporizhzhia'
"""

from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import cascade, inventory
from glyphone.grammars.alphabets import APOSTROPHE, cleaning_rule, well_formed
from glyphone.grammars.romanizing import (
    COMMON,
    both_cases,
    iso_9,
    latin_letters,
    one_by_one,
    spelling_rules,
)

SMALL = "а б в г ґ д е є ж з и і ї й к л м н о п р с т у ф х ц ч ш щ ь ю я"
INVENTORY = inventory([*SMALL.split(), " ", "-", APOSTROPHE])

STRESS = "\N{COMBINING ACUTE ACCENT}\N{COMBINING GRAVE ACCENT}"
QUOTES = "'ʼ"

# A letter with ¹ is the one at the head of a word or, of г, behind з.
HEADS = "є¹ ї¹ й¹ ю¹ я¹"
TABLE = dict(
    zip(
        f"{SMALL.replace(' ь', '')} {HEADS} г¹".split(),
        "a b v h g d e ie zh z y i i i k l m n o p r s t u f kh ts ch sh shch iu ia"
        " ye yi y yu ya gh".split(),
        strict=True,
    )
)
MARKS = [letter for letter in both_cases(TABLE) if letter.endswith("¹")]

NATIONAL = cascade(
    letters=[*both_cases(SMALL.split()), *STRESS, *COMMON, "ʼ"],
    phones=[*latin_letters(TABLE), *(sign for sign in COMMON if sign not in f"'{APOSTROPHE}")],
    marks=MARKS,
    target=Writing(),
    rules=f"""
    ; 1. Stress is not shown, and зг is not ж
    {one_by_one(STRESS)} -> ∅
    {{г Г}} -> {{г¹ Г¹}} / {{з З}} _

    ; 2. The head of a word; an apostrophe is within
    WITHIN = {one_by_one([*both_cases(SMALL.split()), *MARKS, APOSTROPHE, *QUOTES])}
    {{є ї й ю я Є Ї Й Ю Я}} -> {{{HEADS} {HEADS.upper()}}} / (# | ANY - WITHIN) _

    ; 3. The apostrophe and the soft sign fall away
    {one_by_one([APOSTROPHE, *QUOTES])} -> ∅
    {spelling_rules(TABLE, silent="ь")}
    """,
)

ISO_9, ISO_9_INVERSE = iso_9(SMALL.split())

CLEAN = cleaning_rule(INVENTORY, dropped=STRESS)

CONSONANT = "{б в г ґ д ж з к л м н п р с т ф х ц ч ш щ}"
WELL_FORMED = well_formed(
    INVENTORY,
    illegal=f"""
    CONSONANT = {CONSONANT}
    (# | ANY - CONSONANT) _ ь
    CONSONANT _ ї
    """,
)
