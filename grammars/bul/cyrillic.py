"""Bulgarian Cyrillic: the romanisation of the Transliteration Act, ISO 9 and back, names.

NATIONAL is the Bulgarian Transliteration Act (State Gazette 19 of 13 March 2009), which personal
documents and road signs follow and which the United Nations adopted in 2012 (resolution X/7): one
or more Latin letters for each Cyrillic one, but ия at the end of a word is ia. It
cannot be read back: а and ъ are both a. The words that the Act translates or keeps by tradition
(България Bulgaria, Дунав Danube) are dictionary entries and not rules: they are written letter by
letter here, Balgaria and Dunav. Stress marks fall away.

ISO_9 is ISO 9:1995, one Latin letter for each Cyrillic one, and ISO_9_INVERSE reads it back, but
for the case of ъ and ь, which comes back as that of the neighbours (Ъгъл as ъгъл). The pronoun ѝ
is a letter of the alphabet here, ì.

CLEAN brings a name, however typed, to INVENTORY: small letters, ѝ as и, and big yus as ъ, as the
reform of 1945 has it (yat may be я or е, and so is refused). WELL_FORMED gives back the words
that Bulgarian spelling allows: ь only between a consonant and о (Official Orthographic
Dictionary, 2012).

>>> from glyphone.fst.rules.interpreter import run
>>> "".join(run(NATIONAL, tuple("Търговище"))[0].output)
'Targovishte'
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

SMALL = "а б в г д е ж з и й к л м н о п р с т у ф х ц ч ш щ ъ ь ю я"
INVENTORY = inventory([*SMALL.split(), " ", "-", APOSTROPHE])

STRESS = "\N{COMBINING ACUTE ACCENT}\N{COMBINING GRAVE ACCENT}"
TABLE = dict(
    zip(
        f"{SMALL} ѝ ѐ я¹".split(),
        "a b v g d e zh z i y k l m n o p r s t u f h ts ch sh sht a y yu ya i e a".split(),
        strict=True,
    )
)

NATIONAL = cascade(
    letters=[*both_cases(f"{SMALL} ѝ ѐ".split()), *STRESS, *COMMON],
    phones=[*latin_letters(TABLE), *COMMON],
    marks="я¹ Я¹",
    target=Writing(),
    rules=f"""
    ; 1. Stress is not shown
    {one_by_one(STRESS)} -> ∅

    ; 2. ия where a word ends: София
    WITHIN = {one_by_one(both_cases(SMALL.split()))}
    {{я Я}} -> {{я¹ Я¹}} / {{и И ѝ Ѝ}} _ (# | ANY - WITHIN)

    ; 3. The table of the Act
    {spelling_rules(TABLE)}
    """,
)

ISO_9, ISO_9_INVERSE = iso_9([*SMALL.split(), "ѝ"])

CLEAN = cleaning_rule(INVENTORY, variants={"ѝ": "и", "ѐ": "е", "ѫ": "ъ"}, dropped=STRESS)

WELL_FORMED = well_formed(
    INVENTORY,
    illegal="""
    CONSONANT = {б в г д ж з к л м н п р с т ф х ц ч ш щ}
    (# | ANY - CONSONANT) _ ь
    ь _ (# | ANY - {о})
    """,
)
