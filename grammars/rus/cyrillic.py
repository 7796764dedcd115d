"""Russian Cyrillic as names are written: the inventory, how to reach it, and what is well formed.

Romanisations of Russian are in `glyphone.grammars.rus.romanization`. A learner of names works on
letters directly, and needs only this:

INVENTORY is the alphabet in small letters, ё apart from е, with the space, the hyphen and the
apostrophe of О’Коннор. CLEAN brings a name, however typed, to it: any case, any dash and
apostrophe, without stress marks, and in the letters of the reform of 1918 (decree of the Council
of People's Commissars, 10 October 1918): ѣ is е, ѳ ф, і and ѵ и, and ъ at the end of a word,
where it
parts nothing, falls away. WELL_FORMED gives back the words that Russian spelling
allows, transcribed names included: ь only behind a consonant, ъ only between a consonant and a
vowel (with Чанъань beside объезд, which asks only for е ё ю я; Правила русской орфографии и
пунктуации, 1956, sections 70 to 72).

Other letters of Cyrillic and Latin look-alikes are refused.

>>> from glyphone.fst.rules.interpreter import run
>>> "".join(run(CLEAN, tuple("алексѣевъ"))[0].output)
'алексеев'
>>> run(WELL_FORMED, tuple("ьва"))
[]
"""

from glyphone.fst.rules.cascade import inventory
from glyphone.grammars.alphabets import APOSTROPHE, cleaning_rule, well_formed
from glyphone.grammars.cyrillic import SMALL

INVENTORY = inventory([*SMALL.split(), " ", "-", APOSTROPHE])

STRESS = "\N{COMBINING ACUTE ACCENT}\N{COMBINING GRAVE ACCENT}"

CLEAN = cleaning_rule(
    INVENTORY,
    variants={"ѐ": "е", "ѝ": "и", "і": "и", "ѣ": "е", "ѳ": "ф", "ѵ": "и"},
    dropped=STRESS,
    rules="ъ -> ∅ / _ ъ* (# | \\  | \\-)",
)

WELL_FORMED = well_formed(
    INVENTORY,
    illegal="""
    CONSONANT = {б в г д ж з к л м н п р с т ф х ц ч ш щ}
    VOWEL = {а е ё и о у ы э ю я}
    (# | ANY - CONSONANT) _ {ъ ь}
    ъ _ (# | ANY - VOWEL)
    """,
)
